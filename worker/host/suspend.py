"""How long the host has been suspended since its boot."""

from __future__ import annotations

import time

SHORTEST_S = 0.1
"""A shorter suspension is not detected: on a busy host the two clocks are read some milliseconds apart."""


def suspended_s() -> float:
    """Seconds of suspension so far: CLOCK_BOOTTIME counts them, CLOCK_MONOTONIC does not."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
