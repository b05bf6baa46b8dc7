"""The 5 Hz sampler: CPU by role over the window, for the time series and for the live view.

A reading costs about 0.1 ms of CPU, and as much again for cold caches beside a busy load, so that the number
of wake-ups determines the cost.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from backend.core.sample.record import CpuPoint

INTERVAL_S = 0.2
SLOW_EVERY = 3
"""Readings between two calls of `slow`: 0.6 seconds."""
Reader = Callable[[], Mapping[str, int]]
"""Returns nanoseconds of CPU so far, by role."""


class Sampler:
    """Reads every role's CPU five times a second, on a schedule that does not drift.

    `slow` is called at every third reading, from the same thread, for what costs too much to do each time.
    `points` holds cores between two readings; `cpu_ns` is the CPU of the sampling itself, set at the end.
    """

    def __init__(self, read: Reader, slow: Callable[[], None] | None = None) -> None:
        self._read = read
        self._slow = slow
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sampler", daemon=True)
        self.points: list[CpuPoint] = []
        self.cpu_ns = 0

    def __enter__(self) -> Sampler:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        began = time.monotonic()
        before, previous = self._read(), began
        tick = 1
        while not self._stop.wait(max(0.0, began + tick * INTERVAL_S - time.monotonic())):
            now, current = time.monotonic(), self._read()
            span_ns = (now - previous) * 1e9
            self.points.append(
                CpuPoint(
                    t=round(now - began, 3),
                    cores={
                        role: round(max(0, current[role] - before[role]) / span_ns, 4) for role in current
                    },
                )
            )
            if self._slow is not None and len(self.points) % SLOW_EVERY == 0:
                self._slow()
            before, previous = current, now
            tick = max(tick, int((now - began) / INTERVAL_S)) + 1  # a late one skips those it missed
        self.cpu_ns = time.thread_time_ns()
