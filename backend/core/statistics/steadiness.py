"""Whether a trial was steady: its per-second series, first half against second half.

A trial that is not steady is flagged and stays in; nothing is trimmed by looking at it (Barrett et al.
2017 on warm-up that never ends). It is flagged where the medians of the halves differ by more than the
tolerance *and* the U test tells the halves apart: by the tolerance alone, 16 % of steady 10-second series
with 10 % noise from second to second would be flagged, 50 % of those with 20 %; by both, at most 5 %. Of
series shorter than eight points, whose halves no test at 5 % can tell apart, nothing is said: a rule that
flags those would flag up to a third of the steady ones.

MSER-5 (White, Cobb and Spratt 2000: leave out as many batches of five as make the mean's standard error
smallest) is not used. It says how much to cut off a long series, not whether one is steady: it would cut
something off 4 in 10 steady series of 60 seconds, and a window of 10 seconds has but two batches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from backend.core.plan.power import ALPHA
from backend.core.statistics.unpaired import mann_whitney_p

MINIMUM_POINTS: Final = 8
TOLERANCE: Final = 0.10
UNSTEADY: Final = "not steady"
"""What the warning of a trial begins with that was not steady."""


@dataclass(frozen=True)
class Steadiness:
    """Medians of both halves and their relative change; the middle one of an odd number is in neither."""

    first: float
    second: float
    change: float
    steady: bool


def steadiness(series: Sequence[float], tolerance: float = TOLERANCE) -> Steadiness | None:
    """Compare the halves of a series; None where it is too short to tell, or zero in both halves.

    From a half at zero to one above it the change is infinite.
    """
    if len(series) < MINIMUM_POINTS:
        return None
    half = len(series) // 2
    first, second = float(np.median(series[:half])), float(np.median(series[-half:]))
    if first == second == 0:
        return None
    change = second / first - 1 if first else math.inf
    steady = abs(change) <= tolerance or mann_whitney_p(series[:half], series[-half:]) > ALPHA
    return Steadiness(first, second, change, steady)
