"""Each cell against its baseline: paired by round, corrected within the family of one metric."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.chart.looking import Standing
from backend.core.chart.model import Comparison, Interval
from backend.core.chart.pairs import Cells, compared, pair
from backend.core.chart.trials import CellTrials
from backend.core.definition.metrics import METRICS
from backend.core.statistics.holm import holm
from backend.core.statistics.paired import METHOD, Bounds, RatioEstimate, Undefined
from backend.core.statistics.planner import can_be_significant, rounds_needed
from backend.core.statistics.verdict import undefined, verdict


def compare_all(cells: Cells, metric: str, margin: float) -> dict[str, Comparison]:
    """The comparisons of one metric by cell id: all cells are one family, A/A duplicates another.

    A cell whose tool does not yield the metric has none.
    """
    ordinary: list[CellTrials] = []
    duplicates: list[CellTrials] = []
    for trials in compared(cells.values(), metric):
        (duplicates if trials.cell.is_duplicate else ordinary).append(trials)
    standings = _family(ordinary, cells, metric) | _family(duplicates, cells, metric)
    return as_comparisons(standings, cells, metric, margin)


def as_comparisons(
    standings: Mapping[str, Standing], cells: Cells, metric: str, margin: float
) -> dict[str, Comparison]:
    """Comparisons with their verdicts, of ratios whose p-values are corrected already."""
    return {id_: _comparison(cells[id_], metric, found, margin) for id_, found in standings.items()}


def estimate(cell: CellTrials, baseline: CellTrials, metric: str) -> RatioEstimate:
    """The ratio cell ÷ baseline over the rounds that have both; raises Undefined with the reason."""
    return pair(cell, {cell.cell.baseline_id or cell.cell.id: baseline}, metric)


def _family(family: list[CellTrials], cells: Cells, metric: str) -> dict[str, Standing]:
    """The comparisons of one family, tested once, with Holm's correction."""
    estimates: dict[str, RatioEstimate] = {}
    standings: dict[str, Standing] = {}
    for trials in family:
        try:
            estimates[trials.cell.id] = pair(trials, cells, metric)
        except Undefined as reason:
            standings[trials.cell.id] = Standing(None, str(reason))
    adjusted = holm([e.p for e in estimates.values()])
    able = can_be_significant([e.n for e in estimates.values()])
    needed = rounds_needed(len(estimates))
    for (id_, found), p_holm, enough in zip(estimates.items(), adjusted, able, strict=True):
        standings[id_] = Standing(found, None, p_holm, None if enough else needed)
    return standings


def _comparison(trials: CellTrials, metric: str, standing: Standing, margin: float) -> Comparison:
    baseline_id = trials.cell.baseline_id or trials.cell.id
    found, p_holm = standing.estimate, standing.p_holm
    if found is None or p_holm is None:
        return _undefined(baseline_id, standing.reason or "no ratio exists")
    judged = verdict(METRICS[metric], trials.cell.label, found, p_holm, margin, standing.needed)
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
