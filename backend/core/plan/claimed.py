"""A trial as its worker gets it, from the database or from a server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from backend.core.plan.model import DUPLICATE
from backend.core.plan.restarts import block_of, replica_of

Beat = Literal["ok", "cancel", "stale"]
"""The answer to a heartbeat. `cancel`: stop, and report the end. `stale`: the attempt lost its trial."""


@dataclass(frozen=True)
class ClaimedTrial:
    """A trial claimed by one worker: what to run, and the fencing token of the claim.

    `next_interim_round` is the round of the run's next interim analysis, None if there is none.
    `restart_every` is the plan's: None if the servers start once per run. `client_host` is the name of the
    host that runs the clients of the run's remote paths; None: this host does.
    """

    trial_id: str
    run_id: str
    cell_id: str
    round: int
    fence: int
    attempts: int
    levels: dict[str, Any]
    experiment: dict[str, Any]
    next_interim_round: int | None = None
    restart_every: int | None = None
    client_host: str | None = None

    @property
    def block(self) -> int:
        """The server start that serves this trial, counted from 0 over the run."""
        return block_of(self.round, self.restart_every)

    @property
    def replica(self) -> int:
        """Which of several equal servers serves this trial."""
        return replica_in(self.cell_id, self.levels, self.restart_every)


@dataclass(frozen=True)
class NextTrial:
    """The trial that a host is to run next; no worker has claimed it yet."""

    trial_id: str
    run_id: str
    cell_id: str


def replica_in(cell_id: str, levels: dict[str, Any], restart_every: int | None) -> int:
    """Which of several equal servers serves a cell of a run with this plan.

    In older plans, without restarts, an A/A duplicate shares its baseline's server.
    """
    return 0 if restart_every is None else replica_of(levels, cell_id.endswith(DUPLICATE))
