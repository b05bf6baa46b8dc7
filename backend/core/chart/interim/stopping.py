"""For how many analyses a result is corrected: the planned ones, every round of a cancelled run, and more for
a run that extends another one (`core.plan.extension`).

Whoever watches a run and cancels it has chosen the moment by the results: optional stopping. The verdicts of
such a run are corrected as if it had been analysed after every round at which anything could have been
decided (Bonferroni over those rounds, which holds for any rule of stopping). Failed trials are not chosen by
results: an incomplete run is analysed as planned.
"""

from __future__ import annotations

from dataclasses import replace

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.run_cells import Cells, rounds_complete
from backend.core.chart.cells.trials import CellTrials
from backend.core.messages.message import message
from backend.core.plan.extension import analyses_of
from backend.core.plan.interim import last_round
from backend.core.plan.power import max_comparisons

CANCELLED = "cancelled"


def analyses_to_correct_for(data: ChartInput, taken: int = 0) -> int:
    """The number of analyses over which intervals and p-values hold, after `taken` interim analyses."""
    chosen = 1 if data.plan.extension is None else analyses_of(data.plan.extension.number)
    if data.state == CANCELLED and not taken:
        return chosen * every_round(last_round(data.experiment))
    return chosen * max(1, len(data.plan.interim_rounds))


def every_round(planned: int) -> int:
    """At how many of `planned` rounds one comparison could be decided, if it were analysed at each."""
    for first in range(1, planned + 1):
        if max_comparisons(first, planned - first + 1):
            return planned - first + 1
    return 1


def trials_of_result(data: ChartInput, cells: Cells, last: int | None) -> Cells:
    """The trials of the result: of a cancelled run only those up to its `last` interim analysis."""
    if data.state != CANCELLED or last is None:
        return cells
    return {id_: until(trials, last) for id_, trials in cells.items()}


def until(trials: CellTrials, round_: int) -> CellTrials:
    """The cell with its trials up to a round."""
    return replace(trials, rows=tuple(row for row in trials.rows if row.round <= round_))


def cancelled_note(data: ChartInput, cells: Cells, last: int | None) -> str | None:
    """How the figures of a cancelled run are to be read; None for any other run."""
    if data.state != CANCELLED or data.origin == "imported":
        return None
    n, of = rounds_complete(cells.values()), last_round(data.experiment)
    if last is not None:
        return message("cancelledAfterAnalysis", n=n, of=of, last=last)
    return message("cancelledBeforeAnalysis", n=n, of=of)
