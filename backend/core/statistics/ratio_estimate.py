"""A ratio with its intervals. This file loads no numerical library.

Importing SciPy takes most of the time of a short command; what only shows a ratio does without it.
"""

from __future__ import annotations

from dataclasses import dataclass

Bounds = tuple[float, float]
"""Lower and upper end of an interval."""


@dataclass(frozen=True)
class RatioEstimate:
    """A ratio with its intervals; None where n is too small for one.

    Of a single comparison, `interval` and `interval_90` hold 95 % and 90 %, over all interim analyses where
    there are several. As a member of a `family` of comparisons (`statistics.family`) `interval` holds 95 %
    simultaneously over the family, and excludes 1 exactly where `p_adjusted` is at most 5 %; `interval_90`
    decides equivalence at a one-sided family-wise error of 5 %; `interval_unadjusted` is this comparison's
    own 95 % interval.
    """

    n: int
    ratio: float
    interval: Bounds | None
    interval_90: Bounds | None
    p: float
    method: str
    p_adjusted: float | None = None
    interval_unadjusted: Bounds | None = None
    family: int = 1


class Undefined(ValueError):
    """There is no ratio; the text is the reason."""
