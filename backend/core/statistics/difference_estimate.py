"""A difference with its intervals, in the values' own unit. This file loads no numerical library."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.statistics.ratio_estimate import Bounds


@dataclass(frozen=True)
class DifferenceEstimate:
    """other − base over n rounds, in the values' unit; an interval is None where n is too small for one.

    As a member of a `family` (`statistics.family`) its interval holds 95 % simultaneously over the family,
    and excludes 0 exactly where `p_adjusted` is at most 5 %; `interval_90` decides equivalence.
    """

    n: int
    estimate: float
    interval: Bounds | None
    p: float
    p_adjusted: float | None = None
    interval_unadjusted: Bounds | None = None
    family: int = 1
    interval_90: Bounds | None = None
    method: str = ""

    @property
    def is_none(self) -> bool:
        """Whether only a difference of exactly 0 remains possible, which lies within any margin."""
        return self.interval_90 == (0.0, 0.0)
