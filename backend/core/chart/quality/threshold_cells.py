"""A threshold tested against one cell: its figure, its interval, and the sentence of the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.model_base import Difference, Interval
from backend.core.chart.model.quality_models import ThresholdCell, ThresholdOutcome
from backend.core.chart.quality.threshold_intervals import TestedFigure, ThresholdIntervals
from backend.core.definition.metrics import METRICS
from backend.core.definition.thresholds import Operator, Threshold
from backend.core.messages.message import message
from backend.core.statistics.amounts import signed_amounts, signed_range
from backend.core.statistics.verdict import confidence, reason_of

_PASSED: Final[dict[Operator, str]] = {
    ">=": "testedAtLeast",
    ">": "testedAbove",
    "<=": "testedAtMost",
    "<": "testedBelow",
}
_FAILED: Final[dict[Operator, str]] = {
    ">=": "testedBelow",
    ">": "testedNotAbove",
    "<=": "testedAbove",
    "<": "testedNotBelow",
}
_STATES: Final = {
    "waiting": "stateWaiting",
    "cancelled": "stateCancelled",
    "failed": "noTrialsFailed",
    "contradicted": "stateContradicted",
    "not_proven": "stateNotProven",
    "invalid": "noTrialsInvalid",
    "contaminated": "noTrialsContaminated",
    "excluded": "noTrialsExcluded",
}
_FEWEST_DIGITS: Final = 3
_MOST_DIGITS: Final = 12


def tested_figure(threshold: Threshold, cell: ChartCell) -> TestedFigure:
    """The figure of a cell that a threshold tests; by its difference where a ratio has none."""
    compared = cell.comparisons.get(threshold.metric) if threshold.of_ratio else None
    times = None if compared is None or compared.difference is None else threshold.bound
    return TestedFigure(threshold.metric, cell.id, threshold.of_ratio, times)


def judge_cell(threshold: Threshold, cell: ChartCell, intervals: ThresholdIntervals) -> ThresholdCell:
    """The outcome of a cell by its interval, which holds together with those of all tested figures."""
    figure_tested = tested_figure(threshold, cell)
    difference = intervals.differences.get(figure_tested)
    if difference is not None:
        return _test_difference(threshold, cell, difference, intervals.size)
    value, missing = _figure(threshold, cell)
    missing = intervals.not_judged.get(figure_tested, missing)
    interval = intervals.intervals.get(figure_tested)
    what = {"metric": threshold.metric, "cell": cell.label}
    if value is None:
        text = message("testedMissing", **what, reason=missing)
        return _outcome_of_cell(cell, "not_enough_evidence", None, None, text)
    unit = METRICS[threshold.metric].unit
    unit = "" if threshold.of_ratio or unit == "1/s" else f" {unit}"
    digits = _digits(threshold.bound, [value, *((interval.low, interval.high) if interval else ())])
    figure = f"{_number(value, digits)}{unit}"
    if interval is None:
        text = message("testedNoInterval", **what, value=_of_baseline(threshold, figure))
        return _outcome_of_cell(cell, "not_enough_evidence", value, None, text)
    low, high = _number(interval.low, digits), _number(interval.high, digits)
    name = confidence(intervals.size, "tested figures")
    shown = _of_baseline(threshold, message("valueCi", value=figure, ci=name, low=low, high=high))
    outcome, id_ = _outcome(threshold, interval)
    bound = f"{_number(threshold.bound, _MOST_DIGITS)}{unit}"
    text = message(id_, **what, value=shown, bound=bound, counted=_trials_behind(threshold, cell))
    return _outcome_of_cell(cell, outcome, value, interval, text)


def _outcome(threshold: Threshold, interval: Interval) -> tuple[ThresholdOutcome, str]:
    """The outcome by the interval, and the id of its sentence."""
    ends = {threshold.holds(interval.low), threshold.holds(interval.high)}
    if ends == {True}:
        return "pass", _PASSED[threshold.operator]
    if ends == {False}:
        return "fail", _FAILED[threshold.operator]
    return "not_enough_evidence", "testedOpen"


def _test_difference(threshold: Threshold, cell: ChartCell, found: Difference, size: int) -> ThresholdCell:
    """A ratio that does not exist, because a value is zero: the cell minus bound × baseline, against 0.

    Of two cells that are zero alike the ratio counts as 1 where the threshold is a strict one.
    """
    unit, times = METRICS[threshold.metric].unit, _number(threshold.bound, _MOST_DIGITS)
    what = {"metric": threshold.metric, "cell": cell.label}
    (figure,) = signed_amounts((found.value,), unit)
    if found.interval is None:
        value = message("fromTimesBaseline", value=figure, times=times)
        text = message("testedNoInterval", **what, value=value)
        return _outcome_of_cell(cell, "not_enough_evidence", None, None, text, found)
    ends = (found.interval.low, found.interval.high)
    outcome, id_ = _outcome(replace(threshold, bound=0.0), found.interval)
    if ends == (0.0, 0.0) and threshold.holds(1.0):
        outcome, id_ = "pass", "testedEqual"
    given = message(
        "valueRange", value=figure, ci=confidence(size, "tested figures"), range=signed_range(ends, unit)
    )
    value = message("fromTimesBaseline", value=given, times=times)
    (zero,) = signed_amounts((0.0,), unit)
    text = message(id_, **what, value=value, bound=zero, counted=_trials_behind(threshold, cell))
    return _outcome_of_cell(cell, outcome, None, None, text, found)


def _of_baseline(threshold: Threshold, value: str) -> str:
    return message("ofItsBaseline", value=value) if threshold.of_ratio else value


def _trials_behind(threshold: Threshold, cell: ChartCell) -> str:
    """How many of the planned trials the figures are from, where some are missing."""
    if not threshold.of_ratio:
        n, id_ = cell.summaries[threshold.metric].n, "ofTrials"
    else:
        n, id_ = cell.comparisons[threshold.metric].n, "ofRounds"
    return message(id_, n=n, of=cell.trials_planned) if n < cell.trials_planned else ""


def _outcome_of_cell(
    cell: ChartCell,
    outcome: ThresholdOutcome,
    value: float | None,
    interval: Interval | None,
    sentence: str,
    difference: Difference | None = None,
) -> ThresholdCell:
    return ThresholdCell(
        cell_id=cell.id,
        outcome=outcome,
        value=value,
        interval=interval,
        sentence=sentence,
        difference=difference,
    )


def _figure(threshold: Threshold, cell: ChartCell) -> tuple[float | None, str]:
    """The value to test, or None and the reason why there is none."""
    summary = cell.summaries.get(threshold.metric)
    if summary is None:
        return None, message("missingMetric")
    if summary.median is None:
        return None, _why_none(cell)
    if not threshold.of_ratio:
        return summary.median, ""
    comparison = cell.comparisons.get(threshold.metric)
    if comparison is None or comparison.ratio is None:
        if comparison is None:
            return None, message("missingRatio")
        return None, reason_of(comparison.sentence)
    return comparison.ratio, ""


def _why_none(cell: ChartCell) -> str:
    """Why a metric of the result has no value of this cell."""
    if cell.state in ("measured", "partial"):
        return message("noTrialYielded")
    return cell.reason or message(_STATES.get(cell.state, "noTrialYielded"))


def _digits(bound: float, values: Sequence[float]) -> int:
    """Significant digits, at least three, with which every value still is on its side of the bound."""
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS):
        if all(_side(_to_digits(value, digits), bound) == _side(value, bound) for value in values):
            return digits
    return _MOST_DIGITS


def _side(value: float, bound: float) -> int:
    return (value > bound) - (value < bound)


def _to_digits(value: float, digits: int) -> float:
    """The value with so many significant digits, but never fewer than its integer part."""
    return float(f"{value:.{digits}g}") if abs(value) < 10**digits else round(value)


def _number(value: float, digits: int) -> str:
    """A rounded number with separators of thousands."""
    rounded = _to_digits(value, digits)
    return f"{rounded:,.0f}" if rounded == round(rounded) else f"{rounded:,}"
