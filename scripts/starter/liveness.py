"""Checks whether a service still answers, in a thread of its own so that the supervisor never blocks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

CHECK_SECONDS: Final = 1.0
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
    """Checks once a second, from `start` to `stop`; call `forgive` after each start of the service."""

    def __init__(self, health: Health, interval: float = CHECK_SECONDS) -> None:
        self._health = health
        self._interval = interval
        self._answered_at = time.monotonic()
        self._failures = 0
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
        self._failures = 0
        self._answered_at = time.monotonic() + seconds

    @property
    def silence(self) -> float | None:
        """Seconds without an answer if they exceed the limit, else None."""
        silent = time.monotonic() - self._answered_at
        beyond = silent >= self._health.silence_limit and self._failures >= FEWEST_FAILURES
        return silent if beyond else None

    def _check(self) -> None:
        while not self._ended.wait(self._interval):
            if self._health.answers():
                self._answered_at, self._failures = time.monotonic(), 0
            else:
                self._failures += 1
