"""Two runs side by side: matching cells and their rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.compare_runs.run_comparison_model import RunComparison, RunComparisonRow
from backend.core.errors import Invalid, NotFound
from backend.core.plan.model import Cell, Obstacle
from backend.core.statistics.paired import paired_ratio
from backend.core.statistics.unpaired import unpaired_ratio
from tests.core.chart.compare_runs.two_runs import HOST, MadeUpRun, difference, made_up_run, one
from tests.core.chart.runs import failed, is_cell


def row_of(model: RunComparison, label: str, metric: str = "tps") -> RunComparisonRow:
    table = next(table for table in model.tables if table.metric == metric)
    return next(row for row in table.rows if row.label == label)


def values(run: MadeUpRun, cell_id: str) -> list[float]:
    return list(by_cell(run.data)[cell_id].values("tps").values())


A = one()
SLOWER = one("run_b", scale=0.8, noise_seed=1)
OTHERS = (one("run_c", noise_seed=2), one("run_d", noise_seed=3))
"""Further runs on the host of A, which show by how much runs differ: hardly."""


def test_values_on_one_host_are_two_samples() -> None:
    model = compare_runs(A, SLOWER, others=OTHERS)
    assert (model.basis, model.comparable, model.refused, model.reasons) == (
        "values",
        "comparable",
        False,
        (),
    )
    row = row_of(model, "Published port on 127.0.0.1, userland-proxy on")
    expected = unpaired_ratio(values(A, row.a.cell_id if row.a else ""), values(SLOWER, "c5"), 6)
    assert row.ratio == pytest.approx(expected.ratio, rel=1e-5) and row.n == 10
    assert expected.interval is not None and row.interval is not None
    assert row.interval.low == pytest.approx(expected.interval[0], rel=1e-5)
    assert row.p_holm == row.p_adjusted == pytest.approx(6 * expected.p, rel=1e-4)
    assert row.family == 6 and row.interval_unadjusted is not None
    assert row.verdict == "worse" and row.sentence.startswith("B is 20.") and "slower" in row.sentence
    assert "Mann-Whitney" in row.method
    assert model.tables[0].headline == "6 slower" and len(model.tables[0].rows) == 6
    assert row.a is not None and row.a.ratio == pytest.approx(10_800 / 17_500, rel=0.02)
    assert any("not measured in the same rounds" in text for text in model.warnings)


def test_ratios_to_the_own_baseline_cancel_the_machine() -> None:
    other = one("run_b", host="bench-2", scale=3.0, noise_seed=1, environment={**HOST, "cpu": "Xeon"})
    xeon: dict[str, Any] = {"host": "bench-2", "environment": {**HOST, "cpu": "Xeon"}}
    others = (*OTHERS, *(one(f"run_{n}", scale=3.0, noise_seed=n, **xeon) for n in (2, 3)))
    model = compare_runs(A, other, others=others)
    assert (model.basis, model.comparable, model.refused) == ("ratios", "partly", False)
    assert model.reasons == ("What differs besides, and may move the figures: cpu, host.",)
    row = row_of(model, "Published port on 127.0.0.1, userland-proxy on")
    ours, theirs = (
        [c / base for c, base in zip(values(run, "c5"), values(run, "c1"), strict=True)] for run in (A, other)
    )
    assert row.ratio == pytest.approx(unpaired_ratio(ours, theirs).ratio, rel=1e-5)
    assert row.verdict == "equivalent" and row.method.startswith("each value over its own run's baseline")
    assert all(not row.is_baseline for row in model.tables[0].rows) and len(model.tables[0].rows) == 5
    assert "Baselines have no row: each is divided by itself." in model.warnings


def test_a_setting_that_is_varied_belongs_to_the_cell() -> None:
    model = compare_runs(A, one("run_b", factors={"path": "published_loopback", "scale": [1, 5]}, study=None,
                                baseline={"userland_proxy": True}))  # fmt: skip
    both = [row for row in model.tables[0].rows if row.a and row.b]
    assert [row.levels["scale"] for row in both] == [5, 5]
    assert model.tables[0].headline.endswith("4 in A only, 2 in B only")
    only = next(row for row in model.tables[0].rows if row.a is None)
    assert (only.verdict, only.p, only.sentence) == (None, None, "Only B has this cell.")
    assert only.b is not None and only.b.median is not None


def test_another_question_has_no_cell_in_common() -> None:
    other = one("run_b", factors={"clients": 50})
    model = compare_runs(A, other)
    assert (model.comparable, model.refused) == ("not", True)
    assert "clients is 5 in A and 50 in B" in model.reasons[0] and "a_cell" in model.reasons[0]
    pair = compare_runs(A, other, RunComparisonQuery(a_cell="c5", b_cell="c5"), OTHERS)
    assert pair.comparable == "comparable" and difference(pair, "clients").relevance == "minor"
    (row,) = pair.tables[0].rows
    assert row.verdict == "equivalent" and row.label == "Published port on 127.0.0.1, userland-proxy on"


def test_an_older_definition_has_the_default_of_a_factor_that_it_did_not_know() -> None:
    cells = tuple(
        replace(c, levels={k: v for k, v in c.levels.items() if k not in ("rate", "proxy_program")})
        for c in SLOWER.data.plan.cells
    )
    older = made_up_run(replace(SLOWER.data, plan=replace(SLOWER.data.plan, cells=cells)))
    assert compare_runs(A, older, others=OTHERS).tables[0].headline == "6 slower"


def test_two_cells_of_one_run_are_paired_by_round() -> None:
    model = compare_runs(A, A, RunComparisonQuery(a_cell="c5", b_cell="c6"))
    (row,) = model.tables[0].rows
    expected = paired_ratio(values(A, "c5"), values(A, "c6"))
    assert row.ratio == pytest.approx(expected.ratio, rel=1e-5)
    assert row.p_holm == pytest.approx(expected.p, rel=1e-5)
    assert "paired by round" in row.method and model.comparable == "comparable"
    assert row.verdict == "better" and row.sentence.startswith("B is 5") and "faster" in row.sentence
    assert row.label == (
        "Published port on 127.0.0.1, userland-proxy off against Published port on 127.0.0.1, "
        "userland-proxy on"
    )
    assert [one.key for one in model.differences] == ["userland_proxy"]
    assert not any("same rounds" in text for text in model.warnings)
    over = compare_runs(A, A, RunComparisonQuery(a_cell="c5", b_cell="c6", basis="ratios")).tables[0].rows[0]
    assert over.ratio == pytest.approx(row.ratio, rel=0.02)


def test_a_cell_against_its_duplicate_is_allowed() -> None:
    (row,) = compare_runs(A, A, RunComparisonQuery(a_cell="c1", b_cell="c1-aa")).tables[0].rows
    assert row.verdict in ("equivalent", "no_difference_shown")


def test_too_few_rounds_say_how_many_are_needed() -> None:
    model = compare_runs(one(rounds=4), one("run_b", rounds=4))
    row = model.tables[0].rows[0]
    assert row.verdict == "not_enough_rounds" and row.sentence.endswith("(needs n ≥ 5)")
    assert 6 * 2 / math.comb(10, 5) <= 0.05 < 6 * 2 / math.comb(8, 4)
    pair = compare_runs(one(rounds=4), one("run_b", rounds=4), RunComparisonQuery(a_cell="c1", b_cell="c1"))
    assert pair.tables[0].rows[0].verdict in ("equivalent", "no_difference_shown")


def test_a_cell_without_figures_is_listed_with_its_reason() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        return failed(row) if is_cell(cell, "published_loopback", True) else row

    def cannot(levels: Any) -> Obstacle | None:
        lost = levels["path"] == "sibling_container"
        return Obstacle("path", "no", "no bridge here") if lost else None

    model = compare_runs(A, one("run_b", change=spoil, infeasible=cannot), others=OTHERS)
    row = row_of(model, "Published port on 127.0.0.1, userland-proxy on")
    assert (row.verdict, row.sentence) == ("undefined", "No answer (B: no trial succeeded)")
    assert row.a is not None and row.b is not None and (row.b.n, row.b.median) == (0, None)
    assert row_of(model, "Sibling container, userland-proxy on").sentence == "No answer (B: no bridge here)"
    assert model.tables[0].headline == "3 equal, 3 without an answer"


def test_a_lost_baseline_leaves_no_ratio() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        return failed(row) if is_cell(cell, "same_container", True) else row

    row = compare_runs(A, one("run_b", change=spoil), RunComparisonQuery(basis="ratios")).tables[0].rows[0]
    assert row.sentence == "No answer (B, its baseline: no trial succeeded)"


def test_one_metric_may_be_chosen() -> None:
    model = compare_runs(A, SLOWER, RunComparisonQuery(metric="latency_avg_ms"))
    assert [table.metric for table in model.tables] == ["latency_avg_ms"]
    with pytest.raises(Invalid, match="tps"):
        compare_runs(A, SLOWER, RunComparisonQuery(metric="tpss"))
    assert (
        compare_runs(A, SLOWER, RunComparisonQuery(metric="rps"))
        .reasons[0]
        .startswith("No metric is in common")
    )


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        (RunComparisonQuery(), "/b"),
        (RunComparisonQuery(a_cell="c1"), "/b_cell"),
        (RunComparisonQuery(b_cell="c1"), "/a_cell"),
        (RunComparisonQuery(a_cell="c1", b_cell="c1"), "/b_cell"),
    ],
)
def test_a_run_against_itself_needs_two_cells(query: RunComparisonQuery, pointer: str) -> None:
    with pytest.raises(Invalid) as refused:
        compare_runs(A, A, query)
    assert refused.value.problems[0].pointer == pointer


def test_an_unknown_cell_is_not_found() -> None:
    with pytest.raises(NotFound, match="the run b has no such cell"):
        compare_runs(A, SLOWER, RunComparisonQuery(a_cell="c1", b_cell="c99"))


def test_a_suspect_run_is_reported() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        assert row.metrics is not None
        return replace(row, metrics={**row.metrics, "tps": 9_000.0}) if cell.is_duplicate else row

    suspect = one("run_b", change=spoil)
    assert build_chart(suspect.data).duplicates[0].suspect
    assert any(text.startswith("B: A/A is suspect") for text in compare_runs(A, suspect).warnings)
    assert not any("suspect" in text for text in compare_runs(A, SLOWER).warnings)


def test_numbers_have_six_digits_and_are_finite() -> None:
    text = compare_runs(A, SLOWER).model_dump_json()
    assert "NaN" not in text and "Infinity" not in text
    row = compare_runs(A, SLOWER).tables[0].rows[0]
    assert row.ratio == float(f"{row.ratio:.6g}") and row.p == float(f"{row.p:.6g}")
