"""The request to stop, by SIGINT, SIGTERM or SIGHUP; repeated requests count once.

The waiting for it also ends when a child ends, so that nothing has to poll for it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable
from types import FrameType


class Stopped(Exception):
    """A stop was requested while waiting."""


class Stop:
    """Interruptible waiting for the main thread.

    A signal sets a flag and ends the waiting by a byte in the pipe that `wait` selects on. CPython itself
    writes that byte (https://docs.python.org/3/library/signal.html#signal.set_wakeup_fd): a handler in Python
    runs only when the main thread executes Python again, so after a `select` that a signal did not interrupt,
    because it came just before or to another thread.
    """

    def __init__(self) -> None:
        self.requested = False
        self.repeats = 0
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)

    def install(self) -> None:
        """Handle SIGINT, SIGTERM, SIGHUP and the end of a child from now on."""
        signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._handle)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        if self.requested:
            self.repeats += 1
        self.requested = True

    def request(self) -> None:
        """Request the stop from within the program; safe from any thread."""
        self.requested = True
        self.wake()

    def wake(self) -> None:
        """End the present wait, or the next one; safe from any thread."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._write, b"x")

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`, until a stop is requested or until `wake`; returns whether a stop was.

        What the caller waits for is checked before: a `wake` since then ends this wait.
        """
        if not self.requested:
            select.select([self._read], [], [], seconds)
            with contextlib.suppress(BlockingIOError):
                os.read(self._read, select.PIPE_BUF)
        return self.requested

    def until(self, condition: Callable[[], bool], limit: float, interval: float = 0.1) -> bool:
        """Wait until `condition` holds; False after `limit` seconds. Raises Stopped."""
        deadline = time.monotonic() + limit
        while not condition():
            if self.wait(interval):
                raise Stopped
            if time.monotonic() > deadline:
                return False
        return True
