"""The trials and the number of analyses that a run's result is made of."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.interim.interim_analysis import InterimReplay, replay_interim_analyses
from backend.core.chart.interim.stopping import analyses_to_correct_for, cancelled_note, trials_of_result


@dataclass(frozen=True)
class ResultBasis:
    """What a result is computed from.

    `replay` is None for a run without interim analyses. Intervals and p-values hold over `analyses`. `trials`
    are those of the result, `cancelled` is the note on a cancelled run.
    """

    replay: InterimReplay | None
    analyses: int
    trials: Cells
    cancelled: str | None


def result_basis(data: ChartInput, cells: Cells) -> ResultBasis:
    """The basis of a run's result; `cells` is `by_cell(data)`."""
    replay = replay_interim_analyses(data, cells) if data.plan.interim_rounds else None
    taken = replay.taken if replay else ()
    last = taken[-1] if taken else None
    return ResultBasis(
        replay=replay,
        analyses=analyses_to_correct_for(data, len(taken)),
        trials=trials_of_result(data, cells, last),
        cancelled=cancelled_note(data, cells, last),
    )
