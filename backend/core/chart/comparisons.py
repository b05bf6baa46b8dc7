"""Each cell against its baseline: paired by round, corrected within the family of one metric."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.chart.model import Comparison, Interval
from backend.core.chart.trials import CellTrials
from backend.core.definition.metrics import METRICS
from backend.core.statistics.holm import holm
from backend.core.statistics.paired import METHOD, Bounds, RatioEstimate, Undefined, paired_ratio
from backend.core.statistics.planner import can_be_significant, rounds_needed
from backend.core.statistics.verdict import undefined, verdict

Cells = Mapping[str, CellTrials]

_NOT_COMPARABLE = {
    "contradicted": "the path is contradicted",
    "not_proven": "the path is not proven",
    "failed": "no trial succeeded",
    "cancelled": "cancelled before it was measured",
    "waiting": "not measured yet",
}


def compare_all(cells: Cells, metric: str, margin: float) -> dict[str, Comparison]:
    """The comparisons of one metric by cell id: all cells are one family, A/A duplicates another.

    A cell whose tool does not yield the metric has none.
    """
    tools = METRICS[metric].tools
    compared = [
        c
        for c in cells.values()
        if c.cell.baseline_id is not None
        and c.state != "infeasible"
        and c.cell.levels.get("tool", tools[0]) in tools
    ]
    ordinary = [c for c in compared if not c.cell.is_duplicate]
    duplicates = [c for c in compared if c.cell.is_duplicate]
    return _family(ordinary, cells, metric, margin) | _family(duplicates, cells, metric, margin)


def estimate(cell: CellTrials, baseline: CellTrials, metric: str) -> RatioEstimate:
    """The ratio cell ÷ baseline over the rounds that have both; raises Undefined with the reason."""
    for trials, who in ((baseline, "the baseline: "), (cell, "")):
        if not trials.used:
            raise Undefined(who + _NOT_COMPARABLE.get(trials.state, "no trial counts"))
    own, other = cell.values(metric), baseline.values(metric)
    rounds = sorted(own.keys() & other.keys())
    return paired_ratio([other[r] for r in rounds], [own[r] for r in rounds])


def _family(compared: list[CellTrials], cells: Cells, metric: str, margin: float) -> dict[str, Comparison]:
    estimates: dict[str, RatioEstimate] = {}
    comparisons: dict[str, Comparison] = {}
    for trials in compared:
        baseline = cells[trials.cell.baseline_id or trials.cell.id]
        try:
            estimates[trials.cell.id] = estimate(trials, baseline, metric)
        except Undefined as reason:
            comparisons[trials.cell.id] = _undefined(baseline.cell.id, str(reason))
    adjusted = holm([e.p for e in estimates.values()])
    able = can_be_significant([e.n for e in estimates.values()])
    needed = rounds_needed(len(estimates))
    for (id_, found), p_holm, enough in zip(estimates.items(), adjusted, able, strict=True):
        cell = cells[id_].cell
        comparisons[id_] = _comparison(
            cell.baseline_id or id_, cell.label, metric, found, p_holm, margin, None if enough else needed
        )
    return comparisons


def _comparison(
    baseline_id: str,
    label: str,
    metric: str,
    found: RatioEstimate,
    p_holm: float,
    margin: float,
    needed: int | None,
) -> Comparison:
    judged = verdict(METRICS[metric], label, found, p_holm, margin, needed)
    return Comparison(
        baseline_id=baseline_id,
        n=found.n,
        ratio=found.ratio,
        interval=as_interval(found.interval),
        interval_90=as_interval(found.interval_90),
        p=found.p,
        p_holm=p_holm,
        method=found.method,
        verdict=judged.kind,
        sentence=judged.sentence,
    )


def _undefined(baseline_id: str, reason: str) -> Comparison:
    judged = undefined(reason)
    return Comparison(
        baseline_id=baseline_id,
        n=0,
        ratio=None,
        interval=None,
        interval_90=None,
        p=None,
        p_holm=None,
        method=METHOD,
        verdict=judged.kind,
        sentence=judged.sentence,
    )


def as_interval(bounds: Bounds | None) -> Interval | None:
    """Bounds of a ratio as an Interval of the model."""
    return None if bounds is None else Interval(low=bounds[0], high=bounds[1])
