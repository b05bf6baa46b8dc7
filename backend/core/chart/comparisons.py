"""Each cell against its baseline: paired by round, with simultaneous intervals over one metric's family."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.chart.looking import Standing, standings
from backend.core.chart.model import Comparison, Interval
from backend.core.chart.pairs import Cells, compare_family, compared, pair
from backend.core.chart.replicates import served_by
from backend.core.chart.trials import CellTrials
from backend.core.definition.metrics import METRICS
from backend.core.statistics.paired import METHOD, Bounds, RatioEstimate
from backend.core.statistics.verdict import undefined, verdict


def compare_all(cells: Cells, metric: str, margin: float, analyses: int = 1) -> dict[str, Comparison]:
    """The comparisons of one metric by cell id: all cells are one family, A/A duplicates another.

    A cell whose tool does not yield the metric has none.
    """
    families: dict[bool, list[str]] = {False: [], True: []}
    for trials in compared(cells.values(), metric):
        families[trials.cell.is_duplicate].append(trials.cell.id)
    found: dict[str, Standing] = {}
    for ids in families.values():
        found |= standings(compare_family(ids, cells, metric, analyses), analyses)
    return as_comparisons(found, cells, metric, margin)


def as_comparisons(
    standings: Mapping[str, Standing], cells: Cells, metric: str, margin: float
) -> dict[str, Comparison]:
    """Comparisons with their verdicts, of ratios whose p-values are corrected already."""
    return {
        id_: _comparison(cells[id_], metric, found, margin).model_copy(
            update={"server": served_by(cells[id_], cells[cells[id_].cell.baseline_id or id_])}
        )
        for id_, found in standings.items()
    }


def estimate(cell: CellTrials, baseline: CellTrials, metric: str) -> RatioEstimate:
    """The ratio cell ÷ baseline over the rounds that have both; raises Undefined with the reason."""
    return pair(cell, {cell.cell.baseline_id or cell.cell.id: baseline}, metric)


def _comparison(trials: CellTrials, metric: str, standing: Standing, margin: float) -> Comparison:
    baseline_id = trials.cell.baseline_id or trials.cell.id
    found = standing.estimate
    if found is None or found.p_adjusted is None:
        return _undefined(baseline_id, standing.reason or "no ratio exists")
    judged = verdict(METRICS[metric], trials.cell.label, found, found.p_adjusted, margin, standing.needed)
    return Comparison(
        baseline_id=baseline_id,
        n=found.n,
        ratio=found.ratio,
        interval=as_interval(found.interval),
        interval_90=as_interval(found.interval_90),
        p=found.p,
        p_holm=standing.p_holm,
        p_adjusted=found.p_adjusted,
        family=found.family,
        interval_unadjusted=as_interval(found.interval_unadjusted),
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
