"""The states of runs and trials, and which of them are final."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal

RunState = Literal["queued", "running", "done", "cancelled", "incomplete"]
TrialState = Literal["queued", "running", "done", "failed", "cancelled", "spared"]
"""`spared`: skipped, because its comparison was decided at an interim analysis or the budget was spent."""
Origin = Literal["measured", "imported"]
"""An imported run holds old tool output: without evidence of its path and without CPU."""

RUN_ENDED: Final = frozenset({"done", "cancelled", "incomplete"})
TRIAL_ENDED: Final = frozenset({"done", "failed", "cancelled", "spared"})


def end_of_run(done: int, failed: int, cancelled: int) -> RunState:
    """The final state of a run whose trials have all ended: any cancelled, else any failed, else done.

    Skipped trials do not change it.
    """
    if cancelled:
        return "cancelled"
    return "incomplete" if failed else "done"


def state_of_group(states: Collection[RunState]) -> RunState:
    """The state of a group of runs: queued or running until all have ended, then as a run of their trials.

    A group whose runs were all deleted is done.
    """
    if set(states) == {"queued"}:
        return "queued"
    if not set(states) <= RUN_ENDED:
        return "running"
    return next((state for state in ("cancelled", "incomplete") if state in states), "done")


def eta_s(queued: int, running_s: float | None, wall_s: float | None, planned_s: float) -> float:
    """The expected seconds until a run ends.

    `running_s` is the time since the current trial started (None: there is none), `wall_s` the mean duration
    of the ended trials (None: there is none yet), `planned_s` the planned seconds per trial.
    """
    each = planned_s if wall_s is None else wall_s
    rest = 0.0 if running_s is None else max(0.0, each - running_s)
    return round(queued * each + rest, 1)
