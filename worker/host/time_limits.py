"""One factor for every time limit of this host's worker: PLIMSOLL_TIME_FACTOR, for slow disks and CPUs.

`set_factor`, or `read_factor` in a process without settings, is called once at the start; each limit is
multiplied where it is used.
"""

from __future__ import annotations

import os

SETTING = "PLIMSOLL_TIME_FACTOR"
_factors = [1.0]


def set_factor(factor: float) -> None:
    """Multiply every limit from now on."""
    _factors[0] = factor


def read_factor() -> None:
    """Set the factor of the environment; 1 where it has none that the starter accepts."""
    try:
        set_factor(max(1.0, float(os.environ.get(SETTING) or 1)))
    except ValueError:
        set_factor(1.0)


def limit(seconds: float) -> float:
    """A limit of so many seconds on a host of usual speed, as it is on this one."""
    return seconds * _factors[0]


def late(seconds: float) -> str:
    """What a message says after such a limit."""
    return f"within {limit(seconds):g} s; on a slow host, set {SETTING} to {2 * _factors[0]:g}"
