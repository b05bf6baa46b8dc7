"""The 10 Hz sampler: CPU by role over the window, for the time series and for the live view."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from backend.core.sample.record import CpuPoint

INTERVAL_S = 0.1
SLOW_EVERY = 5
"""Readings between two turns of the slow lane: half a second."""
Reader = Callable[[], Mapping[str, int]]
"""Answers nanoseconds of CPU so far, by role."""


class Sampler:
    """Reads every role's CPU ten times a second, on a schedule that does not drift.

    `slow` is called every half second from the same thread, for what is too dear to do ten times.
    `points` holds cores between two readings; `cpu_ns` what the sampling itself has cost, at the end.
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
            tick = max(tick, int((now - began) / INTERVAL_S)) + 1  # one that came late skips those it missed
        self.cpu_ns = time.thread_time_ns()
