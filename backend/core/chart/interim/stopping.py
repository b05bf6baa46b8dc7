"""At how many analyses a run could have been stopped: the planned ones, or any round of a cancelled run.

Who watches a run and cancels it has chosen the moment by the results: optional stopping. Its verdicts are
not withheld but corrected as if it had been analysed after every round at which anything could have been
decided (Bonferroni over those rounds, which holds for any rule of stopping). Trials that failed are no such
choice: an incomplete run is judged as planned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.trials import CellTrials, rounds_complete
from backend.core.plan.interim import last_round
from backend.core.plan.power import max_comparisons

CANCELLED = "cancelled"


def analyses(data: ChartInput, taken: int = 0) -> int:
    """Over how many analyses a run's intervals and p-values hold; `taken` interim analyses are behind it."""
    if data.state == CANCELLED and not taken:
        return every_round(last_round(data.experiment))
    return max(1, len(data.plan.interim_rounds))


def every_round(planned: int) -> int:
    """At how many of `planned` rounds one comparison could be decided, if it were analysed at each."""
    for first in range(1, planned + 1):
        if max_comparisons(first, planned - first + 1):
            return planned - first + 1
    return 1


def judged_trials(
    data: ChartInput, cells: Mapping[str, CellTrials], last: int | None
) -> Mapping[str, CellTrials]:
    """The trials that judge a run: of one cancelled after its `last` interim analysis those until it."""
    if data.state != CANCELLED or last is None:
        return cells
    return {id_: until(trials, last) for id_, trials in cells.items()}


def until(trials: CellTrials, round_: int) -> CellTrials:
    """The cell as it was after a round."""
    return replace(trials, rows=tuple(row for row in trials.rows if row.round <= round_))


def cancelled_note(data: ChartInput, cells: Mapping[str, CellTrials], last: int | None) -> str | None:
    """What a cancelled run's figures have to be read with; None of any other run."""
    if data.state != CANCELLED or data.origin == "imported":
        return None
    rounds = f"{rounds_complete(cells.values())} of {last_round(data.experiment)} rounds"
    if last is not None:
        return (
            f"The run was cancelled after {rounds}: comparisons, costs and thresholds are judged by the "
            f"interim analysis after round {last}."
        )
    return (
        f"The run was cancelled after {rounds}: p-values and intervals of comparisons, costs and thresholds "
        "are corrected as if it had been analysed after every round, because who cancels may have watched."
    )
