"""Work that a thread of the API repeats until the API stops."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable

from backend.core.errors import PlimsollError

logger = logging.getLogger(__name__)


class BackgroundLoop:
    """A thread that awaits `work` every `every_s` seconds; with 0 it is never started.

    `late` says in the log what is late after an error. One event loop for all passes: the end of a loop
    waits for names that are still being resolved.
    """

    def __init__(self, name: str, every_s: float, work: Callable[[], Awaitable[object]], late: str) -> None:
        self._every_s, self._work, self._late = every_s, work, late
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called; long work ends early then."""
        return self._stopped.is_set()

    def start(self) -> None:
        """Begin; the first pass is after `every_s` seconds."""
        if self._every_s:
            self._thread.start()

    def stop(self, within_s: float) -> None:
        """Begin no further pass, and wait at most `within_s` for the one that goes on."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(within_s)

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            while not self._stopped.wait(self._every_s):
                try:
                    runner.run(self._pass())
                except PlimsollError as error:
                    logger.warning("%s: %s", self._late, error)
                except Exception:
                    # The thread must outlive a defect: other work still has to be done.
                    logger.exception(self._late)

    async def _pass(self) -> None:
        await self._work()
