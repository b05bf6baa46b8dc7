"""Which cells are compared, and the comparison of two of them over the rounds that have both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from backend.core.chart.cells.replicates import paired_series
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.cells.settings import why_not_comparable
from backend.core.chart.cells.trials import CellTrials
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import message
from backend.core.statistics.compared_pair import Estimate
from backend.core.statistics.family import family_estimates
from backend.core.statistics.paired import Undefined

_WITHOUT_TRIALS: Final = {
    "contradicted": "noTrialsContradicted",
    "not_proven": "noTrialsNotProven",
    "invalid": "noTrialsInvalid",
    "contaminated": "noTrialsContaminated",
    "excluded": "noTrialsExcluded",
    "failed": "noTrialsFailed",
    "cancelled": "noTrialsCancelled",
    "waiting": "noTrialsWaiting",
}


def why_without_trials(trials: CellTrials) -> str | None:
    """The reason why no trial of the cell counts; None where one does."""
    if trials.used:
        return None
    return trials.cell.infeasible or message(_WITHOUT_TRIALS.get(trials.state, "noTrialCounts"))


def compared(cells: Iterable[CellTrials], metric: str) -> list[CellTrials]:
    """The cells that have a comparison of this metric: feasible, and they and their baseline yield it."""
    every = list(cells)
    yielding = {c.cell.id for c in every if METRICS[metric].applies(c.cell.levels)}
    return [
        c
        for c in every
        if c.cell.infeasible is None and c.cell.id in yielding and c.cell.baseline_id in yielding
    ]


def deciding_metrics(cells: Cells, metrics: Sequence[str]) -> dict[str, str]:
    """The deciding metric of each compared cell: the first that it has a comparison of."""
    found: dict[str, str] = {}
    for metric in metrics:
        for trials in compared(cells.values(), metric):
            found.setdefault(trials.cell.id, metric)
    return found


def compare_family(
    ids: Iterable[str], cells: Cells, metric: str, analyses: int = 1
) -> dict[str, Estimate | Undefined]:
    """These cells against their baselines as one family: ratios, and differences where there is no ratio.

    By cell id; Undefined with its reason where there is neither, and then no member of the family.
    Each of the planned `analyses` is tested at 5 % ÷ `analyses`.
    """
    found: dict[str, Estimate | Undefined] = {}
    pairs: dict[str, tuple[Mapping[int, float], Mapping[int, float]]] = {}
    for id_ in ids:
        try:
            pairs[id_] = series_of_pair(cells[id_], cells, metric)
            found[id_] = Undefined()
        except Undefined as reason:
            found[id_] = reason
    bases, others = ([pair[side] for pair in pairs.values()] for side in (0, 1))
    return found | dict(zip(pairs, family_estimates(bases, others, analyses), strict=True))


def pair(cell: CellTrials, cells: Cells, metric: str, analyses: int = 1) -> Estimate:
    """A cell against its baseline over the rounds that have both; raises Undefined with the reason.

    Of two cells with a server each, rounds of the same starts are one value (`replicates`). The intervals
    hold over all `analyses`.
    """
    other, own = series_of_pair(cell, cells, metric)
    (found,) = family_estimates([other], [own], analyses)
    if isinstance(found, Undefined):
        raise found
    return found


def series_of_pair(
    cell: CellTrials, cells: Cells, metric: str
) -> tuple[Mapping[int, float], Mapping[int, float]]:
    """The independent values of the baseline and of the cell, by round (`replicates`).

    Raises Undefined where one of them has no trial that counts or some that lack the metric, and where their
    logs have other settings.
    """
    baseline = cells[cell.cell.baseline_id or cell.cell.id]
    for trials, of_baseline in ((baseline, True), (cell, False)):
        reason = why_without_trials(trials) or trials.why_not_judged(metric)
        if reason is not None:
            raise Undefined(message("ofTheBaseline", reason=reason) if of_baseline else reason)
    if (reason := why_not_comparable(cell, baseline)) is not None:
        raise Undefined(reason)
    return paired_series(cell, baseline, metric)
