"""The response of GET /runs/{id}/matrix."""

from __future__ import annotations

from collections.abc import Iterable

from backend.api.runs.schemas import TrialEvent
from backend.api.schema import Body, Line, WithTexts
from backend.core.plan.states import Origin, RunState


class MatrixCell(Body):
    """One row: a cell and its trials by round. `infeasible` is why the cell has none.

    `states` has one character for each round, and none for a cell without trials: `q` queued, `r` running,
    `d` done, `t` retaken (done, after the host disturbed an earlier take), `c` contaminated, `i` invalid, `e`
    excluded, `f` failed, `x` cancelled, `s` skipped, `.` no trial in this round. `metric` is the name of the
    rate that its tool reports, `rates` the rates of its trials.
    """

    id: str
    label: Line
    path: str
    metric: str
    is_baseline: bool
    infeasible: Line | None
    states: str
    rates: tuple[float | None, ...]


class Matrix(WithTexts):
    """The trials of a run by cell and round, in the order of the plan's cells.

    It includes the events up to `last_event_id`; those of the stream after it change single entries.
    `newest` has the last event of each of the 40 newest trials, newest first; none once the run has ended.
    `messages` has the id and figures of its reasons.
    """

    run_id: str
    state: RunState
    origin: Origin
    last_event_id: int
    rounds: int
    cells: tuple[MatrixCell, ...]
    newest: tuple[TrialEvent, ...] = ()

    def sentences(self) -> Iterable[str | None]:
        """Why cells cannot run."""
        return (cell.infeasible for cell in self.cells)
