"""Execute one claimed trial: measure it, record it, and handle every way in which it can end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from backend.core.definition.factors import Level
from backend.core.errors import (
    ClientHostBusy,
    ClientHostLost,
    HostFault,
    HostSlept,
    ServerLost,
    StorageFull,
    StoreAway,
    TrialFailed,
    WorkerRejected,
)
from backend.core.plan.claimed import ClaimedTrial
from backend.core.plan.restarts import ServedCell
from backend.core.sample.record import TrialRecord
from backend.core.topology.paths import PATHS
from backend.core.topology.two_hosts import is_between_hosts
from worker.host.spool import Spool
from worker.host.suspend import SHORTEST_S, suspended_s
from worker.topology.trial_setup import TrialSetup
from worker.trial import claimed
from worker.trial.breaker import Breaker
from worker.trial.faults import fault_of
from worker.trial.measurement import Measurement
from worker.trial.queue import SessionQueue, TrialQueue
from worker.trial.recording import keep
from worker.trial.repeats import QuietGate, RepeatPolicy, limits_of, until_undisturbed
from worker.trial.server_side import TwoHostTestbed, measure_with_client_host
from worker.trial.trial_record import TrialSpec
from worker.workload.hooks import Hooks, Phase, Stop, Stopped

log = logging.getLogger(__name__)

HEARTBEAT_S = 5.0
NOT_OF_THE_TESTBED = (StorageFull, HostSlept, StoreAway, ClientHostLost, ClientHostBusy)
"""Faults after which server and engine stay as they are."""


class Testbeds(TwoHostTestbed, Protocol):
    """The testbed, as one trial needs it."""

    def prepare(
        self, run_id: str, block: int, cells: Callable[[], Iterable[ServedCell]], hooks: Hooks
    ) -> None:
        """At the first trial of a block of rounds: restart the servers of its cells. Raises Stopped."""

    def setup(self, levels: Mapping[str, Level], *, replica: int, hooks: Hooks) -> TrialSetup:
        """Everything that one cell needs, running. Raises TrialFailed, a HostFault or Stopped.

        ServerLost where the cell's server has ended since its last trial: the next call starts a new one.
        """

    def renew(self, levels: Mapping[str, Level], replica: int) -> None:
        """Remove this cell's server; its next trial starts a new one."""

    def discard(self, levels: Mapping[str, Level]) -> None:
        """Stop this cell's engine; its next use starts it again."""

    def missing(self, levels: Mapping[str, Level], replica: int) -> HostFault | None:
        """The fault where the cell's engine or server is gone; None where both are there."""


Live = Callable[[ClaimedTrial, float, float, Mapping[str, float] | None], None]
Phases = Callable[[ClaimedTrial, Phase, Sequence[str]], None]


def _unseen(_trial: ClaimedTrial, _phase: Phase, _reasons: Sequence[str]) -> None:
    """Show no phase."""


class _Heartbeat:
    """Extends the trial's lease in a thread of its own; the hooks of the trial."""

    def __init__(
        self,
        trial: ClaimedTrial,
        queue: TrialQueue,
        live: Live,
        aborting: threading.Event,
        phases: Phases = _unseen,
    ) -> None:
        self._trial = trial
        self._phases = phases
        self._queue = queue
        self._live = live
        self._aborting = aborting
        self._stop: Stop | None = None
        self._missed = False
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def __enter__(self) -> _Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._done.wait(HEARTBEAT_S):
            try:
                answer = self._queue.heartbeat(self._trial)
            except WorkerRejected as error:  # the next claim ends the worker
                if error.code == WorkerRejected.code:
                    self._stop = "abort"
                continue
            except Exception as error:  # the database may not answer; the fence decides later
                if not self._missed:
                    log.warning("heartbeat of trial %s failed: %s", self._trial.trial_id, error)
                self._missed = True
                continue
            self._missed = False
            if answer != "ok":
                self._stop = answer

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """Publish one second."""
        self._live(self._trial, t, rate, cores)

    def phase(self, phase: Phase, reasons: Sequence[str]) -> None:
        """Publish what happens outside of the window."""
        self._phases(self._trial, phase, reasons)

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Announce it: the API does no other work on this host until the window has ended."""
        self._queue.window(begins_in_s, seconds)
        self._phases(self._trial, "warming_up", ())

    def stop_wanted(self) -> Stop | None:
        """Whether the run was cancelled, the claim superseded, or the worker is stopping."""
        return "abort" if self._aborting.is_set() else self._stop


def execute_trial(
    trial: ClaimedTrial,
    testbed: Testbeds,
    queue: TrialQueue,
    spool: Spool,
    live: Live,
    aborting: threading.Event,
    breaker: Breaker | None = None,
    policy: RepeatPolicy | None = None,
    sessions: SessionQueue | None = None,
    phases: Phases = _unseen,
) -> str:
    """Run one claimed trial and write how it ended to the queue, for every kind of error.

    A trial whose ids or levels the core refuses fails before anything is built from them. `sessions` are for
    trials whose client runs on another host. Returns "done",
    "failed", "requeued", or why it was stopped: "cancel", "stale", "abort".
    """
    if (why := claimed.refusal(trial)) is not None:
        log.error("trial %.60s is refused: %s", trial.trial_id, why)
        queue.fail(trial, claimed.CODE, why)
        return "failed"
    breaker, policy = breaker or Breaker(), policy or RepeatPolicy()
    try:
        spool.check_room()
        with _Heartbeat(trial, queue, live, aborting, phases) as hooks:
            testbed.prepare(trial.run_id, trial.block, lambda: _sound_cells(queue, trial.run_id), hooks)
            measure = _take_of(trial, testbed, sessions, hooks)
            record = until_undisturbed(
                lambda gate: _awake(lambda: measure(gate)),
                limits_of(trial.experiment),
                hooks,
                policy,
                policy.level_of(trial.run_id),
            )
        ending = keep(record, queue, spool)
    except Stopped as stop:
        return _stopped(trial, queue, stop.why)
    except Exception as error:
        fault = fault_of(error, _missing(trial, testbed))
        _clean_up(trial, testbed, fault)
        return _ended(trial, queue, breaker, fault)
    breaker.succeeded()
    return ending


def _sound_cells(queue: TrialQueue, run_id: str) -> list[ServedCell]:
    """The run's cells without those whose own trials will be refused, or whose client is on another host."""
    return [cell for cell in queue.cells(run_id) if claimed.why_not(cell.levels) is None]


def _take_of(
    trial: ClaimedTrial, testbed: Testbeds, sessions: SessionQueue | None, hooks: Hooks
) -> Callable[[QuietGate], TrialRecord]:
    """What one take of this trial is: with the client on this host, or on the run's client host."""
    if trial.client_host is None or not is_between_hosts(trial.levels):
        return lambda gate: _measure_once(trial, testbed, hooks, gate)
    if sessions is None:
        raise TrialFailed("invalid_levels", "this worker's queue has no client sessions")
    return lambda gate: measure_with_client_host(trial, testbed, sessions, hooks, gate)


def _awake(measure: Callable[[], TrialRecord]) -> TrialRecord:
    """The record of one take. Raises HostSlept where the host was suspended in it."""
    suspended = suspended_s()
    record = measure()
    if (slept := suspended_s() - suspended) > SHORTEST_S:
        raise HostSlept(f"the host was suspended for {slept:.1f} s during the trial")
    return record


def _measure_once(trial: ClaimedTrial, testbed: Testbeds, hooks: Hooks, gate: QuietGate) -> TrialRecord:
    began = time.monotonic()
    setup = testbed.setup(trial.levels, replica=trial.replica, hooks=hooks)
    try:
        provisioned = time.monotonic() - began
        gate.wait(setup.outside())
        spec = TrialSpec(trial.trial_id, trial.fence, PATHS[str(trial.levels["path"])], trial.levels)
        record = Measurement(setup, spec, hooks, testbed.tools).run()
    finally:
        setup.close()
    counters = record.counters | {"provision_ms": int(provisioned * 1000)}
    return record.model_copy(update={"counters": counters})


def _missing(trial: ClaimedTrial, testbed: Testbeds) -> HostFault | None:
    try:
        return testbed.missing(trial.levels, trial.replica)
    except Exception as error:
        log.warning("the engine and server of trial %s could not be checked: %s", trial.trial_id, error)
        return None


def _clean_up(trial: ClaimedTrial, testbed: Testbeds, fault: HostFault | TrialFailed) -> None:
    """Remove the server or engine that the failure may have left in a broken state."""
    try:
        if isinstance(fault, TrialFailed | ServerLost):
            testbed.renew(trial.levels, trial.replica)
        elif not isinstance(fault, NOT_OF_THE_TESTBED):
            testbed.discard(trial.levels)
    except Exception:
        log.exception("cleaning up after trial %s failed", trial.trial_id)


def _ended(trial: ClaimedTrial, queue: TrialQueue, breaker: Breaker, fault: HostFault | TrialFailed) -> str:
    if isinstance(fault, TrialFailed):
        breaker.succeeded()
        queue.fail(trial, fault.code, fault.detail)
        return "failed"
    counts = breaker.failed(trial.trial_id, fault)
    log.warning("trial %s: %s: %s", trial.trial_id, fault.code, fault)
    if not fault.retry:
        queue.fail(trial, fault.code, str(fault))
        return "failed"
    queue.requeue(trial, fault.code, str(fault), counts)
    return "requeued"


def _stopped(trial: ClaimedTrial, queue: TrialQueue, why: Stop) -> str:
    if why == "cancel":
        queue.cancelled(trial)
    elif why == "abort":
        queue.requeue(trial, "aborted", "the worker was stopped")
    return why
