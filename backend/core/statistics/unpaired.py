"""Two separate samples: the exact, tie-aware Mann-Whitney U test of benchstat, and a ratio interval.

Sources: aclements/go-moremath `stats.MannWhitneyUTest` (p), Hodges and Lehmann 1963 (ratio), Moses
(interval; Hollander and Wolfe, section 4.3). `scipy.stats.mannwhitneyu` is not equal: its default
approximates, and its exact method ignores ties. As in benchstat, p is twice P(U₁ ≤ min(U₁, U₂)):
with ties and unequal sizes that distribution is lopsided, so that swapping the samples can change p.

What differs from benchstat, on purpose:
- benchstat can print p above 1 (with ties and unequal sizes): here it is held to 1.
- benchstat can print p = 0 there: here it is read from the other sample's distribution, and never 0.
- benchstat prints the change between two medians, and "?" where the first is 0: here the estimate is the
  Hodges-Lehmann ratio with its interval, which benchstat has not; and it is undefined as soon as any
  value is 0 or negative, because it is a difference of logarithms. p needs no ratio and is still there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from backend.core.statistics.paired import Bounds, RatioEstimate, Undefined

METHOD = "two samples: exact Mann-Whitney U with ties, Hodges-Lehmann ratio with Moses interval"
_LARGEST = 700.0
"""The largest logarithm whose exponential is still finite, about."""
EXACT_LIMIT = 50
EXACT_LIMIT_TIES = 25
MOST_STEPS = 10**8
"""Of the exact distribution of U, whose work grows with (n1 + n2)² × the smaller one squared."""


def mann_whitney_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p that neither sample tends to larger values; exact to n = 50, 25 with ties."""
    n1, n2 = len(first), len(second)
    ranks = np.rint(2 * rankdata([*first, *second])).astype(np.int64)
    doubled = tuple(int(rank) for rank in np.sort(ranks))
    doubled_u1 = int(ranks[:n1].sum()) - n1 * (n1 + 1)
    doubled_u2 = 2 * n1 * n2 - doubled_u1
    if doubled_u1 == doubled_u2:
        return 1.0
    ties = len(set(doubled)) < len(doubled)
    if max(n1, n2) > (EXACT_LIMIT_TIES if ties else EXACT_LIMIT):
        return _normal_p(doubled, n1, n2, doubled_u1 / 2)
    smaller = min(doubled_u1, doubled_u2)
    below = float(_cumulative(doubled, n1)[smaller + n1 * (n1 + 1)])
    if below == 0:
        # A lopsided null that cannot reach so low; the second sample's own distribution can.
        below = float(_cumulative(doubled, n2)[smaller + n2 * (n2 + 1)])
    return min(1.0, 2 * below)


def u_statistic(first: Sequence[float], second: Sequence[float]) -> float:
    """U of the first sample: pairs in which it is larger, ties counting half."""
    ranks = rankdata([*first, *second])
    n1 = len(first)
    return float(ranks[:n1].sum()) - n1 * (n1 + 1) / 2


def probability_of_superiority(first: Sequence[float], second: Sequence[float]) -> float:
    """A12 (Vargha and Delaney): the chance that a value of the second exceeds one of the first."""
    return u_statistic(second, first) / (len(first) * len(second))


@lru_cache(maxsize=512)
def _cumulative(doubled_ranks: tuple[int, ...], size: int) -> NDArray[np.float64]:
    """P(sum of the doubled ranks of a random subset of this size ≤ s) for every s."""
    most = sum(doubled_ranks[-size:])
    counts = np.zeros((size + 1, most + 1))
    counts[0, 0] = 1.0
    for rank in doubled_ranks:
        counts[1:, rank:] += counts[:-1, : most + 1 - rank].copy()
    cumulative: NDArray[np.float64] = np.cumsum(counts[size]) / math.comb(len(doubled_ranks), size)
    cumulative.flags.writeable = False
    return cumulative


def _normal_p(doubled_ranks: tuple[int, ...], n1: int, n2: int, u1: float) -> float:
    """Normal approximation with tie and continuity correction."""
    total = n1 + n2
    _, sizes = np.unique(doubled_ranks, return_counts=True)
    ties = float(np.sum(sizes.astype(float) ** 3 - sizes)) / (total * (total - 1))
    deviation = math.sqrt(n1 * n2 / 12 * (total + 1 - ties))
    if deviation == 0:
        return 1.0
    distance = max(0.0, abs(u1 - n1 * n2 / 2) - 0.5)
    return min(1.0, 2 * NormalDist().cdf(-distance / deviation))


@lru_cache(maxsize=512)
def moses_order(n1: int, n2: int, confidence: float) -> int | None:
    """k such that the kth smallest and kth largest ratio of pairs bound the interval.

    The largest k with 2 P(U ≤ k − 1) ≤ 1 − confidence under the null without ties, exact to n = 50 and as
    far as MOST_STEPS go; beyond, by the normal distribution, which is poor where one sample is tiny.
    """
    alpha, (few, many) = 1 - confidence, sorted((n1, n2))
    total = n1 + n2
    if many <= EXACT_LIMIT or total**2 * few**2 <= MOST_STEPS:
        ranks = tuple(2 * rank for rank in range(1, total + 1))
        cumulative = _cumulative(ranks, few)[few * (few + 1) :: 2]
        order = int(np.searchsorted(2 * cumulative, alpha + 1e-12, side="right"))
    elif few == 1:
        order = math.floor(alpha * (many + 1) / 2 + 1e-9)  # P(U ≤ k − 1) is k ÷ (n + 1)
    else:
        deviation = math.sqrt(n1 * n2 * (total + 1) / 12)
        order = math.floor(n1 * n2 / 2 - NormalDist().inv_cdf(1 - alpha / 2) * deviation)
    return order if order > 0 else None


def unpaired_ratio(baseline: Sequence[float], other: Sequence[float]) -> RatioEstimate:
    """The ratio other ÷ baseline of two independent samples; raises Undefined as `paired_ratio`."""
    if not baseline or not other:
        raise Undefined("one side has no values")
    if not math.isfinite(sum(baseline) + sum(other)):
        raise Undefined("a value is not a finite number")
    if np.median(baseline) == 0 or np.median(other) == 0:
        raise Undefined("a median is zero")
    if min(*baseline, *other) <= 0:
        raise Undefined("a value is zero or the sign changes")
    if abs(math.log(max(other)) - math.log(min(baseline))) > _LARGEST or (
        abs(math.log(min(other)) - math.log(max(baseline))) > _LARGEST
    ):
        raise Undefined("the ratio is beyond all bounds")
    ratios = np.sort(
        np.divide.outer(np.asarray(other, dtype=float), np.asarray(baseline, dtype=float)).ravel()
    )
    n1, n2 = len(baseline), len(other)
    return RatioEstimate(
        n=min(n1, n2),
        ratio=float(np.exp(np.median(np.log(ratios)))),
        interval=_bounds(ratios, moses_order(n1, n2, 0.95)),
        interval_90=_bounds(ratios, moses_order(n1, n2, 0.90)),
        p=mann_whitney_p(baseline, other),
        method=METHOD,
    )


def _bounds(ratios: NDArray[np.float64], order: int | None) -> Bounds | None:
    return None if order is None else (float(ratios[order - 1]), float(ratios[-order]))
