"""The trial queue in the database, as one worker uses it; each call is one short transaction."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

from sqlalchemy.exc import DataError
from sqlalchemy.orm import Session

from backend.core.errors import HostFault, NotFound, Refused, Unavailable
from backend.core.plan.claimed import Beat, ClaimedTrial, NextTrial
from backend.core.plan.client_session import ClientRequest, ClientSession, Phase
from backend.core.plan.profiled import ProfileRequest
from backend.core.plan.restarts import ServedCell
from backend.core.sample.profile import CellProfile
from backend.measured_window import announce_window
from backend.queue import connect, publish_events
from backend.settings import Settings
from backend.store.repositories import (
    admission,
    cell_profiles,
    client_sessions,
    host_settings,
    hosts,
    interim_analyses,
    runs,
    trial_sql,
    trials,
)
from backend.store.session import session_scope
from worker.host.conditions import Part
from worker.host.spool import Spooled
from worker.monitoring import Monitoring
from worker.trial.host_orders import HostOrders
from worker.trial.waiting import WaitingWrites

log = logging.getLogger(__name__)


class StoreTrialQueue:
    """Claims, heartbeats and records for one host. Raises Unavailable where the database does not answer."""

    away: Part = "database"

    def __init__(self, settings: Settings, monitoring: Monitoring | None = None) -> None:
        self._settings = settings
        self._monitoring = monitoring or Monitoring(settings)
        self._worker = f"{settings.host_name}/{os.getpid()}"
        self._redis = connect(settings)
        self._waiting = WaitingWrites(lambda trial: self.notify(trial.run_id))
        self.orders = HostOrders()
        self.host_id = ""

    def announce(self, capabilities: dict[str, Any], environment: dict[str, str]) -> None:
        """Register this host with its capabilities and environment."""
        with session_scope(self._settings) as session:
            self.host_id = hosts.announce(session, self._settings.host_name, capabilities, environment)
            self.orders = HostOrders(host_settings.policy_of(session, self.host_id))

    def take_over(self) -> int:
        """End the leases of this host's earlier workers, which are gone; returns how many there were.

        Call it while the host's measuring lock is held: then no other worker runs a trial.
        """
        with session_scope(self._settings) as session:
            return trials.end_leases(session, self.host_id)

    def seen(self, conditions: list[dict[str, Any]], disk: dict[str, int] | None = None) -> None:
        """Report that the worker runs, its conditions, and the space for its records."""
        with session_scope(self._settings) as session:
            hosts.update_last_seen(session, self.host_id, conditions, disk)
            self.orders = HostOrders(host_settings.policy_of(session, self.host_id))

    def claim(
        self,
        environment: dict[str, str],
        at_start: Callable[[], dict[str, str]] = dict,
        last: Collection[str] = (),
    ) -> ClaimedTrial | None:
        """Claim the next trial, or None; stores the environment with its run. Trials in `last` come last.

        At the first claim of a run, the facts that `at_start` returns are added.
        """
        self._waiting.write_all()
        with self._monitoring.claim_seconds.time(), session_scope(self._settings) as session:
            trial = trials.claim(session, self.host_id, self._worker, last)
            if trial is not None:
                first = runs.set_environment(session, trial.run_id, dict(environment))
        if trial is not None:
            if first:
                self._add_at_start(trial.run_id, at_start)
            publish_events(self._redis, trial.run_id)
        return trial

    def _add_at_start(self, run_id: str, at_start: Callable[[], dict[str, str]]) -> None:
        """Add facts to a run's environment; the trial is claimed already, so that an error is only logged."""
        try:
            if found := at_start():
                with session_scope(self._settings) as session:
                    runs.set_environment(session, run_id, found)
        except (Unavailable, HostFault, OSError) as error:
            log.warning("the environment of run %s lacks the facts of its start: %s", run_id, error)

    def analyse(self, trial: ClaimedTrial) -> None:
        """Make the interim analysis that this trial may have completed; else the next claim makes it."""
        if trial.next_interim_round is None:
            return
        try:
            with session_scope(self._settings) as session:
                interim_analyses.run_due(session, trial.run_id)
        except NotFound:
            log.info("run %s was deleted", trial.run_id)
        except Unavailable as error:
            log.warning("the interim analysis of run %s is left to the next claim: %s", trial.run_id, error)

    def heartbeat(self, trial: ClaimedTrial) -> Beat:
        """Extend the lease; returns whether the trial was cancelled or superseded."""
        with session_scope(self._settings) as session:
            return trials.heartbeat(session, trial.trial_id, trial.fence)

    def record(self, record: Spooled) -> str:
        """Store a finished trial: "recorded", "already" or "superseded".

        Raises NotFound where the trial is another database's, Refused where the database rejects the record.
        """
        try:
            with self._monitoring.record_seconds.time(), session_scope(self._settings) as session:
                return trials.record(
                    session, record.trial_id, record.fence, record.payload, record.sha256, record.failure
                )
        except DataError as error:
            raise Refused.at("", "unrecordable", f"the database refuses the record: {error.orig}") from error

    def fail(self, trial: ClaimedTrial, code: str, detail: str) -> None:
        """End the trial without a sample; it is not tried again."""
        self._end(trial, lambda session: trials.fail(session, trial.trial_id, trial.fence, code, detail))

    def requeue(self, trial: ClaimedTrial, outcome: str, detail: str, counts: bool = True) -> None:
        """End the attempt without fault of the trial, which may be tried again."""
        stored = trials.RELEASED if outcome == "aborted" else outcome
        self._end(
            trial,
            lambda session: trials.requeue(session, trial.trial_id, trial.fence, stored, detail, counts),
        )

    def cancelled(self, trial: ClaimedTrial) -> None:
        """End the trial because its run was cancelled."""
        self._end(trial, lambda session: trials.cancel_running(session, trial.trial_id, trial.fence))

    def cells(self, run_id: str) -> list[ServedCell]:
        """Every cell of which the run still has trials."""
        with session_scope(self._settings) as session:
            return trials.open_cells(session, run_id)

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Announce when this host's measured window begins, and how long it is: the API idles in it."""
        announce_window(self._redis, self._settings.host_name, begins_in_s, seconds)

    def request_client(self, trial_id: str, fence: int, document: Mapping[str, Any]) -> ClientSession:
        """Ask the client host of the trial's run for a session. Raises NotFound."""
        with session_scope(self._settings) as session:
            return client_sessions.request(session, self.host_id, trial_id, fence, document)

    def next_client_request(self) -> ClientRequest | None:
        """The session that this host should accept next, or None."""
        with session_scope(self._settings) as session:
            return client_sessions.next_request(session, self.host_id)

    def move_session(
        self,
        trial_id: str,
        fence: int,
        phase: Phase | None = None,
        document: Mapping[str, Any] | None = None,
        reason: str = "",
    ) -> ClientSession:
        """Enter a phase, or only read the session. Raises NotFound and Conflict."""
        with session_scope(self._settings) as session:
            return client_sessions.move(session, self.host_id, trial_id, fence, phase, document, reason)

    def next_profile(self) -> ProfileRequest | None:
        """Claim the next profile to take, or None."""
        with session_scope(self._settings) as session:
            return cell_profiles.claim(session, self.host_id)

    def profile_wanted(self, request: ProfileRequest) -> bool:
        """Whether the attempt goes on."""
        with session_scope(self._settings) as session:
            return cell_profiles.is_wanted(
                session, self.host_id, request.run_id, request.cell_id, request.fence
            )

    def end_profile(
        self, request: ProfileRequest, profile: CellProfile | None, reason: tuple[str, str] | None = None
    ) -> None:
        """Store the profile, or why none was taken: a code and a sentence."""
        attempt = (request.run_id, request.cell_id, request.fence)
        document = None if profile is None else profile.model_dump(mode="json")
        with session_scope(self._settings) as session:
            cell_profiles.end(session, self.host_id, attempt, document, reason)

    def next_trial(self) -> NextTrial | None:
        """The trial that this host is to run next; None also while it takes none."""
        with session_scope(self._settings) as session:
            takes_trials = admission.takes_trials(session, self.host_id)
            return trial_sql.next_trial(session, self.host_id) if takes_trials else None

    def notify(self, run_id: str) -> None:
        """Wake the event streams of a run."""
        publish_events(self._redis, run_id)

    def close(self) -> None:
        """Nothing: each call has a transaction of its own."""

    def _end(self, trial: ClaimedTrial, statement: Callable[[Session], bool]) -> None:
        """Write how a trial ended, now or before the next claim."""

        def write() -> None:
            with session_scope(self._settings) as session:
                statement(session)

        self._waiting.add(trial, "ending", write)
