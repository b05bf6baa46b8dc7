"""Checks whether a service still answers, in a thread of its own so that the supervisor never blocks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

CHECK_SECONDS: Final = 3.0
"""Time between two checks of a service that answers."""
RETRY_SECONDS: Final = 1.0
"""The same while it does not: its restart is late by at most a check of four seconds and this."""
FEWEST_FAILURES: Final = 3
"""One late answer is no failure, also where this process itself was stopped for a while."""


@dataclass(frozen=True)
class Health:
    """How a service is checked, and the time in seconds without an answer after which it is restarted.

    `answers` returns within a few seconds, whatever the service does.
    """

    answers: Callable[[], bool]
    silence_limit: float = 15.0


class Liveness:
    """Checks every few seconds, from `start` to `stop`; call `forgive` after each start of the service.

    `silent` is called in its thread when `silence` is not None any more.
    """

    def __init__(self, health: Health, silent: Callable[[], None], interval: float = CHECK_SECONDS) -> None:
        self._health = health
        self._silent = silent
        self._interval = interval
        self._answered_at = time.monotonic()
        self.failures = 0
        """Checks without an answer since the last one with an answer."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._check, name="liveness", daemon=True)

    def start(self) -> None:
        """Begin to check."""
        self._thread.start()

    def stop(self) -> None:
        """Stop checking; does not wait for a running check."""
        self._ended.set()

    def forgive(self, seconds: float) -> None:
        """Count missing answers only from its first answer on, or after so many seconds."""
        self.failures = 0
        self._answered_at = time.monotonic() + seconds

    @property
    def pause_s(self) -> float:
        """Seconds until the next check."""
        return min(RETRY_SECONDS, self._interval) if self.failures else self._interval

    @property
    def silence(self) -> float | None:
        """Seconds without an answer if they exceed the limit, else None."""
        silent = time.monotonic() - self._answered_at
        beyond = silent >= self._health.silence_limit and self.failures >= FEWEST_FAILURES
        return silent if beyond else None

    def _check(self) -> None:
        while not self._ended.wait(self.pause_s):
            if self._health.answers():
                self._answered_at, self.failures = time.monotonic(), 0
                continue
            self.failures += 1
            if self.silence is not None:
                self._silent()
