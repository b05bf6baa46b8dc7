"""The turn of this installation to measure: a wait for another one's trial is reported meanwhile."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from backend.core.errors import Unavailable
from backend.core.messages.message import message
from backend.core.messages.waits import PHASES
from worker.host.locks import measuring
from worker.live import LiveSamples
from worker.trial.queue import ForeseeingQueue, HostQueue

log = logging.getLogger(__name__)

PHASE: Final = "other_installation"
FIRST_AFTER_S: Final = 1.0
"""Between two trials of another installation the lock is free: shorter waits are not shown."""
SHOWN_EVERY_S: Final = 5.0
REPORTED_EVERY_S: Final = 25.0


class MeasuringTurn:
    """The host's measuring lock of this worker, and who hears while another installation has it."""

    def __init__(
        self,
        folders: Sequence[Path],
        queue: HostQueue,
        live: LiveSamples,
        report: Callable[[str], None],
    ) -> None:
        self._folders = folders
        self._queue = queue if isinstance(queue, ForeseeingQueue) else None
        self._live = live
        self._report = report

    def hold(self) -> AbstractContextManager[None]:
        """Hold the lock; while it waits, the event streams of the next trial's run get the phase PHASE."""
        return measuring(*self._folders, waiting=lambda: self._telling(self._show, SHOWN_EVERY_S))

    def hold_at_start(self) -> AbstractContextManager[None]:
        """Hold the lock before any run is known; while it waits, `report` gets a line now and then."""
        return measuring(*self._folders, waiting=lambda: self._telling(self._say, REPORTED_EVERY_S))

    @contextmanager
    def _telling(self, tell: Callable[[datetime], None], every_s: float) -> Iterator[None]:
        """Call `tell` in a thread meanwhile: this one is blocked in the kernel, in the lock's queue."""
        ended, since = threading.Event(), datetime.now(UTC)

        def repeat() -> None:
            pause_s = FIRST_AFTER_S
            while not ended.wait(pause_s):
                tell(since)
                pause_s = every_s

        thread = threading.Thread(target=repeat, name="waiting", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _say(self, since: datetime) -> None:
        waited_s = (datetime.now(UTC) - since).total_seconds()
        self._report(f"{message(PHASES[PHASE])} So far {waited_s:.0f} s.")

    def _show(self, since: datetime) -> None:
        if self._queue is None:
            return
        try:
            if (trial := self._queue.next_trial()) is not None:
                self._live.publish_phase(trial, PHASE, (), since)
        except Unavailable as error:
            log.debug("the trial that waits is not known: %s", error)
