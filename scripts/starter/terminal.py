"""One progress line per step on the terminal, with the seconds since `scripts/up` was called."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field


class Refusal(Exception):
    """The start cannot go on; the text is one clear sentence for the user."""


@dataclass
class Terminal:
    """Prints lines from any thread; a terminal that has gone away is not an error.

    `elapsed` is what had passed, in seconds, before this process began.
    """

    elapsed: float = 0.0
    _began: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def say(self, step: str, text: str) -> None:
        """One progress line."""
        seconds = int(self.elapsed + time.monotonic() - self._began)
        self.plain(f"{seconds:4d} s  {step:<10} {text}")

    def plain(self, text: str) -> None:
        """Text as it is, on standard output."""
        with self._lock:
            try:
                print(text, flush=True)
            except (BrokenPipeError, OSError):
                # The reader is gone (closed terminal); stopping cleanly matters more.
                return

    def fail(self, text: str) -> None:
        """One sentence on standard error."""
        with self._lock:
            try:
                print(f"plimsoll: {text}", file=sys.stderr, flush=True)
            except (BrokenPipeError, OSError):
                return
