"""Median and its order-statistic interval, exactly as benchstat computes them.

Source: golang.org/x/perf `benchmath` and aclements/go-moremath `stats.QuantileCI`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

CONFIDENCE = 0.95
_EXACT_LIMIT = 30
_LEANS_RIGHT = frozenset((24,))
"""Where rounding in go-moremath's binomial density resolves a tie to the right: (8, 18), not (7, 17)."""


@dataclass(frozen=True)
class MedianInterval:
    """The median of n values and its interval; `low` or `high` is None where n is too small for that bound.

    `confidence` is the actual coverage of the interval.
    """

    n: int
    median: float
    low: float | None
    high: float | None
    confidence: float


@cache
def median_orders(n: int) -> tuple[int, int, float]:
    """The order statistics (from 1) that bound the median at 95 %, and their actual confidence.

    0 means −∞ and n + 1 means +∞. Starts at the middle and adds the more probable neighbour, on ties the left
    one, until the confidence is reached; above 30 values by the normal approximation.
    """
    if n > _EXACT_LIMIT:
        return _approximate_orders(n)
    left = right = math.ceil((n + 1) / 2) - 1
    reached = _half(n, left)
    while reached < CONFIDENCE and (left > 0 or right < n):
        below, above = _half(n, left - 1), _half(n, right + 1)
        if below > above or (below == above and n not in _LEANS_RIGHT):
            left -= 1
            reached += below
        else:
            right += 1
            reached += above
    return left, right + 1, reached


def _half(n: int, count: int) -> float:
    """The probability that exactly `count` of n values lie below the median; 0 outside."""
    return math.comb(n, count) / 2**n if 0 <= count <= n else 0.0


def _approximate_orders(n: int) -> tuple[int, int, float]:
    """The normal approximation with continuity correction, without the last value where that suffices."""
    normal = NormalDist(n / 2, math.sqrt(n) / 2)
    lower = normal.inv_cdf((1 - CONFIDENCE) / 2)
    left = math.floor(lower - 0.5) + 1
    right = math.ceil(n - lower - 0.5) + 1

    def between(first: int, last: int) -> float:
        return normal.cdf(last - 0.5) - normal.cdf(first - 0.5)

    if CONFIDENCE <= between(left, right - 1) < between(left, right):
        right -= 1
    return left, right, between(left, right)


def median_interval(values: Sequence[float]) -> MedianInterval:
    """The median and its interval, of at least one value. No value is dropped."""
    ordered = sorted(values)
    n = len(ordered)
    left, right, actual = median_orders(n)
    return MedianInterval(
        n=n,
        median=float(ordered[(n - 1) // 2] + ordered[n // 2]) / 2,
        low=float(ordered[left - 1]) if left >= 1 else None,
        high=float(ordered[right - 1]) if right <= n else None,
        confidence=actual,
    )


def cv_percent(values: Sequence[float]) -> float | None:
    """Coefficient of variation in percent, or None for fewer than two values or a mean of zero."""
    mean = math.fsum(values) / len(values) if values else 0.0
    if len(values) < 2 or mean == 0:
        return None
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return 100 * math.sqrt(variance) / abs(mean)
