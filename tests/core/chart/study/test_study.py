"""The published study beside the run: figures and claims."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.model.quality_models import Claim
from backend.core.chart.study.claims import judge_claims
from backend.core.definition.studies import STUDIES
from backend.core.definition.studies.model import RatioClaim, RoleClaim
from backend.core.plan.model import Cell
from tests.core.chart.runs import failed, is_cell, made_up, study_experiment


def claims(**kwargs: Any) -> tuple[Claim, ...]:
    study = build_chart(made_up(**kwargs)).study
    assert study is not None
    return study.claims


def scaled(path: str, proxied: bool, factor: float) -> Any:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        wanted = is_cell(cell, path, proxied)
        return replace(row, metrics=metrics | {"tps": metrics["tps"] * factor}) if wanted else row

    return change


def test_published_figures_are_with_their_cells() -> None:
    model = build_chart(made_up())
    found = {(c.levels["path"], c.levels["userland_proxy"]): c.published for c in model.cells if c.published}
    assert len(found) == 6
    figure = found["published_loopback", True]
    assert figure is not None
    assert figure.values == {"tps": 10810.9}
    assert figure.ratio == pytest.approx(10810.876728 / 17512.433838, rel=1e-5)
    assert model.study is not None
    assert (model.study.author, model.study.year) == ("F. Pachot", 2019)
    assert "F. Pachot" in model.study.citation


def test_of_swept_settings_only_the_studys_own_has_figures() -> None:
    levels = {
        "path": ["same_container", "published_loopback"],
        "userland_proxy": [True, False],
        "clients": [1, 5],
    }
    model = build_chart(made_up(study_experiment(factors=levels)))
    assert {c.levels["clients"] for c in model.cells if c.published} == {5}
    assert model.study is not None
    assert model.study.claims[0].outcome == "reproduced"
    assert "the run has no single cell with path sibling_container" in model.study.claims[-1].detail


def test_other_settings_than_the_studys_are_reported() -> None:
    levels = {"path": ["same_container", "published_loopback"], "userland_proxy": [True, False], "clients": 2}
    model = build_chart(made_up(study_experiment(factors=levels)))
    assert "The published figures were taken with 5 clients; this run has other settings." in model.warnings
    assert sum(c.published is not None for c in model.cells) == 4


def test_claims_that_hold() -> None:
    ratio, closeness, role = claims()
    assert (ratio.outcome, closeness.outcome, role.outcome) == ("reproduced",) * 3
    assert ratio.text == "docker-proxy slows the docker-host client by about 40 %"
    assert (
        "Published port on 127.0.0.1, userland-proxy on ÷ Published port on 127.0.0.1, "
        "userland-proxy off, paired within 10 rounds: 0.6" in ratio.detail
    )
    assert "Direction reproduced: the whole interval should be at most 1." in ratio.detail
    assert "Size reproduced: the whole interval should be within 0.45 to 0.75." in ratio.detail
    assert (ratio.direction, ratio.size) == ("reproduced", "reproduced")
    assert (closeness.direction, closeness.size) == (None, "reproduced")
    assert (role.direction, role.size) == ("reproduced", None)
    assert all("hold together for 5 figures of the claims" in claim.detail for claim in claims())
    assert closeness.detail.count("95 % CI") == 3
    assert "within 0.9 to 1.11" in closeness.detail
    assert "median 0.60 cores" in role.detail


@pytest.mark.parametrize(
    ("factor", "direction", "size", "outcome"),
    [
        (0.06, "reproduced", "not_reproduced", "contradicted"),
        (1.0, "reproduced", "reproduced", "reproduced"),
        (1.15, "reproduced", "undecided", "undecided"),
        (1.3, "reproduced", "not_reproduced", "contradicted"),
        (1.535, "undecided", "not_reproduced", "contradicted"),
        (2.0, "not_reproduced", "not_reproduced", "contradicted"),
    ],
)
def test_the_ratio_claim_is_one_of_direction_and_one_of_size(
    factor: float, direction: str, size: str, outcome: str
) -> None:
    """ "About 40 % slower" at −96 %: the direction is reproduced, the size is not."""
    change = scaled("published_loopback", True, factor)
    found = claims(change=change, noise=0.02)[0]
    assert (found.direction, found.size, found.outcome) == (direction, size, outcome)


def test_every_size_that_a_study_names_has_a_tolerance_on_both_sides() -> None:
    named = [c for s in STUDIES.values() for c in s.claims if isinstance(c, RatioClaim | RoleClaim)]
    for claim in named:
        if claim.size is not None:
            assert 0 < claim.tolerance < claim.size
        if isinstance(claim, RatioClaim) and "%" in claim.text:
            assert claim.size is not None
    assert sum(claim.size is not None for claim in named) == 9


def test_a_suspect_run_decides_no_claim() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        return replace(row, metrics=metrics | {"tps": metrics["tps"] * 1.3}) if cell.is_duplicate else row

    for claim in claims(change=spoil):
        assert claim.outcome == "undecided" and {claim.direction, claim.size} <= {None, "undecided"}
        assert claim.detail.startswith("Undecided, because the A/A check is suspect.")


def test_claims_hold_over_all_planned_analyses() -> None:
    """More planned analyses make every interval wider."""
    cells = by_cell(made_up(noise=0.02))
    once, often = (judge_claims(STUDIES["pachot-2019"], cells, (), analyses) for analyses in (1, 4))
    assert [claim.outcome for claim in once] == ["reproduced"] * 3
    assert once != often


@pytest.mark.parametrize(
    ("factor", "outcome"), [(0.8, "contradicted"), (0.955, "undecided"), (1.0, "reproduced")]
)
def test_the_closeness_claim(factor: float, outcome: str) -> None:
    change = scaled("sibling_container", False, factor)
    assert claims(change=change, noise=0.02)[1].outcome == outcome


def test_the_role_claim() -> None:
    def idle(row: TrialRow, _cell: Cell) -> TrialRow:
        assert row.cpu is not None
        return replace(row, cpu=replace(row.cpu, roles={**row.cpu.roles, "proxy": 0.0}))

    assert claims(change=idle)[2].outcome == "contradicted"


def test_claims_without_enough_rounds_are_undecided() -> None:
    for claim in claims(experiment=study_experiment(rounds=5)):
        assert claim.outcome == "undecided"
        assert claim.detail.startswith("Not tested: 5 ")


def test_claims_without_their_cell_are_undecided() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        return failed(row) if is_cell(cell, "published_loopback", True) else row

    ratio, closeness, role = claims(change=spoil)
    assert (ratio.outcome, closeness.outcome, role.outcome) == ("undecided", "reproduced", "undecided")
    assert ratio.detail == "Not tested: no trial succeeded."
