"""The thresholds of a definition tested against a run: pass, fail, or not enough evidence.

The interval decides, never the point estimate alone: a cell passes where its 95 % interval lies wholly on the
right side of the bound, and fails where it lies wholly on the wrong one. The intervals hold simultaneously
over all tested figures of the run (`threshold_intervals`): a run exactly at its bounds fails in at most 5 %
of runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.quality_models import (
    DuplicateCheck,
    ThresholdCell,
    ThresholdOutcome,
    ThresholdReport,
    ThresholdRule,
)
from backend.core.chart.quality.aa_check import qualification
from backend.core.chart.quality.threshold_cells import judge_cell, tested_figure
from backend.core.chart.quality.threshold_intervals import TestedFigure, ThresholdIntervals
from backend.core.definition.metrics import METRICS
from backend.core.definition.thresholds import Threshold, parse_threshold
from backend.core.messages.message import joined, message, parts_of

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
    found = intervals([figure for threshold in parsed for figure in _tested_figures(threshold, cells)])
    rules = tuple(_trusted(_rule(threshold, cells, found), checks) for threshold in parsed)
    return ThresholdReport(outcome=_combined_outcome([rule.outcome for rule in rules]), rules=rules)


def _tested_figures(threshold: Threshold, cells: Sequence[ChartCell]) -> Iterator[TestedFigure]:
    """The figures that a threshold tests: those of the cells that it concerns, as far as they have any."""
    for cell in cells:
        if _concerns(threshold, cell) and cell.state != "infeasible":
            figure = tested_figure(threshold, cell)
            summary = cell.summaries.get(threshold.metric)
            if figure.times is not None or (summary is not None and summary.n > 0):
                yield figure


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


def _combined_outcome(outcomes: Sequence[ThresholdOutcome]) -> ThresholdOutcome:
    """Fails where one fails, passes where all pass; nothing at all is not enough evidence."""
    if "fail" in outcomes:
        return "fail"
    return "pass" if outcomes and set(outcomes) == {"pass"} else "not_enough_evidence"


def _rule(threshold: Threshold, cells: Sequence[ChartCell], intervals: ThresholdIntervals) -> ThresholdRule:
    concerned = [cell for cell in cells if _concerns(threshold, cell)]
    feasible = [cell for cell in concerned if cell.state != "infeasible"]
    tested = tuple(judge_cell(threshold, cell, intervals) for cell in feasible)
    outcome = _combined_outcome([cell.outcome for cell in tested])
    family = message("thresholdFamily", n=intervals.size) if tested and intervals.size > 1 else None
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
