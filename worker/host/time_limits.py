"""One factor for every time limit of this host's worker: PLIMSOLL_TIME_FACTOR, for slow disks and CPUs.

`set_factor` is called once, before the testbed starts; each limit is multiplied where it is used.
"""

from __future__ import annotations

SETTING = "PLIMSOLL_TIME_FACTOR"
_factors = [1.0]


def set_factor(factor: float) -> None:
    """Multiply every limit from now on."""
    _factors[0] = factor


def limit(seconds: float) -> float:
    """A limit of so many seconds on a host of usual speed, as it is on this one."""
    return seconds * _factors[0]


def late(seconds: float) -> str:
    """What a message says after such a limit."""
    return f"within {limit(seconds):g} s; on a slow host, set {SETTING} to {2 * _factors[0]:g}"
