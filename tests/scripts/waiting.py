"""Waiting for a condition with a limit."""

from __future__ import annotations

import time
from collections.abc import Callable


def eventually(condition: Callable[[], bool], limit: float = 120.0) -> bool:
    """Whether the condition comes to hold within the limit."""
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
