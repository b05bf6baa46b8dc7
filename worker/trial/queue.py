"""The trial queue as the worker uses it: of the database beside it, or of a server over HTTPS."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol, runtime_checkable

from backend.core.plan.claimed import Beat, ClaimedTrial, NextTrial
from backend.core.plan.client_session import ClientRequest, ClientSession, Phase
from backend.core.plan.restarts import ServedCell
from worker.host.conditions import Part
from worker.host.spool import Spooled
from worker.trial.host_orders import HostOrders


@runtime_checkable
class SessionQueue(Protocol):
    """Client sessions in the trial queue. Every call may be repeated, and is a sign of life of this side."""

    def request_client(self, trial_id: str, fence: int, document: Mapping[str, Any]) -> ClientSession:
        """Ask the run's client host for a session. Raises NotFound, Unavailable."""

    def next_client_request(self) -> ClientRequest | None:
        """The session that this host should accept next, or None. Raises Unavailable."""

    def move_session(
        self,
        trial_id: str,
        fence: int,
        phase: Phase | None = None,
        document: Mapping[str, Any] | None = None,
        reason: str = "",
    ) -> ClientSession:
        """Enter a phase, or only read the session. Raises NotFound, Conflict, Unavailable."""


class TrialQueue(Protocol):
    """The trial queue, as one trial needs it. Every call is fenced and may be repeated."""

    def heartbeat(self, trial: ClaimedTrial) -> Beat:
        """Extend the lease; returns whether the trial was cancelled or superseded."""

    def record(self, record: Spooled) -> str:
        """Store a finished trial: "recorded", "already" or "superseded".

        Raises Unavailable where a later try may succeed, NotFound or Refused where none will.
        """

    def fail(self, trial: ClaimedTrial, code: str, detail: str) -> None:
        """End the trial without a sample; it is not tried again."""

    def requeue(self, trial: ClaimedTrial, outcome: str, detail: str, counts: bool = True) -> None:
        """End the attempt without fault of the trial, which may be tried again.

        `counts`: the attempt counts against the trial's limit.
        """

    def cancelled(self, trial: ClaimedTrial) -> None:
        """End the trial because its run was cancelled."""

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Announce when this host's measured window begins, and how long it is."""

    def cells(self, run_id: str) -> list[ServedCell]:
        """Every cell of which the run still has trials."""


@runtime_checkable
class ForeseeingQueue(Protocol):
    """A queue that knows which trial this host is to run next; that of an enrolled host does not."""

    def next_trial(self) -> NextTrial | None:
        """The next trial; None also while the host takes none. Raises Unavailable."""


class HostQueue(TrialQueue, Protocol):
    """The trial queue, as the worker of one host needs it.

    `announce` comes first, then `take_over`, before any `claim`. Raises Unavailable where database or server
    do not answer, WorkerRejected where the server accepts this worker no longer; an ending that could not be
    written waits for the next claim.
    """

    away: Part
    """The name of the condition that nothing answers."""
    orders: HostOrders
    """What administrators decided about this host, as of the last `announce` or `seen`."""

    def announce(self, capabilities: dict[str, Any], environment: dict[str, str]) -> None:
        """Register this host with its capabilities and environment."""

    def take_over(self) -> int:
        """End the leases of this host's earlier workers, which are gone; returns how many there were.

        Call it while the host's measuring lock is held: then no other worker runs a trial.
        """

    def seen(self, conditions: list[dict[str, Any]], disk: dict[str, int] | None = None) -> None:
        """Report that the worker runs, its conditions, and the space for its records; reads `orders`."""

    def claim(
        self,
        environment: dict[str, str],
        at_start: Callable[[], dict[str, str]] = dict,
        last: Collection[str] = (),
    ) -> ClaimedTrial | None:
        """Claim the next trial, or None; stores the environment with its run. Trials in `last` come last.

        At the first claim of a run, the facts that `at_start` returns are added.
        """

    def analyse(self, trial: ClaimedTrial) -> None:
        """Make the interim analysis that this trial may have completed; else the next claim makes it."""

    def notify(self, run_id: str) -> None:
        """Wake the event streams of a run."""

    def close(self) -> None:
        """Close what is open; repeatable."""
