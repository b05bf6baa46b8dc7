"""Whether a service still answers, asked from a thread of its own so that watching never blocks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

ASK_SECONDS: Final = 1.0
FEWEST_FAILURES: Final = 3
"""One late answer is no silence, also where this process itself was stopped for a while."""


@dataclass(frozen=True)
class Health:
    """How a service is asked whether it answers, and the silence in seconds after which it is restarted.

    `answers` returns within a few seconds, whatever the service does.
    """

    answers: Callable[[], bool]
    silence_limit: float = 15.0


class Liveness:
    """Asks once a second, from `start` to `stop`; `forgive` after each start of the service."""

    def __init__(self, health: Health, interval: float = ASK_SECONDS) -> None:
        self._health = health
        self._interval = interval
        self._heard = time.monotonic()
        self._failures = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._ask, name="liveness", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more; does not wait for the question that is under way."""
        self._ended.set()

    def forgive(self, seconds: float) -> None:
        """Count silence only from its first answer on, or after so many seconds."""
        self._failures = 0
        self._heard = time.monotonic() + seconds

    @property
    def silence(self) -> float | None:
        """For how many seconds it has not answered, where that is beyond its limit."""
        silent = time.monotonic() - self._heard
        beyond = silent >= self._health.silence_limit and self._failures >= FEWEST_FAILURES
        return silent if beyond else None

    def _ask(self) -> None:
        while not self._ended.wait(self._interval):
            if self._health.answers():
                self._heard, self._failures = time.monotonic(), 0
            else:
                self._failures += 1
