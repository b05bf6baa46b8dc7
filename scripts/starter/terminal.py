"""One progress line per step on the terminal, with the seconds since `scripts/up` was called."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field


class Refusal(Exception):
    """The start cannot continue; the text is one sentence for the user."""


@dataclass
class Terminal:
    """Prints lines from any thread; a closed terminal is no error.

    `elapsed` is the time in seconds before this process began.
    """

    elapsed: float = 0.0
    _began: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _last: float = field(default_factory=time.monotonic)

    @property
    def silence(self) -> float:
        """Seconds since the last line."""
        return time.monotonic() - self._last

    def say(self, step: str, text: str) -> None:
        """Print one progress line."""
        seconds = int(self.elapsed + time.monotonic() - self._began)
        self.plain(f"{seconds:4d} s  {step:<10} {text}")

    def plain(self, text: str) -> None:
        """Print text unchanged on standard output."""
        with self._lock:
            self._last = time.monotonic()
            try:
                print(text, flush=True)
            except (BrokenPipeError, OSError):
                # The terminal was closed; a clean stop is more important.
                return

    def fail(self, text: str) -> None:
        """Print one sentence on standard error."""
        with self._lock:
            try:
                print(f"plimsoll: {text}", file=sys.stderr, flush=True)
            except (BrokenPipeError, OSError):
                return
