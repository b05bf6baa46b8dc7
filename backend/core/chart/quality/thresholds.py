"""The thresholds of a definition tested against a run: pass, fail, or not enough evidence.

The interval decides, never the point estimate alone: a cell passes where its 95 % interval lies wholly on the
right side of the bound, and fails where it lies wholly on the wrong one. The intervals hold simultaneously
over all tested figures of the run (`threshold_intervals`): a run exactly at its bounds fails in at most 5 %
of runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.model_base import Difference, Interval
from backend.core.chart.model.quality_models import (
    DuplicateCheck,
    ThresholdCell,
    ThresholdOutcome,
    ThresholdReport,
    ThresholdRule,
)
from backend.core.chart.quality.aa_check import qualification
from backend.core.chart.quality.threshold_intervals import TestedFigure, ThresholdIntervals
from backend.core.definition.metrics import METRICS
from backend.core.definition.thresholds import Operator, Threshold, parse_threshold
from backend.core.messages.message import joined, message, parts_of
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

Intervals = Callable[[Sequence[TestedFigure]], ThresholdIntervals]


def judge_thresholds(
    thresholds: Sequence[str],
    cells: Sequence[ChartCell],
    intervals: Intervals,
    checks: Sequence[DuplicateCheck] = (),
) -> ThresholdReport | None:
    """The thresholds tested against unrounded cells; None where there are none.

    `intervals` gives the intervals of all tested figures together. Each text is one that `parse_threshold`
    takes, which the definition has checked. Where an A/A check is suspect no threshold passes, because it may
    hold by a fault of the measurement alone; one that fails, fails.
    """
    if not thresholds:
        return None
    parsed = [parse_threshold(text) for text in thresholds]
    together = intervals([figure for threshold in parsed for figure in _tested_figures(threshold, cells)])
    rules = tuple(_trusted(_rule(threshold, cells, together), checks) for threshold in parsed)
    return ThresholdReport(outcome=_together([rule.outcome for rule in rules]), rules=rules)


def _tested_figures(threshold: Threshold, cells: Sequence[ChartCell]) -> Iterator[TestedFigure]:
    """The figures that a threshold tests: those of the cells that it concerns, as far as they have any."""
    for cell in cells:
        if _concerns(threshold, cell) and cell.state != "infeasible":
            figure = _tested_figure(threshold, cell)
            summary = cell.summaries.get(threshold.metric)
            if figure.times is not None or (summary is not None and summary.n > 0):
                yield figure


def _tested_figure(threshold: Threshold, cell: ChartCell) -> TestedFigure:
    compared = cell.comparisons.get(threshold.metric) if threshold.of_ratio else None
    times = None if compared is None or compared.difference is None else threshold.bound
    return TestedFigure(threshold.metric, cell.id, threshold.of_ratio, times)


def _trusted(rule: ThresholdRule, checks: Sequence[DuplicateCheck]) -> ThresholdRule:
    """The rule with the qualification of the A/A checks, where it has tested any cell."""
    trust = qualification(checks)
    if trust is None or not rule.cells:
        return rule
    suspect = any(check.outcome == "suspect" for check in checks)
    may_not_pass = suspect and rule.outcome == "pass"
    therefore = message("thresholdSuspect") if may_not_pass else None
    outcome: ThresholdOutcome = "not_enough_evidence" if may_not_pass else rule.outcome
    sentence = joined((rule.sentence, trust, therefore))
    return rule.model_copy(update={"outcome": outcome, "sentence": sentence, "message": parts_of(sentence)})


def _together(outcomes: Sequence[ThresholdOutcome]) -> ThresholdOutcome:
    """Fails where one fails, passes where all pass; nothing at all is not enough evidence."""
    if "fail" in outcomes:
        return "fail"
    return "pass" if outcomes and set(outcomes) == {"pass"} else "not_enough_evidence"


def _rule(threshold: Threshold, cells: Sequence[ChartCell], together: ThresholdIntervals) -> ThresholdRule:
    concerned = [cell for cell in cells if _concerns(threshold, cell)]
    feasible = [cell for cell in concerned if cell.state != "infeasible"]
    tested = tuple(_test_cell(threshold, cell, together) for cell in feasible)
    outcome = _together([cell.outcome for cell in tested])
    family = message("thresholdFamily", n=together.size) if tested and together.size > 1 else None
    sentence = _count(threshold, tested, [cell for cell in concerned if cell.state == "infeasible"])
    return ThresholdRule(
        threshold=threshold.text,
        metric=threshold.metric,
        outcome=outcome,
        sentence=joined((sentence, family)),
        cells=tested,
    )


def _concerns(threshold: Threshold, cell: ChartCell) -> bool:
    if cell.is_duplicate or (threshold.of_ratio and cell.is_baseline):
        return False
    return METRICS[threshold.metric].applies(cell.levels) and threshold.concerns(cell.levels)


def _count(threshold: Threshold, tested: Sequence[ThresholdCell], infeasible: Sequence[ChartCell]) -> str:
    """How many cells came out how, and which are left out."""
    count = Counter(cell.outcome for cell in tested)
    fail, open_, passed = count["fail"], count["not_enough_evidence"], count["pass"]
    parts = [
        message("thresholdFails", count=fail) if fail else None,
        message("thresholdOpen", n=open_) if open_ else None,
        message("thresholdPasses", count=passed) if passed else None,
    ]
    if tested:
        text: str = message("thresholdCells", count=len(tested), parts=joined(parts, "comma"))
    else:
        text = _none_tested(threshold, bool(infeasible))
    reasons = joined((_because(cell) for cell in infeasible), "semicolon")
    return joined((text, message("thresholdLeftOut", cells=reasons) if reasons else None))


def _because(cell: ChartCell) -> str:
    return message("labelBecause", label=cell.label, reason=cell.reason or message("cannotRunHere"))


def _none_tested(threshold: Threshold, infeasible: bool) -> str:
    if infeasible:
        return message("thresholdNoneRuns")
    id_ = "thresholdNoneRatio" if threshold.of_ratio else "thresholdNoneYields"
    if threshold.levels:
        levels = ", ".join(threshold.level_texts)
        return message(f"{id_}With", levels=levels, metric=threshold.metric)
    return message(id_, metric=threshold.metric)


def _test_cell(threshold: Threshold, cell: ChartCell, together: ThresholdIntervals) -> ThresholdCell:
    figure_tested = _tested_figure(threshold, cell)
    difference = together.differences.get(figure_tested)
    if difference is not None:
        return _test_difference(threshold, cell, difference, together.size)
    value, missing = _figure(threshold, cell)
    missing = together.not_judged.get(figure_tested, missing)
    interval = together.intervals.get(figure_tested)
    what = {"metric": threshold.metric, "cell": cell.label}
    if value is None:
        text = message("testedMissing", **what, reason=missing)
        return _given(cell, "not_enough_evidence", None, None, text)
    unit = METRICS[threshold.metric].unit
    unit = "" if threshold.of_ratio or unit == "1/s" else f" {unit}"
    digits = _digits(threshold.bound, [value, *((interval.low, interval.high) if interval else ())])
    figure = f"{_number(value, digits)}{unit}"
    if interval is None:
        text = message("testedNoInterval", **what, value=_of_baseline(threshold, figure))
        return _given(cell, "not_enough_evidence", value, None, text)
    low, high = _number(interval.low, digits), _number(interval.high, digits)
    name = confidence(together.size, "tested figures")
    shown = _of_baseline(threshold, message("valueCi", value=figure, ci=name, low=low, high=high))
    outcome, id_ = _outcome(threshold, interval)
    bound = f"{_number(threshold.bound, _MOST_DIGITS)}{unit}"
    text = message(id_, **what, value=shown, bound=bound, counted=_counted(threshold, cell))
    return _given(cell, outcome, value, interval, text)


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
        return _given(cell, "not_enough_evidence", None, None, text, found)
    ends = (found.interval.low, found.interval.high)
    outcome, id_ = _outcome(replace(threshold, bound=0.0), found.interval)
    if ends == (0.0, 0.0) and threshold.holds(1.0):
        outcome, id_ = "pass", "testedEqual"
    given = message(
        "valueRange", value=figure, ci=confidence(size, "tested figures"), range=signed_range(ends, unit)
    )
    value = message("fromTimesBaseline", value=given, times=times)
    (zero,) = signed_amounts((0.0,), unit)
    text = message(id_, **what, value=value, bound=zero, counted=_counted(threshold, cell))
    return _given(cell, outcome, None, None, text, found)


def _of_baseline(threshold: Threshold, value: str) -> str:
    return message("ofItsBaseline", value=value) if threshold.of_ratio else value


def _counted(threshold: Threshold, cell: ChartCell) -> str:
    """How many of the planned trials the figures are from, where some are missing."""
    if not threshold.of_ratio:
        n, id_ = cell.summaries[threshold.metric].n, "ofTrials"
    else:
        n, id_ = cell.comparisons[threshold.metric].n, "ofRounds"
    return message(id_, n=n, of=cell.trials_planned) if n < cell.trials_planned else ""


def _given(
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
        if all(_side(_rounded(value, digits), bound) == _side(value, bound) for value in values):
            return digits
    return _MOST_DIGITS


def _side(value: float, bound: float) -> int:
    return (value > bound) - (value < bound)


def _rounded(value: float, digits: int) -> float:
    """The value with so many significant digits, but never fewer than its integer part."""
    return float(f"{value:.{digits}g}") if abs(value) < 10**digits else round(value)


def _number(value: float, digits: int) -> str:
    """A rounded number with separators of thousands."""
    rounded = _rounded(value, digits)
    return f"{rounded:,.0f}" if rounded == round(rounded) else f"{rounded:,}"
