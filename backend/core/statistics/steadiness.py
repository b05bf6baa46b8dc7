"""Whether a trial was steady: the first half of its per-second series against the second half.

A trial that is not steady gets a warning and is kept; no data are trimmed (Barrett et al. 2017 on warm-up
that never ends). It gets the warning where the medians of the halves differ by more than the tolerance *and*
the U test is significant: by the tolerance alone, 16 % of steady 10-second series with 10 % noise between
seconds would get it, and 50 % of those with 20 %; by both, at most 5 %. Series shorter than eight points are
not tested: no test of their halves reaches 5 %, and the tolerance alone would flag up to a third of the
steady ones.

MSER-5 (White, Cobb and Spratt 2000: leave out as many batches of five as make the mean's standard error
smallest) is not used. It determines how much to cut off a long series, not whether it is steady: it would cut
4 in 10 steady series of 60 seconds, and a window of 10 seconds has only two batches.
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


@dataclass(frozen=True)
class Steadiness:
    """Medians of both halves and their relative change; the middle of an odd number of points is in neither
    half."""

    first: float
    second: float
    change: float
    steady: bool


def steadiness(series: Sequence[float], tolerance: float = TOLERANCE) -> Steadiness | None:
    """The comparison of the halves of a series; None where it is too short, or zero in both halves.

    `change` is infinite where only the first half is zero.
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
