"""One claimed trial from claim to record: every way it can end has its own line here."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol

from backend.core.definition.factors import Level
from backend.core.errors import TrialFailed, Unavailable
from backend.core.sample.record import TrialRecord
from backend.core.topology.paths import PATHS
from worker.engine.protocol import EngineUnavailable
from worker.host.commands import HostCommandFailed
from worker.host.spool import Spool, Spooled, StorageFull
from worker.trial.hooks import Hooks, Stop, Stopped
from worker.trial.measure import Measurement, Order
from worker.trial.rig import Rig

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


class Book(Protocol):
    """The queue of record, as a trial needs it. Every verb is fenced and may be repeated."""

    def heartbeat(self, trial: Claimed) -> Beat:
        """Extend the lease; learn of a cancellation or of having been superseded."""

    def record(self, record: Spooled) -> str:
        """Store a finished trial: "recorded", "already" or "superseded"."""

    def fail(self, trial: Claimed, code: str, detail: str) -> None:
        """The trial ended without a sample, and will not be tried again."""

    def requeue(self, trial: Claimed, outcome: str, detail: str) -> None:
        """The attempt ended without fault of the trial: it may be tried again."""

    def cancelled(self, trial: Claimed) -> None:
        """The trial was stopped because its run was cancelled."""

    def cells(self, run_id: str) -> list[dict[str, Level]]:
        """The levels of every cell that the run still has trials of."""


class Benches(Protocol):
    """Where everything that a cell needs comes from."""

    @property
    def tools(self) -> Mapping[str, str]:
        """Versions of the tools in the image."""

    def prepare(self, run_id: str, cells: Callable[[], Iterable[Mapping[str, Level]]]) -> None:
        """At the first trial of a run, bring up what all of its cells need."""

    def rig(self, levels: Mapping[str, Level]) -> Rig:
        """Everything that one cell needs, standing. Raises TrialFailed or EngineUnavailable."""

    def renew(self, levels: Mapping[str, Level]) -> None:
        """Do not use this cell's server again as it is."""

    def discard(self, levels: Mapping[str, Level]) -> None:
        """Do not use this cell's engine again as it is."""


Live = Callable[[Claimed, float, float, Mapping[str, float] | None], None]


class _Watch:
    """Keeps the lease, hears of a cancellation, and is the trial's hooks."""

    def __init__(self, trial: Claimed, book: Book, live: Live, aborting: threading.Event) -> None:
        self._trial = trial
        self._book = book
        self._live = live
        self._aborting = aborting
        self._stop: Stop | None = None
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
            with contextlib.suppress(Exception):  # the database may be away; the fence decides later
                answer = self._book.heartbeat(self._trial)
                if answer != "ok":
                    self._stop = answer

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """Pass one second on."""
        self._live(self._trial, t, rate, cores)

    def stop_wanted(self) -> Stop | None:
        """Cancelled, superseded, or the worker is stopping."""
        return "abort" if self._aborting.is_set() else self._stop


def carry_out(
    trial: Claimed, benches: Benches, book: Book, spool: Spool, live: Live, aborting: threading.Event
) -> str:
    """Run one claimed trial and book how it ended; returns that ending in one word."""
    try:
        spool.check_room()
        with _Watch(trial, book, live, aborting) as watch:
            benches.prepare(trial.run_id, lambda: book.cells(trial.run_id))
            record = _measure(trial, benches, watch)
        return _keep(record, book, spool)
    except TrialFailed as error:
        benches.renew(trial.levels)  # a server that served a broken run may be left in any state
        book.fail(trial, error.code, error.detail)
        return "failed"
    except StorageFull as error:
        book.fail(trial, "storage_full", str(error))
        return "failed"
    except (EngineUnavailable, HostCommandFailed) as error:
        benches.discard(trial.levels)
        book.requeue(trial, "engine_lost", str(error))
        return "requeued"
    except Stopped as stop:
        return _stopped(trial, book, stop.why)


def _measure(trial: Claimed, benches: Benches, hooks: Hooks) -> TrialRecord:
    began = time.monotonic()
    rig = benches.rig(trial.levels)
    try:
        provisioned = time.monotonic() - began
        order = Order(trial.trial_id, trial.fence, PATHS[str(trial.levels["path"])], trial.levels)
        record = Measurement(rig, order, hooks, benches.tools).run()
    finally:
        rig.close()
    counters = record.counters | {"provision_ms": int(provisioned * 1000)}
    return record.model_copy(update={"counters": counters})


def _keep(record: TrialRecord, book: Book, spool: Spool) -> str:
    """Spool first, then record. A path that the wire contradicts fails its trial, with the evidence kept."""
    failure = None
    if record.evidence.verdict == "contradicted":
        failure = ("path_contradicted", record.evidence.sentence)
    payload: dict[str, Any] = record.model_dump(mode="json")
    spooled = spool.write(record.trial_id, record.fence, payload, failure)
    drain(spool, book)
    return "failed" if spooled.failure else "done"


def drain(spool: Spool, book: Book) -> int:
    """Record everything that waits; stops at the first refusal to connect. Returns how many remain."""
    waiting = list(spool.waiting())
    for index, spooled in enumerate(waiting):
        try:
            answer = book.record(spooled)
        except Unavailable as error:
            log.warning("the database is away; %d records wait in the spool: %s", len(waiting) - index, error)
            return len(waiting) - index
        if answer == "superseded":
            log.warning("a record of %s came too late and was dropped", spooled.trial_id)
        spool.forget(spooled)
    return 0


def _stopped(trial: Claimed, book: Book, why: Stop) -> str:
    if why == "cancel":
        book.cancelled(trial)
    elif why == "abort":
        book.requeue(trial, "aborted", "the worker was stopped")
    return why
