"""Thresholds tested against a run by intervals, never by point estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.model_base import Interval
from backend.core.chart.model.quality_models import ThresholdCell, ThresholdReport
from backend.core.chart.quality.threshold_intervals import TestedFigure, ThresholdIntervals
from backend.core.chart.quality.thresholds import judge_thresholds
from backend.core.plan.model import Cell, Obstacle
from tests.core.chart.runs import failed, is_cell, made_up, study_experiment

CELLS = build_chart(made_up()).cells
PUBLISHED = " for path=published_loopback, userland_proxy=true"


def own_intervals(cells: Sequence[ChartCell]) -> Callable[[Sequence[TestedFigure]], ThresholdIntervals]:
    """The intervals that the cells have by themselves, as if each figure were the only one."""
    by_id = {cell.id: cell for cell in cells}

    def own(figure: TestedFigure) -> Interval | None:
        cell = by_id[figure.cell_id]
        shown = cell.comparisons if figure.of_ratio else cell.summaries
        return shown[figure.metric].interval

    return lambda figures: ThresholdIntervals(1, {j: found for j in figures if (found := own(j)) is not None})


def gate(*thresholds: str, cells: tuple[ChartCell, ...] = CELLS) -> ThresholdReport:
    found = judge_thresholds(thresholds, cells, own_intervals(cells))
    assert found is not None
    return found


def only(threshold: str, cells: tuple[ChartCell, ...] = CELLS) -> ThresholdCell:
    (rule,) = gate(threshold, cells=cells).rules
    (cell,) = rule.cells
    assert cell.outcome == rule.outcome
    return cell


def with_interval(value: float, low: float, high: float) -> tuple[ChartCell, ...]:
    """The published cell alone, with this ratio to its baseline."""
    cell = next(c for c in CELLS if c.label == "Published port on 127.0.0.1, userland-proxy on")
    found = cell.comparisons["tps"].model_copy(
        update={"ratio": value, "interval": Interval(low=low, high=high)}
    )
    return (cell.model_copy(update={"comparisons": {**cell.comparisons, "tps": found}}),)


def test_without_thresholds_there_is_no_gate() -> None:
    assert judge_thresholds((), CELLS, own_intervals(CELLS)) is None


def test_a_cell_below_its_threshold_fails_with_its_figures() -> None:
    cell = only("ratio(tps, baseline) >= 0.95", with_interval(0.428, 0.395, 0.451))
    assert (cell.outcome, cell.value) == ("fail", 0.428)
    assert cell.sentence == (
        "tps of Published port on 127.0.0.1, userland-proxy on is 0.428 (95 % CI 0.395 to "
        "0.451) of its baseline: below 0.95."
    )


@pytest.mark.parametrize(
    ("operator", "low", "high", "outcome", "words"),
    [
        (">=", 0.95, 0.99, "pass", ": at least 0.95."),
        (">", 0.95, 0.99, "not_enough_evidence", "0.95 lies within the interval"),
        (">", 0.96, 0.99, "pass", ": above 0.95."),
        (">=", 0.90, 0.9499, "fail", "0.9 to 0.9499) of its baseline: below 0.95."),
        (">", 0.90, 0.95, "fail", ": not above 0.95."),
        (">=", 0.90, 0.95, "not_enough_evidence", "0.95 lies within the interval"),
        ("<=", 0.90, 0.95, "pass", ": at most 0.95."),
        ("<", 0.90, 0.95, "not_enough_evidence", "0.95 lies within the interval"),
        ("<", 0.95, 0.99, "fail", ": not below 0.95."),
        ("<=", 0.9500004, 0.99, "fail", "(95 % CI 0.9500004 to 0.99)"),
    ],
)
def test_the_interval_decides(operator: str, low: float, high: float, outcome: str, words: str) -> None:
    cell = only(f"ratio(tps, baseline) {operator} 0.95", with_interval((low + high) / 2, low, high))
    assert cell.outcome == outcome and words in cell.sentence


def test_plain_thresholds_concern_the_baseline_too_and_ratios_do_not() -> None:
    plain, ratio = gate("cpu_us_per_txn < 1000", "ratio(tps, baseline) < 2").rules
    assert {cell.cell_id for cell in plain.cells} == {c.id for c in CELLS if not c.is_duplicate}
    assert len(ratio.cells) == len(plain.cells) - 1
    assert plain.outcome == ratio.outcome == "pass"
    assert plain.sentence == "6 cells: 6 pass." and ratio.sentence == "5 cells: 5 pass."
    assert " µs (95 % CI" in plain.cells[0].sentence and plain.cells[0].sentence.endswith("below 1,000 µs.")


def test_one_cell_that_fails_fails_rule_and_gate() -> None:
    found = gate("ratio(tps, baseline) >= 0.7", "tps > 1")
    assert [rule.outcome for rule in found.rules] == ["fail", "pass"] and found.outcome == "fail"
    assert found.rules[0].sentence == "5 cells: 1 fails, 4 pass."
    assert gate("tps > 1").outcome == "pass"


def test_levels_choose_the_cells() -> None:
    assert only("tps >= 9000" + PUBLISHED).outcome == "pass"
    (rule,) = gate("ratio(tps, baseline) >= 0.5 for path=same_container, userland_proxy=true").rules
    assert (rule.outcome, rule.cells) == ("not_enough_evidence", ())
    assert rule.sentence == (
        "No cell with path=same_container, userland_proxy=true has a baseline and yields tps, "
        "so nothing is tested."
    )


def test_a_metric_that_the_run_does_not_have_is_not_tested() -> None:
    """It is in the definition, else its threshold would be refused: an import whose logs do not print it."""
    cell = only("cpu_cores < 3" + PUBLISHED)
    assert cell.outcome == "not_enough_evidence"
    assert cell.sentence == (
        "cpu_cores of Published port on 127.0.0.1, userland-proxy on: the run has no value of it."
    )
    assert gate("rps > 3").rules[0].sentence == "No cell yields rps, so nothing is tested."


def test_too_few_rounds_have_no_interval() -> None:
    cells = build_chart(made_up(study_experiment(rounds=4))).cells
    cell = only("ratio(tps, baseline) >= 0.1" + PUBLISHED, cells)
    assert cell.outcome == "not_enough_evidence" and cell.value is not None and cell.interval is None
    assert cell.sentence.endswith("of its baseline, without an interval: too few rounds to decide.")


def test_a_cell_without_figures_says_why() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        if is_cell(cell, "published_loopback", True):
            return failed(row)
        if is_cell(cell, "published_loopback", False):
            return replace(row, evidence="contradicted")
        return row

    cells = build_chart(made_up(change=spoil)).cells
    assert "10 of 10 trials failed: timeout" in only("tps > 1" + PUBLISHED, cells).sentence
    contradicted = only("tps > 1 for path=published_loopback, userland_proxy=false", cells)
    assert "the path of the label is contradicted" in contradicted.sentence
    assert gate("tps > 1", cells=cells).outcome == "not_enough_evidence"


def test_a_lost_baseline_is_reported_for_each_ratio() -> None:
    cells = build_chart(
        made_up(change=lambda row, cell: failed(row) if is_cell(cell, "same_container", True) else row)
    ).cells
    cell = only("ratio(tps, baseline) >= 0.1" + PUBLISHED, cells)
    assert cell.sentence == (
        "tps of Published port on 127.0.0.1, userland-proxy on: the baseline: no trial succeeded."
    )


def test_infeasible_cells_are_left_out_and_reported() -> None:
    def cannot(levels: object) -> Obstacle | None:
        lost = isinstance(levels, dict) and levels["path"] == "published_loopback"
        return Obstacle("path", "no_port", "no free port") if lost else None

    cells = build_chart(made_up(infeasible=cannot)).cells
    (rule,) = gate("tps > 1", cells=cells).rules
    assert rule.outcome == "pass" and len(rule.cells) == 4
    assert rule.sentence == (
        "4 cells: 4 pass. Left out, because they cannot run: Published port on 127.0.0.1, "
        "userland-proxy on (no free port); "
        "Published port on 127.0.0.1, userland-proxy off (no free port)."
    )
    (rule,) = gate("tps > 1" + PUBLISHED, cells=cells).rules
    assert rule.outcome == "not_enough_evidence" and rule.sentence.startswith("No cell that can run")


def without_cpu(row: TrialRow) -> TrialRow:
    return replace(row, metrics={"tps": (row.metrics or {})["tps"]}, cpu=None)


def test_a_metric_that_no_trial_of_a_measured_cell_yielded_is_reported_as_that() -> None:
    """Neither evidence nor the one trial that failed is why it is not there."""
    bare = made_up(change=lambda row, _: replace(without_cpu(row), evidence=None))
    imported = build_chart(replace(bare, origin="imported")).cells
    lost = build_chart(made_up(change=lambda row, _: failed(row) if row.round == 1 else without_cpu(row)))
    for cells in (imported, lost.cells):
        cell = only("cpu_us_per_txn < 1000" + PUBLISHED, cells)
        assert cell.sentence == (
            "cpu_us_per_txn of Published port on 127.0.0.1, userland-proxy on: no trial yielded it."
        )


def test_figures_of_fewer_trials_than_planned_have_their_number() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        return failed(row) if row.round > 8 and is_cell(cell, "published_loopback", True) else row

    cells = build_chart(made_up(change=spoil)).cells
    for threshold, outcome in (("tps >= 9000", "pass"), ("tps >= 12000", "fail")):
        cell = only(threshold + PUBLISHED, cells)
        assert cell.outcome == outcome and cell.sentence.endswith("000 (8 of 10 trials).")
    assert only("ratio(tps, baseline) > 0.5" + PUBLISHED, cells).sentence.endswith("0.5 (8 of 10 rounds).")
    assert only("tps >= 9000 for path=published_loopback, userland_proxy=false", cells).sentence.endswith(
        "00."
    )


def test_a_suspect_run_is_told_at_its_thresholds() -> None:
    def spoil(row: TrialRow, cell: Cell) -> TrialRow:
        metrics = dict(row.metrics or {})
        return replace(row, metrics=metrics | {"tps": metrics["tps"] * 1.2}) if cell.is_duplicate else row

    model = build_chart(made_up(change=spoil))
    found = judge_thresholds(
        ["tps > 1", "tps > 1e9"], model.cells, own_intervals(model.cells), model.duplicates
    )
    assert found is not None and found.outcome == "fail"
    passed, missed = found.rules
    assert (passed.outcome, missed.outcome) == ("not_enough_evidence", "fail")
    assert passed.sentence == f"6 cells: 6 pass. {model.trust} The threshold therefore does not pass."
    assert missed.sentence == f"6 cells: 6 fail. {model.trust}"


def test_thresholds_are_judged_by_intervals_over_all_tested_figures_of_the_run() -> None:
    document = ["tps >= 1", "ratio(tps, baseline) >= 0.01", "ratio(tps, baseline) <= 9"]
    model = build_chart(made_up(study_experiment(thresholds=document)))
    assert model.gate is not None
    plain, low, high = model.gate.rules
    assert plain.sentence.endswith("6 pass. Intervals hold 95 % over all 11 tested figures.")
    by_id = {cell.id: cell for cell in model.cells}
    for one, other in zip(low.cells, high.cells, strict=True):
        assert one.interval == other.interval, "two thresholds on one ratio judge one interval"
        own = by_id[one.cell_id].comparisons["tps"].interval_unadjusted
        assert one.interval is not None and own is not None
        assert one.interval.low <= own.low and own.high <= one.interval.high
        assert "(95 % simultaneous CI of 11 tested figures " in one.sentence
    for cell in plain.cells:
        alone = by_id[cell.cell_id].summaries["tps"].interval
        assert cell.interval is not None and alone is not None
        assert cell.interval.low <= alone.low and alone.high <= cell.interval.high
