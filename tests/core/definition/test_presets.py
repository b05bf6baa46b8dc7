"""The presets load and fit their purpose; the studies' figures are those that were printed."""

from __future__ import annotations

import pytest

from backend.core.definition.canonical import canonical
from backend.core.definition.catalog import PATH_NAMES
from backend.core.definition.factors import FACTORS, applicable
from backend.core.definition.metrics import METRICS
from backend.core.definition.presets import Preset, presets
from backend.core.definition.studies import STUDIES, study
from backend.core.definition.studies.model import ClosenessClaim, RatioClaim
from backend.core.definition.submitted import validate_document
from backend.core.errors import NotFound
from backend.core.plan.build import build_plan
from backend.core.plan.model import Plan
from backend.core.topology.deployment import server_spec
from backend.core.workload.obstacles import obstacle

TWO_CORES = {"cores": 2, "memory_mb": 7_900, "max_scale": 50, "engines": ["on", "off", "swarm", "host"]}
PRESETS = pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
OF_STUDIES = [preset for preset in presets() if preset.study]


def planned(preset: Preset, **capabilities: object) -> Plan:
    return build_plan(
        preset.experiment,
        lambda levels: obstacle(levels, capabilities),
        lambda levels: server_spec(levels).key,
    )


def test_every_study_and_purpose_has_a_full_and_a_quick_form() -> None:
    names = {p.name: p.form for p in presets()}
    full = {name for name, form in names.items() if form == "full"}
    assert full == {
        "pachot-2019", "whoisnian-2024-paths", "whoisnian-2024-tools", "whoisnian-2024-gomaxprocs",
        "myhro-2017", "barbarin-2019", "pdxpug-2014", "proxy-programs", "host-paths", "lab-equals-host",
        "open-loop-knee", "connect-collapse",
    }  # fmt: skip
    assert {name for name, form in names.items() if form == "quick"} == {f"{name}-quick" for name in full}
    assert {p.study for p in OF_STUDIES} == set(STUDIES)


@PRESETS
def test_a_preset_is_its_own_canonical_document(preset: Preset) -> None:
    assert preset.experiment.name == preset.name
    document = canonical(preset.experiment)
    assert validate_document(document) == preset.experiment
    assert document["metrics"][0] in METRICS


@PRESETS
def test_a_quick_form_measures_for_five_minutes_on_two_cores_and_restarts_cost_little(preset: Preset) -> None:
    takes = planned(preset, **TWO_CORES).estimate
    measuring = takes.seconds - takes.restart_seconds
    assert measuring <= (300 if preset.form == "quick" else 24 * 3600)
    assert takes.seconds <= 1.3 * measuring


@pytest.mark.parametrize(
    "name", ["open-loop-knee", "open-loop-knee-quick", "connect-collapse", "connect-collapse-quick"]
)
def test_a_sweep_has_rounds_that_can_decide_every_comparison_and_enough_levels(name: str) -> None:
    (preset,) = [p for p in presets() if p.name == name]
    plan = planned(preset, **TWO_CORES)
    assert plan.warnings == ()
    assert all(cell.infeasible is None for cell in plan.cells)
    swept = "rate" if name.startswith("open-loop") else "clients"
    assert len(preset.experiment.factors.levels(swept)) >= 4
    assert (preset.experiment.latency_limit_ms is not None) == (swept == "rate")


@pytest.mark.parametrize("preset", OF_STUDIES, ids=lambda preset: preset.name)
def test_a_study_has_rounds_that_can_decide_every_comparison(preset: Preset) -> None:
    plan = planned(preset)
    assert plan.warnings == ()
    assert all(cell.infeasible is None for cell in plan.cells)
    assert preset.experiment.rounds >= 6  # fewer allow no 95 % interval


def test_quotas_above_the_hosts_cores_are_marked_and_nothing_else_is() -> None:
    (preset,) = [p for p in presets() if p.name == "whoisnian-2024-tools"]
    for cell in planned(preset, **TWO_CORES).cells:
        wanted = cell.levels["server_cpus"]
        assert (cell.infeasible is None) == (int(wanted) <= 2)
        assert cell.infeasible is None or f"{wanted} CPUs for the server" in cell.infeasible


def test_the_forms_of_a_preset_ask_the_same_question() -> None:
    by_name = {p.name: p.experiment for p in presets()}
    for name, full in by_name.items():
        quick = by_name.get(f"{name}-quick")
        if quick is None:
            continue
        assert quick.metrics == full.metrics and quick.study == full.study and quick.baseline == full.baseline
        for factor in (f for f in FACTORS if f not in ("duration_s", "warm_up_s")):
            assert set(quick.factors.levels(factor)) <= set(full.factors.levels(factor)), (name, factor)


def test_host_paths_has_every_path() -> None:
    (quick,) = [p for p in presets() if p.name == "host-paths-quick"]
    cells = [c for c in planned(quick).cells if not c.is_duplicate]
    assert {c.levels["path"] for c in cells if c.infeasible is None} == set(PATH_NAMES)
    assert len(cells) == len(PATH_NAMES) + 1  # wrk needs a baseline of its own


def test_the_full_forms_hold_every_printed_figure() -> None:
    for name, published in STUDIES.items():
        cells = [
            {**published.settings, **cell.levels}
            for preset in OF_STUDIES
            if preset.study == name and preset.form == "full"
            for cell in planned(preset).cells
        ]
        for figure in published.figures:
            assert any(figure.levels.items() <= levels.items() for levels in cells), (name, figure)


@pytest.mark.parametrize("preset", OF_STUDIES, ids=lambda preset: preset.name)
def test_the_settings_are_those_of_the_study(preset: Preset) -> None:
    assert preset.study is not None
    for name, level in study(preset.study).settings.items():
        assert level in preset.experiment.factors.levels(name)


def test_pachots_figures_and_ratios() -> None:
    published = study("pachot-2019")
    values = {(f.levels["path"], f.levels["userland_proxy"]): f.values for f in published.figures}
    assert values["published_loopback", True] == {"tps": 10810.876728}
    ratios = {key: own["tps"] / values["same_container", True]["tps"] for key, own in values.items()}
    assert ratios["published_loopback", True] == pytest.approx(0.61733, abs=1e-5)
    assert ratios["published_loopback", False] == pytest.approx(0.94516, abs=1e-5)


def test_whoisnians_figures() -> None:
    published = study("whoisnian-2024")
    assert len(published.figures) == 5 * 6 + 4 * 8 + 5 * 5 + 1
    (proxy,) = [
        f
        for f in published.figures
        if f.levels["path"] == "published_loopback"
        and f.levels["userland_proxy"]
        and f.levels["clients"] == 10
    ]
    assert proxy.values == {
        "rps": 104760, "server_cpu_cores": 2.0, "proxy_cpu_cores": 3.63, "client_cpu_cores": 1.63
    }  # fmt: skip


def test_the_others_figures() -> None:
    myhro, barbarin = study("myhro-2017"), study("barbarin-2019")
    assert {f.levels["path"]: f.values["rps"] for f in myhro.figures}["nginx_http_published"] == 1420.17
    by_path = {f.levels["path"]: f for f in barbarin.figures}
    rate = {path: figure.values["throughput_gbit_s"] for path, figure in by_path.items()}
    assert rate["published_remote"] / rate["bare_host_remote"] == pytest.approx(0.867, abs=1e-3)
    assert study("pdxpug-2014").figures == ()


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_attributed_and_its_claims_name_what_exists(name: str) -> None:
    published = study(name)
    assert published.author in published.citation and str(published.year) in published.citation
    assert published.title in published.citation and "http" not in published.citation
    assert published.environment and published.claims
    for figure in published.figures:
        assert set(figure.values) <= set(METRICS) and set(figure.levels) <= set(FACTORS)
    for claim in published.claims:
        if isinstance(claim, RatioClaim | ClosenessClaim):
            assert claim.metric in METRICS
        for levels in getattr(claim, "cells", ()) or (
            getattr(claim, "cell", {}),
            getattr(claim, "against", {}),
        ):
            assert set(levels) <= set(FACTORS)


def test_preset_cells_hold_what_applies() -> None:
    for preset in presets():
        for cell in planned(preset).cells:
            assert cell.levels == applicable(cell.levels)


def test_an_unknown_study_names_the_known_ones() -> None:
    with pytest.raises(NotFound, match=", ".join(STUDIES)):
        study("nobody-1999")
