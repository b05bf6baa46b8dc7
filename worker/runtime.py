"""One worker process: testbed, trial queue and spool, from the first start to an orderly stop.

Trials run in a thread of their own that claims them from the trial queue, one after the other. A message only
wakes it early; without any it polls every few seconds. So neither a lost message nor a Redis that does not
answer, nor a Celery consumer that does not come back, delays a run (docs/decisions/0027).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from structlog.contextvars import bound_contextvars

from backend.core.errors import StorageFull, Unavailable, WorkerRejected
from backend.core.plan.claimed import ClaimedTrial
from backend.core.plan.client_session import ClientRequest
from backend.settings import Settings
from backend.worker_protocol import READY_FILE
from worker.announcement import Announcement
from worker.engine.names import LAB_PREFIX, InstallPaths
from worker.host import time_limits
from worker.host.conditions import Conditions
from worker.host.leftovers import leftovers
from worker.host.locks import InstanceLock
from worker.host.spool import Spool
from worker.live import LiveSamples
from worker.monitoring import Monitoring
from worker.queues import open_queue, profiles_of, sessions_of
from worker.reports import Reports
from worker.topology.testbed import Testbed
from worker.trial import claimed
from worker.trial.breaker import Breaker
from worker.trial.client_side import serve_client
from worker.trial.execute import execute_trial
from worker.trial.measuring_turn import MeasuringTurn
from worker.trial.profiling import ProfileTurn
from worker.trial.queue import SessionQueue
from worker.trial.recording import drain
from worker.trial.repeats import RepeatPolicy

log = logging.getLogger(__name__)
progress = logging.getLogger("plimsoll.progress")
"""Progress of the start; the starter shows these lines in the terminal."""

POLL_S = 2.0
"""How often an idle worker checks for trials that no message announced."""
QUICK_POLL_S = 0.2
"""The same for QUICK_FOR_S after it has run the client of another host's trial."""
QUICK_FOR_S = 30.0
LONGEST_PAUSE_S = 8.0
"""Longest pause between two tries while nothing answers; the first is a quarter of a second."""


class WorkerRuntime:
    """Everything that a worker process owns. One trial at a time."""

    def __init__(self, settings: Settings, *measuring_folders: Path) -> None:
        """`measuring_folders`: their locks keep two installations from measuring at once."""
        self._settings = settings
        time_limits.set_factor(settings.time_factor)
        self._instance = InstanceLock(settings.runtime_dir)
        self._ready = settings.runtime_dir / READY_FILE
        self._spool = Spool(settings.var_dir / "spool")
        self.monitoring = Monitoring(settings)
        self._queue = open_queue(settings, self.monitoring)
        self._live = LiveSamples(settings)
        self._measuring = MeasuringTurn(measuring_folders, self._queue, self._live, progress.info)
        self._sessions = sessions_of(self._queue)
        self._profiles = ProfileTurn(profiles_of(self._queue), settings.var_dir / "profiles")
        self._testbed = Testbed(
            InstallPaths(settings.install_id, settings.runtime_dir, settings.var_dir),
            progress.info,
            settings.programs,
            settings.host_docker_socket,
        )
        self._announcement = Announcement(self._queue)
        self.conditions = Conditions()
        self.reports = Reports(settings.var_dir, self._queue, self._live, self._spool, self.conditions)
        self._breaker = Breaker()
        self._repeat_policy = RepeatPolicy()
        self._pause_s = 0.0
        self._quick_until = 0.0
        self._last_error = ""
        self._closing = threading.Event()
        self._woken = threading.Event()
        self.aborting = threading.Event()
        self.rejected: WorkerRejected | None = None
        self.on_rejected: Callable[[], None] = lambda: None
        """Called once, from another thread, where `rejected` ends this worker: `close` is due."""
        self._threads = [
            threading.Thread(target=self.run_trials, name="trials", daemon=True),
            threading.Thread(
                target=self.reports.repeat,
                args=(self._closing, self._end_rejected),
                name="alive",
                daemon=True,
            ),
        ]

    # --- start and stop -------------------------------------------------------------------------

    def open(self) -> None:
        """Start the engines, announce the host, take over what an earlier worker left.

        Raises AlreadyRunning before anything is touched where another worker of this installation runs, and
        WorkerRejected. A server elsewhere may not answer yet, as after a start of the whole site: this waits
        for it.
        """
        self._instance.acquire()
        self._spool.recover()
        self._profiles.recover()
        with self._measuring.hold_at_start():
            self._testbed.start()
            self._announcement.refresh(self._testbed)
        while not self._begin():
            self._woken.wait(self._longer_pause())
        self.monitoring.start()
        self._ready.touch()
        for thread in self._threads:
            thread.start()

    def _begin(self) -> bool:
        """Announce the host, record what waits, take over; False while a server elsewhere does not answer."""
        try:
            with self._measuring.hold_at_start():
                self._announcement.announce(self._testbed)
                drain(self._spool, self._queue)
                if trials := self._queue.take_over():
                    progress.info("taking over %d trials of an earlier worker", trials)
        except Unavailable as error:
            if self._queue.away == "database":
                raise
            self.conditions.begin(self._queue.away, str(error))
            return False
        self.conditions.end(self._queue.away)
        return True

    def wake(self) -> None:
        """Check for trials now."""
        self._woken.set()

    def abort(self) -> None:
        """End the running trial, return it to the queue and claim no other; safe in a signal handler."""
        self.aborting.set()

    def close(self) -> None:
        """Wait for the running trial, stop the engines; repeatable."""
        self._closing.set()
        self._woken.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self._ready.unlink(missing_ok=True)
        self.monitoring.stop()
        self._queue.close()
        if self._instance.held:
            self._testbed.stop()
            self._instance.release()

    # --- trials ---------------------------------------------------------------------------------

    def run_trials(self) -> None:
        """Execute one trial after the other until `close` or `abort`; no error ends the loop."""
        while not self._closing.is_set() and not self.aborting.is_set():
            pause_s = self.turn()
            if pause_s and self._woken.wait(pause_s):
                self._woken.clear()

    def turn(self) -> float:
        """Execute a trial if there is one and the host can; returns the seconds until the next turn."""
        if pause_s := self._breaker.wait_s():
            return pause_s
        try:
            outcome = self.one_trial()
        except WorkerRejected as error:
            self._end_rejected(error)
            return 0.0
        except Unavailable as error:
            self.conditions.begin(self._queue.away, str(error))
            return self._longer_pause()
        except StorageFull as error:
            self.conditions.begin("storage", str(error))
            return self._longer_pause()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            if reason != self._last_error:
                log.exception("no trial could be claimed")
            self._last_error = reason
            self.conditions.begin("host", reason)
            return self._longer_pause()
        self._pause_s, self._last_error = 0.0, ""
        self._report_breaker()
        if outcome == "idle":
            return POLL_S if time.monotonic() > self._quick_until else QUICK_POLL_S
        return self._breaker.wait_s()

    def one_trial(self) -> str:
        """Serve another host's trial, or claim one, execute and record it; "idle" where there is none.

        Raises Unavailable where nothing answers before a claim, WorkerRejected, StorageFull.
        """
        if self.aborting.is_set():
            return "stopping"
        with self._measuring.hold():
            drain(self._spool, self._queue)
            self._spool.check_room()
            self.conditions.end("storage")
            if self._sessions is not None and (request := self._sessions.next_client_request()) is not None:
                return self._serve(self._sessions, request)
            if self._profiles.take_next(self._testbed, self.aborting):
                return "profiled"
            self._announcement.announce_changes(self._testbed)
            trial = self._queue.claim(self._announcement.environment, self._leftovers, self._breaker.avoid)
            self.conditions.end(self._queue.away)
            if trial is None:
                return "idle"
            with bound_contextvars(run_id=trial.run_id, trial_id=trial.trial_id):
                outcome = self.execute(trial)
                self.monitoring.trials.labels(outcome).inc()
                self._queue.analyse(trial)
                self._profiles.trial_ended(trial.experiment)
                log.info("%s %s round %d: %s", trial.trial_id, trial.cell_id, trial.round, outcome)
            self._announcement.refresh(self._testbed)
        self._queue.notify(trial.run_id)
        return outcome

    def _serve(self, sessions: SessionQueue, request: ClientRequest) -> str:
        """Run the client of another host's trial; further ones are likely to follow soon."""
        with bound_contextvars(trial_id=request.trial_id):
            policy = self._queue.orders.policy
            outcome = serve_client(
                request,
                self._testbed,
                sessions,
                self.aborting,
                policy,
                self._live.publish,
                self._repeat_policy,
            )
            log.info("client of %s: %s", request.trial_id, outcome)
        self._quick_until = time.monotonic() + QUICK_FOR_S
        return outcome

    def _leftovers(self) -> dict[str, str]:
        return leftovers(LAB_PREFIX, self._settings.install_id, self._settings.runtime_dir)

    def execute(self, trial: ClaimedTrial) -> str:
        """Measure one claimed trial and write how it ended; returns the outcome."""
        if (ending := self._refused_by_policy(trial)) is not None:
            return ending
        return execute_trial(
            trial,
            self._testbed,
            self._queue,
            self._spool,
            self._live.publish,
            self.aborting,
            self._breaker,
            self._repeat_policy,
            self._sessions,
            self._live.publish_phase,
        )

    def _refused_by_policy(self, trial: ClaimedTrial) -> str | None:
        """The ending of a trial that this host's policy, read again, forbids; else None."""
        if claimed.forbidden(trial, self._queue.orders.policy) is None:
            return None
        try:
            self.reports.send()
        except Unavailable as error:
            self._queue.requeue(trial, "store_away", f"the host's policy cannot be read: {error}", False)
            return "requeued"
        why = claimed.forbidden(trial, self._queue.orders.policy)
        if why is None:
            return None
        log.error("trial %s is refused: %s", trial.trial_id, why)
        self._queue.fail(trial, claimed.POLICY_CODE, why)
        return "failed"

    def _end_rejected(self, error: WorkerRejected) -> None:
        """End this worker; after a revoked token a running trial ends at once, else it goes to the spool."""
        if self.rejected is not None:
            return
        self.rejected = error
        log.critical("the worker ends: %s", error)
        if error.code == WorkerRejected.code:
            self.aborting.set()
        self._closing.set()
        self._woken.set()
        self.on_rejected()

    def _longer_pause(self) -> float:
        self._pause_s = min(LONGEST_PAUSE_S, self._pause_s * 2 or 0.25)
        return self._pause_s

    def _report_breaker(self) -> None:
        if self._breaker.is_open:
            reason = f"{self._breaker.reason}; the next trial is tried in {self._breaker.wait_s():.0f} s"
            self.conditions.begin("host", reason)
        else:
            self.conditions.end("host")
