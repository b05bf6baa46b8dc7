"""Whether a trial was steady: its per-second series, first half against second half.

A trial that is not steady is flagged and stays in; nothing is trimmed by looking at it (Barrett et
al. 2017 on warm-up that never ends).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

MINIMUM_POINTS: Final = 4
TOLERANCE: Final = 0.10


@dataclass(frozen=True)
class Steadiness:
    """Medians of both halves and their relative change; the middle one of an odd number is in neither."""

    first: float
    second: float
    change: float
    steady: bool


def steadiness(series: Sequence[float], tolerance: float = TOLERANCE) -> Steadiness | None:
    """Compare the halves of a series; None where it is too short to tell or begins at zero."""
    if len(series) < MINIMUM_POINTS:
        return None
    half = len(series) // 2
    first, second = float(np.median(series[:half])), float(np.median(series[-half:]))
    if first == 0:
        return None
    change = second / first - 1
    return Steadiness(first, second, change, abs(change) <= tolerance)
