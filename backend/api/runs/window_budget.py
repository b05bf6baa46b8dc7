"""Keeps CPU-bound work of the API out of the measured windows of its own host."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from backend.measured_window import MeasuredWindow

SHARE: Final = 0.01
"""Share of a core that all requests together may use inside a window."""
CHECK_S: Final = 0.5
"""Interval of the check for a window that ends early."""

ReadWindow = Callable[[], MeasuredWindow | None]


class WindowBudget:
    """Decides when work of a known cost may start. Thread-safe.

    Outside windows, if it ends before the next one begins; inside one, if the window's share is not used up.
    """

    def __init__(self, window: ReadWindow, clock: Callable[[], float] = time.time) -> None:
        self._window = window
        self._clock = clock
        self._lock = threading.Lock()
        self._used: tuple[MeasuredWindow, float] | None = None

    def window(self) -> MeasuredWindow | None:
        """The present or next window, as known now."""
        return self._window()

    def begins_within(self, seconds: float) -> bool:
        """Whether a window has begun, or begins within so many seconds."""
        window, now = self._window(), self._clock()
        return window is not None and window.begins_at - seconds <= now < window.ends_at

    def admits(self, cost_s: float) -> bool:
        """Whether work of so many CPU seconds may start now; inside a window it is charged at once."""
        return self._opens_in(cost_s) <= 0

    def wait(self, cost_s: float, bound_s: float) -> bool:
        """Return when the work may start, or after `bound_s`; whether it was admitted."""
        deadline = self._clock() + bound_s
        sleeping = threading.Event()
        while (left := self._opens_in(cost_s)) > 0:
            remaining = deadline - self._clock()
            if remaining <= 0:
                return False
            sleeping.wait(min(left, remaining, CHECK_S))
        return True

    def _opens_in(self, cost_s: float) -> float:
        """Seconds until work of this cost may start, as known now."""
        window = self._window()
        now = self._clock()
        if window is None or now >= window.ends_at or now + cost_s <= window.begins_at:
            return 0.0
        with self._lock:
            used = self._used[1] if self._used is not None and self._used[0] == window else 0.0
            if used + cost_s <= SHARE * window.seconds:
                self._used = (window, used + cost_s)
                return 0.0
        return window.ends_at - now
