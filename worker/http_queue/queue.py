"""The trial queue of a server, as the worker of an enrolled host uses it over HTTPS.

Each method is one operation below /api/v1/worker, and each may be repeated: claims by a key that is sent
again until an answer comes, everything else by the trial's fence.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import asdict
from typing import Any, Final

from backend.core.errors import HostFault, NotFound, Unavailable
from backend.core.plan.claimed import Beat, ClaimedTrial
from backend.core.plan.restarts import ServedCell
from backend.settings import Settings
from worker.host.conditions import Part
from worker.host.spool import Spooled
from worker.http_queue.answers import Cells, Claim, Heartbeat, HostAnswer, Recorded, TakenOver, read
from worker.http_queue.client_sessions import HttpSessions
from worker.http_queue.clock import ClockOffset, Exchange
from worker.http_queue.connection import ANSWER_S, ServerConnection
from worker.http_queue.profiles import HttpProfiles
from worker.monitoring import Monitoring
from worker.trial.host_orders import HostOrders
from worker.trial.waiting import WaitingWrites

log = logging.getLogger(__name__)

BEAT_S: Final = 10.0
"""Time limit of a heartbeat and of a report: the next one follows soon."""
KEY_S: Final = 60.0
"""How long a claim's key is repeated: after the lease of a lost claim, any claim gets its trial."""
LONGEST_DETAIL: Final = 20_000
"""Characters that the server takes."""


class HttpTrialQueue(HttpSessions, HttpProfiles):
    """Claims, heartbeats and records for one host. Raises WorkerRejected where the server wants no more."""

    away: Part = "server"

    def __init__(self, settings: Settings, monitoring: Monitoring | None = None) -> None:
        self._settings = settings
        self._monitoring = monitoring or Monitoring(settings)
        self._server = ServerConnection(settings)
        self._waiting = WaitingWrites(lambda _trial: None)
        self._key: tuple[str, float] | None = None
        self._reported: tuple[list[dict[str, Any]], dict[str, int] | None] = ([], None)
        self.orders = HostOrders()
        self.drained = False
        self.clock: ClockOffset | None = None

    def announce(self, capabilities: dict[str, Any], environment: dict[str, str]) -> None:
        """Register this host with its capabilities and environment."""
        body = {
            "capabilities": capabilities,
            "environment": environment,
            "install_id": self._settings.install_id,
        }
        self._learn(read(HostAnswer, self._own("PUT", "/host", body)))

    def take_over(self) -> int:
        """End the leases of this host's earlier workers; returns how many there were."""
        return read(TakenOver, self._own("POST", "/take-over", {})).trials

    def seen(self, conditions: list[dict[str, Any]], disk: dict[str, int] | None = None) -> None:
        """Report that the worker runs, and measure how far the server's clock is from this host's."""
        self._reported = (conditions, disk)
        exchange = Exchange()
        body = {
            "conditions": conditions,
            "disk": disk,
            "sent_at": exchange.sent_at,
            "clock": self.clock and asdict(self.clock),
        }
        answer = read(HostAnswer, self._own("POST", "/seen", body, BEAT_S))
        try:
            self.clock = exchange.answered(answer.received_at)
        except ValueError as error:
            log.warning("the server's time cannot be read: %s", error)
        self._learn(answer)

    def claim(
        self,
        environment: dict[str, str],
        at_start: Callable[[], dict[str, str]] = dict,
        last: Collection[str] = (),
    ) -> ClaimedTrial | None:
        """Claim the next trial, or None, with the key of the last claim if that one got no answer."""
        self._waiting.write_all()
        body = {"key": self._claim_key(), "environment": environment, "last": list(last)}
        with self._monitoring.claim_seconds.time():
            answer = read(Claim, self._own("POST", "/claims", body))
        self._key = None
        trial = answer.claimed()
        if trial is not None and answer.first_of_run:
            self._add_at_start(trial, at_start)
        return trial

    def analyse(self, trial: ClaimedTrial) -> None:
        """Ask for the interim analysis that this trial may have completed; else the next claim makes it."""
        if trial.next_interim_round is None:
            return
        try:
            self._server.call("POST", f"/runs/{trial.run_id}/interim-analysis", {})
        except NotFound:
            log.info("run %s was deleted", trial.run_id)
        except Unavailable as error:
            log.warning("the interim analysis of run %s is left to the next claim: %s", trial.run_id, error)

    def heartbeat(self, trial: ClaimedTrial) -> Beat:
        """Extend the lease; returns whether the trial was cancelled or superseded."""
        path = f"/trials/{trial.trial_id}/heartbeat"
        return read(Heartbeat, self._server.call("POST", path, {"fence": trial.fence}, BEAT_S)).beat

    def record(self, record: Spooled) -> str:
        """Store a finished trial: "recorded", "already" or "superseded".

        Raises NotFound where the server does not know the trial, Refused where it rejects the record.
        """
        failure = record.failure and {"code": record.failure[0], "detail": record.failure[1]}
        body = {"fence": record.fence, "payload": record.payload, "sha256": record.sha256, "failure": failure}
        with self._monitoring.record_seconds.time():
            answer = self._of_trial("PUT", f"/trials/{record.trial_id}/record", body, packed=True)
        return read(Recorded, answer).outcome

    def fail(self, trial: ClaimedTrial, code: str, detail: str) -> None:
        """End the trial without a sample; it is not tried again."""
        self._end(trial, {"kind": "fail", "code": code, "detail": detail[:LONGEST_DETAIL]})

    def requeue(self, trial: ClaimedTrial, outcome: str, detail: str, counts: bool = True) -> None:
        """End the attempt without fault of the trial, which may be tried again."""
        ending = {"kind": "requeue", "outcome": outcome, "detail": detail[:LONGEST_DETAIL], "counts": counts}
        self._end(trial, ending)

    def cancelled(self, trial: ClaimedTrial) -> None:
        """End the trial because its run was cancelled."""
        self._end(trial, {"kind": "cancelled"})

    def cells(self, run_id: str) -> list[ServedCell]:
        """Every cell of which the run still has trials."""
        return read(Cells, self._server.call("GET", f"/runs/{run_id}/cells")).served()

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Nothing: only on the server's own machine does the API idle in a window."""

    def notify(self, run_id: str) -> None:
        """Nothing: the server wakes its streams itself."""

    def close(self) -> None:
        """Close the connections; repeatable."""
        self._server.close()

    def _claim_key(self) -> str:
        now = time.monotonic()
        if self._key is None or now - self._key[1] > KEY_S:
            self._key = (secrets.token_urlsafe(16), now)
        return self._key[0]

    def _add_at_start(self, trial: ClaimedTrial, at_start: Callable[[], dict[str, str]]) -> None:
        """Add facts to a run's environment; the trial is claimed already, so that an error is only logged."""
        try:
            found = at_start()
        except (HostFault, OSError) as error:
            log.warning("the environment of run %s lacks the facts of its start: %s", trial.run_id, error)
            return
        if found:
            path, body = f"/runs/{trial.run_id}/environment", {"environment": found}
            self._waiting.add(trial, "environment of the run", lambda: self._server.call("PATCH", path, body))

    def _end(self, trial: ClaimedTrial, ending: dict[str, Any]) -> None:
        body = {"fence": trial.fence, **ending}
        path = f"/trials/{trial.trial_id}/ending"
        self._waiting.add(trial, "ending", lambda: self._of_trial("POST", path, body))

    def _of_trial(self, method: str, path: str, body: dict[str, Any], packed: bool = False) -> dict[str, Any]:
        """The answer about one trial. NotFound only where the server speaks of trials at all."""
        try:
            return self._server.call(method, path, body, packed=packed)
        except NotFound:
            self.seen(*self._reported)
            raise

    def _own(self, method: str, path: str, body: dict[str, Any], limit_s: float = ANSWER_S) -> dict[str, Any]:
        """The answer to an operation that every server with an interface for workers has."""
        try:
            return self._server.call(method, path, body, limit_s)
        except NotFound as error:
            raise Unavailable(
                f"{self._server.url} has no interface for workers ({error}): it may be an older release"
            ) from error

    def _learn(self, answer: HostAnswer) -> None:
        if answer.drained != self.drained:
            log.warning("this host %s", "is drained: it gets no new trial" if answer.drained else "resumes")
        self.orders, self.drained = answer.orders(), answer.drained
