"""Each cell against its baseline: paired by round, with simultaneous intervals over one metric's family."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from backend.core.chart.cells.pairing import compare_family, compared, pair
from backend.core.chart.cells.replicates import served_by
from backend.core.chart.cells.trials import Cells, CellTrials
from backend.core.chart.model.cell_models import Comparison
from backend.core.chart.model.model_base import as_interval
from backend.core.definition.metrics import METRICS
from backend.core.plan.power import rounds_needed
from backend.core.statistics.interim import adjust
from backend.core.statistics.paired import METHOD, RatioEstimate, Undefined
from backend.core.statistics.verdict import undefined, verdict


@dataclass(frozen=True)
class CorrectedRatio:
    """One comparison of one metric as the looks have left it.

    `estimate` has simultaneous intervals over its family and all looks, and the adjusted p that belongs to
    them; None where no ratio exists, and `reason` then says why. It is that of the look that decided the
    cell, else of all rounds so far; so is `p_holm`, Holm's value. `needed` is what `statistics.verdict`
    takes.
    """

    estimate: RatioEstimate | None
    reason: str | None = None
    p_holm: float | None = None
    needed: int | None = None


def correct_family(
    found: Mapping[str, RatioEstimate | Undefined], looks: int = 1, rejected: Collection[str] = ()
) -> dict[str, CorrectedRatio]:
    """The comparisons of one family by cell id; Holm's value counts the `rejected` as 0 (`statistics.looks`).

    Where no outcome could be significant, so many rounds are needed as are certain to be enough.
    """
    estimates = {id_: one for id_, one in found.items() if isinstance(one, RatioEstimate)}
    past = {place for place, id_ in enumerate(estimates) if id_ in rejected}
    adjusted = adjust([e.p for e in estimates.values()], looks, past)
    needed = rounds_needed(looks * len(estimates)) if estimates else None
    stand = {id_: CorrectedRatio(None, str(one)) for id_, one in found.items() if isinstance(one, Undefined)}
    for (id_, one), p_holm in zip(estimates.items(), adjusted, strict=True):
        stand[id_] = CorrectedRatio(one, None, p_holm, needed if one.interval is None else None)
    return stand


def compare_all(cells: Cells, metric: str, margin: float, analyses: int = 1) -> dict[str, Comparison]:
    """The comparisons of one metric by cell id: all cells are one family, A/A duplicates another.

    A cell whose tool does not yield the metric has none.
    """
    families: dict[bool, list[str]] = {False: [], True: []}
    for trials in compared(cells.values(), metric):
        families[trials.cell.is_duplicate].append(trials.cell.id)
    found: dict[str, CorrectedRatio] = {}
    for ids in families.values():
        found |= correct_family(compare_family(ids, cells, metric, analyses), analyses)
    return as_comparisons(found, cells, metric, margin)


def as_comparisons(
    ratios: Mapping[str, CorrectedRatio], cells: Cells, metric: str, margin: float
) -> dict[str, Comparison]:
    """Comparisons with their verdicts, of ratios whose p-values are corrected already."""
    return {
        id_: _comparison(cells[id_], metric, found, margin).model_copy(
            update={"server": served_by(cells[id_], cells[cells[id_].cell.baseline_id or id_])}
        )
        for id_, found in ratios.items()
    }


def estimate(cell: CellTrials, baseline: CellTrials, metric: str) -> RatioEstimate:
    """The ratio cell ÷ baseline over the rounds that have both; raises Undefined with the reason."""
    return pair(cell, {cell.cell.baseline_id or cell.cell.id: baseline}, metric)


def _comparison(trials: CellTrials, metric: str, standing: CorrectedRatio, margin: float) -> Comparison:
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
