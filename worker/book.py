"""The queue of record as the worker uses it: each verb opens and commits one short scope."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any

from sqlalchemy.orm import Session

from backend.core.errors import Unavailable
from backend.queue import connect, publish_events
from backend.settings import Settings
from backend.store.repositories import hosts, looks, runs, trials
from backend.store.repositories.trials import ClaimedTrial
from backend.store.session import session_scope
from worker.host.spool import Spooled
from worker.trial.carry_out import Beat, Claimed

log = logging.getLogger(__name__)


class StoreBook:
    """Claims, heartbeats and records for one host. Raises Unavailable where the database does not answer."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._worker = f"{settings.host_name}/{os.getpid()}"
        self._redis = connect(settings)
        self.host_id = ""

    def announce(self, capabilities: dict[str, Any], environment: dict[str, str]) -> None:
        """Say what this host is and can run."""
        with session_scope(self._settings) as session:
            self.host_id = hosts.announce(session, self._settings.host_name, capabilities, environment)

    def take_over(self) -> int:
        """End the leases of this host's earlier workers, which are gone; returns how many there were.

        To be called while the host's measuring lock is held: then no other worker is in a trial.
        """
        with session_scope(self._settings) as session:
            return trials.end_leases(session, self.host_id)

    def seen(self) -> int:
        """Note that the worker lives; returns how many trials wait for it."""
        with session_scope(self._settings) as session:
            hosts.seen(session, self.host_id)
            return trials.claimable(session, self.host_id)

    def claim(
        self, environment: dict[str, str], at_start: Callable[[], dict[str, str]] = dict
    ) -> ClaimedTrial | None:
        """The next trial, or None; keeps the environment with its run.

        What `at_start` finds is added at the first claim of a run.
        """
        with session_scope(self._settings) as session:
            trial = trials.claim(session, self.host_id, self._worker)
            if trial is not None:
                first = runs.set_environment(session, trial.run_id, dict(environment))
        if trial is not None:
            if first and (found := at_start()):
                with session_scope(self._settings) as session:
                    runs.set_environment(session, trial.run_id, found)
            publish_events(self._redis, trial.run_id)
        return trial

    def look(self, trial: ClaimedTrial) -> None:
        """Take the look that this trial may have been the last one before; else the next claim takes it."""
        if trial.next_look is None:
            return
        try:
            with session_scope(self._settings) as session:
                looks.take_due(session, trial.run_id)
        except Unavailable as error:
            log.warning("the look of run %s is left to the next claim: %s", trial.run_id, error)

    def heartbeat(self, trial: Claimed) -> Beat:
        """Extend the lease; learn of a cancellation or of having been superseded."""
        with session_scope(self._settings) as session:
            return trials.heartbeat(session, trial.trial_id, trial.fence)

    def record(self, record: Spooled) -> str:
        """Store a finished trial: "recorded", "already" or "superseded"."""
        with session_scope(self._settings) as session:
            answer = trials.record(
                session, record.trial_id, record.fence, record.payload, record.sha256, record.failure
            )
        return answer

    def fail(self, trial: Claimed, code: str, detail: str) -> None:
        """The trial ended without a sample, and will not be tried again."""
        self._end(trial, lambda session: trials.fail(session, trial.trial_id, trial.fence, code, detail))

    def requeue(self, trial: Claimed, outcome: str, detail: str) -> None:
        """The attempt ended without fault of the trial: it may be tried again."""
        kept = trials.RELEASED if outcome == "aborted" else outcome
        self._end(trial, lambda session: trials.requeue(session, trial.trial_id, trial.fence, kept, detail))

    def cancelled(self, trial: Claimed) -> None:
        """The trial was stopped because its run was cancelled."""
        self._end(trial, lambda session: trials.cancel_running(session, trial.trial_id, trial.fence))

    def cells(self, run_id: str) -> list[dict[str, Any]]:
        """The levels of every cell that the run still has trials of."""
        with session_scope(self._settings) as session:
            return trials.open_cells(session, run_id)

    def tell(self, run_id: str) -> None:
        """Wake the streams that watch a run."""
        publish_events(self._redis, run_id)

    def _end(self, trial: Claimed, statement: Callable[[Session], bool]) -> None:
        """An ending that cannot be written now is left to the lease, which runs out."""
        try:
            with session_scope(self._settings) as session:
                statement(session)
        except Unavailable as error:
            log.warning("how trial %s ended was not noted, its lease will run out: %s", trial.trial_id, error)
        self.tell(trial.run_id)
