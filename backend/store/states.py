"""The states of runs and trials, and which of them are final."""

from __future__ import annotations

from typing import Final, Literal

RunState = Literal["queued", "running", "done", "cancelled", "incomplete"]
TrialState = Literal["queued", "running", "done", "failed", "cancelled", "spared"]
"""A spared trial was planned and is not needed: its cell was decided at an earlier look."""
Origin = Literal["measured", "imported"]

RUN_ENDED: Final = frozenset({"done", "cancelled", "incomplete"})
TRIAL_ENDED: Final = frozenset({"done", "failed", "cancelled", "spared"})


def end_of_run(done: int, failed: int, cancelled: int) -> RunState:
    """The final state of a run whose trials have all ended: any cancelled, else any failed, else done.

    Spared trials change nothing.
    """
    if cancelled:
        return "cancelled"
    return "incomplete" if failed else "done"


def eta_s(queued: int, running_s: float | None, wall_s: float | None, planned_s: float) -> float:
    """The seconds that the rest of a run will take.

    `running_s` is how long the current trial has run (None: there is none), `wall_s` the mean wall
    time of the finished ones; before there is any, `planned_s` a trial from the plan's estimate.
    """
    each = planned_s if wall_s is None else wall_s
    rest = 0.0 if running_s is None else max(0.0, each - running_s)
    return round(queued * each + rest, 1)
