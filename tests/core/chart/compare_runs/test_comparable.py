"""Whether two runs may be compared: their differences with relevance, and the remedy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.compare_runs.matching import QUESTION_FACTORS
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.compare_runs.run_comparison_model import EnvironmentDifference
from backend.core.definition.factors import FACTORS
from backend.core.plan.model import Cell
from tests.core.chart.compare_runs.two_runs import HOST, difference, made_up_run, one
from tests.core.chart.runs import failed

A = one()


def test_other_hardware_is_refused_for_values_with_the_way_out() -> None:
    other = one("run_b", environment={**HOST, "cpu": "Xeon", "cores": "64"})
    refused = compare_runs(A, other, RunComparisonQuery(basis="values"))
    assert (refused.comparable, refused.refused, refused.tables) == ("not", True, ())
    (reason,) = refused.reasons
    assert "cores is 4 in A and 64 in B" in reason and "basis=ratios" in reason and "override" in reason
    assert difference(refused, "cpu").relevance == "blocking"
    shown = compare_runs(A, other, RunComparisonQuery(basis="values", override=True))
    assert shown.overridden and not shown.refused and len(shown.tables[0].rows) == 6
    assert shown.warnings[0].startswith("Compared although not comparable: The machines differ")
    assert not compare_runs(A, one("run_c"), RunComparisonQuery(override=True)).overridden


@pytest.mark.parametrize(
    ("key", "a", "b", "relevance"),
    [
        ("kernel", "6.1", "6.18", "relevant"),
        ("image", "bench:1", "bench:2", "relevant"),
        ("engine on docker", "20.10", "27.0", "relevant"),
        ("engine off bridge-nf-call-iptables", "0", "1", "relevant"),
        ("engine on kernel", "6.1", "6.18", "minor"),
        ("cpu governor", "performance", "powersave", "relevant"),
        ("cpu governor", "performance", "unknown", "minor"),
        ("observers", "before the load", "beside the load", "relevant"),
        ("observers", "before the load", None, "minor"),
        ("sysctl net.ipv4.tcp_congestion_control", "bbr", "cubic", "relevant"),
        ("pgbench", "15.20", "16.4", "relevant"),
        ("wrk", "4.1", "4.2", "minor"),
        ("memory", "8 GiB", "16 GiB", "minor"),
        ("engine swarm docker", "20.10", None, "minor"),
        ("cores", "4", "unknown", "relevant"),
        ("cpu", "AMD EPYC", None, "relevant"),
        ("client host", "bench-2", "bench-3", "relevant"),
        ("client host", "bench-2", None, "relevant"),
        ("client host kernel", "6.1", "6.18", "relevant"),
        ("client host cpu", "AMD EPYC", None, "minor"),
        ("client host memory", "8 GiB", "16 GiB", "minor"),
        ("something new", "1", "2", "minor"),
    ],
)
def test_each_difference_has_its_weight(key: str, a: str, b: str | None, relevance: str) -> None:
    ours = one(environment={**HOST, key: a})
    theirs = one("run_b", environment={k: v for k, v in {**HOST, key: b}.items() if v is not None})
    model = compare_runs(ours, theirs)
    assert (difference(model, key).a, difference(model, key).b) == (a, b)
    assert difference(model, key).relevance == relevance and difference(model, key).remark
    assert model.comparable == ("partly" if relevance == "relevant" else "comparable")


def test_a_setting_that_differs_is_listed_and_parts_no_cells() -> None:
    model = compare_runs(A, one("run_b", factors={"duration_s": 3, "shared_buffers_mb": 64}))
    assert model.comparable == "partly" and len(model.tables[0].rows) == 6
    assert all(row.a and row.b for row in model.tables[0].rows)
    assert (difference(model, "duration_s").a, difference(model, "duration_s").b) == ("10", "3")
    assert "duration_s" in model.reasons[0] and "shared_buffers_mb" in model.reasons[0]


def test_an_override_is_offered_only_where_it_shows_figures() -> None:
    apart = one("run_b", environment={**HOST, "cpu": "Xeon"})
    others = one("run_b", baseline={"path": "sibling_container", "userland_proxy": True})
    xeon = {**HOST, "cpu": "Xeon"}
    waiting = one("run_b", state="running", change=lambda row, _: failed(row), environment=xeon)
    sockets = {"path": ["unix_socket", "host_network"]}
    unlike = one("run_b", environment=xeon, factors=sockets, baseline={"path": "unix_socket"}, study=None)
    for run, basis, offered in (
        (apart, "values", True),
        (others, "ratios", True),
        (waiting, "values", False),
        (unlike, "values", False),
    ):
        refused = compare_runs(A, run, RunComparisonQuery(basis=basis))
        assert (refused.refused, refused.overridable) == (True, offered), refused.reasons
        if offered:
            assert compare_runs(A, run, RunComparisonQuery(basis=basis, override=True)).tables[0].rows
    assert not compare_runs(A, one("run_c")).overridable


def test_nothing_measured_yet_is_refused() -> None:
    waiting = one("run_b", state="running", change=lambda row, _: failed(row))
    model = compare_runs(A, waiting)
    assert model.refused and model.reasons == (
        "B has no finished trial: wait for its first one, or choose another run.",
    )
    override = compare_runs(A, waiting, RunComparisonQuery(override=True))
    assert override.tables[0].rows[0].verdict == "undefined"
    assert any("B is not finished" in text for text in override.warnings)


def test_other_baselines_refuse_ratios() -> None:
    other = one("run_b", study=None, baseline={"path": "sibling_container", "userland_proxy": True})
    model = compare_runs(A, other, RunComparisonQuery(basis="ratios"))
    assert model.refused and "different baselines" in model.reasons[0]
    assert not compare_runs(A, other, RunComparisonQuery(basis="values")).refused


def test_chosen_cells_of_other_baselines_are_comparable_in_part() -> None:
    other = one("run_b", study=None, baseline={"path": "sibling_container", "userland_proxy": True})
    query = RunComparisonQuery(basis="ratios", a_cell="c5", b_cell="c5")
    model = compare_runs(A, other, query)
    assert (model.comparable, len(model.tables[0].rows)) == ("partly", 1)
    found = difference(model, "baseline")
    assert (found.a, found.b, found.relevance) == ("Same container", "Sibling container", "relevant")
    assert model.reasons == (
        "The baselines differ, Same container for A and Sibling container for B, so the ratios answer "
        "different questions: compare values (basis=values), or read each ratio by itself.",
    )
    values = compare_runs(A, other, replace(query, basis="values"))
    assert values.comparable == "comparable" and values.differences == ()


def test_baselines_that_differ_as_the_chosen_cells_do_are_alike() -> None:
    """5 clients against 50, each over same_container with as many of them."""
    model = compare_runs(
        A, one("run_b", factors={"clients": 50}), RunComparisonQuery(basis="ratios", a_cell="c5", b_cell="c5")
    )
    assert model.comparable == "comparable" and [one.key for one in model.differences] == ["clients"]


@pytest.mark.parametrize(
    ("a_cell", "b_cell", "reason"),
    [
        ("c1", "c5", "The cell of A is a baseline, and has no ratio"),
        ("c5", "c1", "The cell of B is a baseline, and has no ratio"),
        ("c1", "c1", "Both cells are baselines, and they have no ratio"),
    ],
)
def test_a_chosen_baseline_has_no_ratio(a_cell: str, b_cell: str, reason: str) -> None:
    model = compare_runs(A, one("run_b"), RunComparisonQuery(basis="ratios", a_cell=a_cell, b_cell=b_cell))
    assert model.refused and model.reasons == (f"{reason}: compare values (basis=values).",)


def test_a_host_of_which_only_the_name_is_known_is_one_difference() -> None:
    model = compare_runs(A, one("run_b", environment={"host": "old-box"}))
    found = [each for each in model.differences if each.key in HOST or each.key == "environment"]
    assert [(each.key, each.a, each.b) for each in found] == [("environment", "recorded", None)]
    assert "but its name" in found[0].remark


def test_an_imported_run_is_comparable_in_part() -> None:
    def bare(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, cpu=None, metrics={"tps": (row.metrics or {})["tps"]})

    run = one("run_b", change=bare, environment={})
    old = made_up_run(replace(run.data, origin="imported"))
    model = compare_runs(A, old)
    assert (model.comparable, model.b.origin) == ("partly", "imported")
    assert [(d.key, d.a, d.b) for d in model.differences] == [
        ("environment", "recorded", None),
        ("evidence", "taken in every trial", None),
    ]
    assert [table.metric for table in model.tables] == ["tps"]
    assert any(text.startswith("CPU per transaction") for text in model.warnings)


def test_question_factors_and_settings_are_all_factors() -> None:
    assert set(FACTORS) >= QUESTION_FACTORS
    assert {factor.name for factor in FACTORS.values() if factor.scope == "path"} - QUESTION_FACTORS == {
        "engine"
    }


def test_weight_is_the_deprecated_word_for_relevance() -> None:
    words = {"blocking": "decides", "relevant": "matters", "minor": "noted"}
    for relevance, weight in words.items():
        found = EnvironmentDifference(key="kernel", a="6.1", b="6.12", relevance=relevance, remark="")
        assert found.model_dump()["weight"] == weight
        assert EnvironmentDifference.model_validate(found.model_dump()) == found
