"""How long the host has been suspended since it started."""

from __future__ import annotations

import time

SHORTEST_S = 0.1
"""The two clocks are read one after the other, on a busy machine some milliseconds apart."""


def suspended_s() -> float:
    """Seconds of suspension so far: CLOCK_BOOTTIME counts them, CLOCK_MONOTONIC does not."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
