"""One claimed trial from claim to record: every way it can end has its own line here."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol

from backend.core.definition.factors import Level
from backend.core.errors import (
    HostFault,
    HostSlept,
    ServerLost,
    StorageFull,
    StoreAway,
    TrialFailed,
)
from backend.core.plan.restarts import ServedCell
from backend.core.sample.record import TrialRecord
from backend.core.topology.paths import PATHS
from worker.host.spool import Spool, Spooled
from worker.host.suspend import SHORTEST_S, suspended_s
from worker.topology.trial_setup import TrialSetup
from worker.trial.breaker import Breaker
from worker.trial.faults import fault_of
from worker.trial.measurement import Measurement
from worker.trial.recording import keep
from worker.trial.repeats import Patience, QuietGate, limits_of, until_undisturbed
from worker.trial.trial_record import TrialSpec
from worker.workload.hooks import Hooks, Stop, Stopped

log = logging.getLogger(__name__)

HEARTBEAT_S = 5.0
Beat = Literal["ok", "cancel", "stale"]


class Claimed(Protocol):
    """What the store hands out: one trial, fenced."""

    @property
    def trial_id(self) -> str:
        """The trial's id."""

    @property
    def run_id(self) -> str:
        """The run that it belongs to."""

    @property
    def cell_id(self) -> str:
        """The cell that it repeats."""

    @property
    def fence(self) -> int:
        """The number of this claim; a later claim has a higher one."""

    @property
    def levels(self) -> Mapping[str, Level]:
        """One level of every factor."""

    @property
    def block(self) -> int:
        """The start of the servers, counted from 0 over the run, that serves this trial."""

    @property
    def replica(self) -> int:
        """Which of several equal servers serves this trial."""

    @property
    def experiment(self) -> Mapping[str, Any]:
        """The experiment's canonical document."""


class TrialQueue(Protocol):
    """The queue of record, as a trial needs it. Every verb is fenced and may be repeated."""

    def heartbeat(self, trial: Claimed) -> Beat:
        """Extend the lease; learn of a cancellation or of having been superseded."""

    def record(self, record: Spooled) -> str:
        """Store a finished trial: "recorded", "already" or "superseded"."""

    def fail(self, trial: Claimed, code: str, detail: str) -> None:
        """The trial ended without a sample, and will not be tried again."""

    def requeue(self, trial: Claimed, outcome: str, detail: str, counts: bool = True) -> None:
        """The attempt ended without fault of the trial: it may be tried again.

        `counts`: the attempt counts against the trial's limit.
        """

    def cancelled(self, trial: Claimed) -> None:
        """The trial was stopped because its run was cancelled."""

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Say when this host's measured window begins, and how long it takes."""

    def cells(self, run_id: str) -> list[ServedCell]:
        """Every cell that the run still has trials of."""


class Testbeds(Protocol):
    """Where everything that a cell needs comes from."""

    @property
    def tools(self) -> Mapping[str, str]:
        """Versions of the tools in the image."""

    def prepare(
        self, run_id: str, block: int, cells: Callable[[], Iterable[ServedCell]], hooks: Hooks
    ) -> None:
        """At the first trial of a block, start the servers of all cells anew. Raises Stopped."""

    def setup(self, levels: Mapping[str, Level], *, replica: int, hooks: Hooks) -> TrialSetup:
        """Everything that one cell needs, running. Raises TrialFailed, a HostFault or Stopped.

        ServerLost where the cell's server has ended since its last trial: the next call makes a new one.
        """

    def renew(self, levels: Mapping[str, Level], replica: int) -> None:
        """Do not use this cell's server again as it is."""

    def discard(self, levels: Mapping[str, Level]) -> None:
        """Do not use this cell's engine again as it is."""

    def missing(self, levels: Mapping[str, Level], replica: int) -> HostFault | None:
        """What this cell needs and is gone: its engine or its server; None where both are there."""


Live = Callable[[Claimed, float, float, Mapping[str, float] | None], None]


class _Watch:
    """Keeps the lease, hears of a cancellation, and is the trial's hooks."""

    def __init__(self, trial: Claimed, queue: TrialQueue, live: Live, aborting: threading.Event) -> None:
        self._trial = trial
        self._queue = queue
        self._live = live
        self._aborting = aborting
        self._stop: Stop | None = None
        self._missed = False
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._done.wait(HEARTBEAT_S):
            try:
                answer = self._queue.heartbeat(self._trial)
            except Exception as error:  # the database may be away; the fence decides later
                if not self._missed:
                    log.warning("no heartbeat of trial %s: %s", self._trial.trial_id, error)
                self._missed = True
                continue
            self._missed = False
            if answer != "ok":
                self._stop = answer

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """Pass one second on."""
        self._live(self._trial, t, rate, cores)

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Pass it on: who does other work on this host waits for the end of the window."""
        self._queue.window(begins_in_s, seconds)

    def stop_wanted(self) -> Stop | None:
        """Cancelled, superseded, or the worker is stopping."""
        return "abort" if self._aborting.is_set() else self._stop


def execute_trial(
    trial: Claimed,
    testbed: Testbeds,
    queue: TrialQueue,
    spool: Spool,
    live: Live,
    aborting: threading.Event,
    breaker: Breaker | None = None,
    patience: Patience | None = None,
) -> str:
    """Run one claimed trial and note how it ended, whatever happens; returns that ending in one word.

    "done", "failed", "requeued", or why it was stopped: "cancel", "stale", "abort".
    """
    breaker = breaker or Breaker()
    try:
        spool.check_room()
        with _Watch(trial, queue, live, aborting) as watch:
            testbed.prepare(trial.run_id, trial.block, lambda: queue.cells(trial.run_id), watch)
            record = until_undisturbed(
                lambda gate: _measure_once(trial, testbed, watch, gate),
                limits_of(trial.experiment),
                watch,
                patience or Patience(),
            )
        ending = keep(record, queue, spool)
    except Stopped as stop:
        return _stopped(trial, queue, stop.why)
    except Exception as error:
        fault = fault_of(error, _missing(trial, testbed))
        _tidy(trial, testbed, fault)
        return _ended(trial, queue, breaker, fault)
    breaker.succeeded()
    return ending


def _measure_once(trial: Claimed, testbed: Testbeds, hooks: Hooks, gate: QuietGate) -> TrialRecord:
    began, suspended = time.monotonic(), suspended_s()
    setup = testbed.setup(trial.levels, replica=trial.replica, hooks=hooks)
    try:
        provisioned = time.monotonic() - began
        gate.wait(setup.outside())
        spec = TrialSpec(trial.trial_id, trial.fence, PATHS[str(trial.levels["path"])], trial.levels)
        record = Measurement(setup, spec, hooks, testbed.tools).run()
    finally:
        setup.close()
    if (slept := suspended_s() - suspended) > SHORTEST_S:
        raise HostSlept(f"the host was suspended for {slept:.1f} s during the trial")
    counters = record.counters | {"provision_ms": int(provisioned * 1000)}
    return record.model_copy(update={"counters": counters})


def _missing(trial: Claimed, testbed: Testbeds) -> HostFault | None:
    try:
        return testbed.missing(trial.levels, trial.replica)
    except Exception as error:
        log.warning("what trial %s misses was not found out: %s", trial.trial_id, error)
        return None


def _tidy(trial: Claimed, testbed: Testbeds, fault: HostFault | TrialFailed) -> None:
    """Leave nothing that the next trial would inherit from this failure."""
    try:
        if isinstance(fault, TrialFailed | ServerLost):
            # A server that served a broken run may be left in any state.
            testbed.renew(trial.levels, trial.replica)
        elif not isinstance(fault, StorageFull | HostSlept | StoreAway):
            testbed.discard(trial.levels)
    except Exception:
        log.exception("not everything of trial %s was removed", trial.trial_id)


def _ended(trial: Claimed, queue: TrialQueue, breaker: Breaker, fault: HostFault | TrialFailed) -> str:
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


def _stopped(trial: Claimed, queue: TrialQueue, why: Stop) -> str:
    if why == "cancel":
        queue.cancelled(trial)
    elif why == "abort":
        queue.requeue(trial, "aborted", "the worker was stopped")
    return why
