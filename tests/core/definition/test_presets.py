"""The presets load, and the studies' figures are those that were printed."""

from __future__ import annotations

import pytest

from backend.core.definition.presets import presets
from backend.core.definition.studies import STUDIES, study
from backend.core.errors import NotFound
from backend.core.plan.build import build_plan


def test_presets_load_and_can_decide_their_comparisons() -> None:
    assert [(p.name, p.form, p.study) for p in presets()] == [
        ("pachot-2019", "full", "pachot-2019"),
        ("pachot-2019-quick", "quick", "pachot-2019"),
    ]
    for preset in presets():
        plan = build_plan(preset.experiment, lambda _levels: None)
        assert preset.experiment.name == preset.name
        assert len([c for c in plan.cells if not c.is_duplicate]) == 6
        assert plan.warnings == ()


def test_the_full_preset_is_the_study() -> None:
    experiment = presets()[0].experiment
    published = study("pachot-2019")
    for name, level in published.settings.items():
        assert experiment.factors.levels(name) == (level,)
    cells = {
        (p, u) for p in experiment.factors.levels("path") for u in experiment.factors.levels("userland_proxy")
    }
    assert cells == set(published.figures)
    assert experiment.baseline == {"path": "same_container", "userland_proxy": True}


def test_published_figures_and_computed_ratios() -> None:
    published = study("pachot-2019")
    assert published.figures["published_loopback", True].tps == 10810.876728
    assert published.ratio("same_container", True) == 1
    assert published.ratio("published_loopback", True) == pytest.approx(0.61733, abs=1e-5)
    assert published.ratio("published_loopback", False) == pytest.approx(0.94516, abs=1e-5)
    assert "2019" in published.citation
    assert "CentOS" in published.environment


def test_an_unknown_study_names_the_known_ones() -> None:
    with pytest.raises(NotFound, match=", ".join(STUDIES)):
        study("nobody-1999")
