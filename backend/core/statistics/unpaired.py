"""Two independent samples: an exact, tie-aware Mann-Whitney U test, and a ratio with its interval.

Sources: Mann and Whitney 1947 (U), Hodges and Lehmann 1963 (ratio), Moses (interval; Hollander and Wolfe,
section 4.3). `scipy.stats.mannwhitneyu` is not equal: its default approximates, and its exact method
ignores ties.

p is that of the permutation distribution of |U − n₁n₂/2|: swapping the samples cannot change it, and it is
valid with any ties. benchstat (aclements/go-moremath `stats.MannWhitneyUTest`) doubles P(U₁ ≤ min(U₁, U₂))
instead. Both are equal without ties or with samples of equal size; with ties and unequal sizes the null
distribution of U is skewed, and benchstat's value is no valid p: it changes under swapping and can be 0 or
above 1. `benchstat_p` returns that value, for comparison with benchstat's output.

Other differences: benchstat prints the change between two medians, and "?" where the first is 0. Here the
estimate is the Hodges-Lehmann ratio with its interval, which benchstat does not have; it is undefined where
any value is 0 or negative, because it is a difference of logarithms. p needs no ratio and is always defined.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from backend.core.statistics.paired import ORDINARY, Bounds, RatioEstimate, Undefined

METHOD = "two samples: exact Mann-Whitney U with ties, Hodges-Lehmann ratio with Moses interval"
_LARGEST = 700.0
"""The largest logarithm whose exponential is still finite, about."""
LAST_DIGITS = 1e-11
"""Logarithms closer than this are ties."""
EXACT_LIMIT = 50
EXACT_LIMIT_TIES = 25
MOST_STEPS = 10**8
"""Limit of (n1 + n2)² × min(n1, n2)², the steps of the exact distribution of U."""


def smallest_p_unpaired(n: int) -> float:
    """The smallest two-sided p of the U test with n values on either side: 2 ÷ C(2n, n)."""
    return min(1.0, 2 / math.comb(2 * n, n))


def mann_whitney_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided permutation p against the hypothesis that both samples have one distribution.

    The share of all splits of the pooled values whose U is at least as far from its mean as here; exact to
    n = 50, 25 with ties, normal beyond. Swapping the samples does not change it.
    """
    n1, n2 = sorted((len(first), len(second)))
    doubled, doubled_u = _doubled_ranks(first, second)
    distance = abs(doubled_u - len(first) * len(second))
    if distance == 0:
        return 1.0
    if _is_large(doubled, n1, n2):
        return _normal_p(doubled, n1, n2, doubled_u / 2)
    cumulative, centre = _cumulative(doubled, n1), n1 * n2 + n1 * (n1 + 1)
    lower, upper = centre - distance, centre + distance
    below = float(cumulative[lower]) if lower >= 0 else 0.0
    if n1 == n2 or len(set(doubled)) == len(doubled):
        return min(1.0, 2 * below)
    above = float(1 - cumulative[upper - 1]) if upper - 1 < cumulative.size else 0.0
    return min(1.0, below + above)


def benchstat_p(first: Sequence[float], second: Sequence[float]) -> float:
    """The p that benchstat prints: twice the smaller tail. With ties and unequal sizes it is no valid p."""
    n1, n2 = len(first), len(second)
    doubled, doubled_u1 = _doubled_ranks(first, second)
    smaller = min(doubled_u1, 2 * n1 * n2 - doubled_u1)
    if smaller == n1 * n2:
        return 1.0
    if _is_large(doubled, n1, n2):
        return _normal_p(doubled, n1, n2, doubled_u1 / 2)
    return 2 * float(_cumulative(doubled, n1)[smaller + n1 * (n1 + 1)])


def _doubled_ranks(first: Sequence[float], second: Sequence[float]) -> tuple[tuple[int, ...], int]:
    """Twice the midranks of all values, ascending, and twice U of the first sample."""
    n1, pooled = len(first), np.asarray([*first, *second], dtype=float)
    ordered = np.sort(pooled)
    ranks = np.searchsorted(ordered, pooled) + np.searchsorted(ordered, pooled, side="right") + 1
    return tuple(np.sort(ranks).tolist()), int(ranks[:n1].sum()) - n1 * (n1 + 1)


def _is_large(doubled: tuple[int, ...], n1: int, n2: int) -> bool:
    """Whether a sample is too large for the exact distribution; the limits are those of benchstat."""
    return max(n1, n2) > (EXACT_LIMIT_TIES if len(set(doubled)) < len(doubled) else EXACT_LIMIT)


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

    The largest k with 2 P(U ≤ k − 1) ≤ 1 − confidence under the null without ties: exact to n = 50 and within
    MOST_STEPS; beyond, by the normal distribution, which is poor where one sample is very small.
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


def moses_p(n1: int, n2: int, count: int) -> float:
    """Two-sided p by `count`, the smaller of the numbers of pairs with a ratio at most 1 and at least 1.

    The inverse of `moses_order`: an interval at 1 − α excludes 1 exactly where this is at most α.
    """
    (few, many), total = sorted((n1, n2)), n1 + n2
    if many <= EXACT_LIMIT or total**2 * few**2 <= MOST_STEPS:
        ranks = tuple(2 * rank for rank in range(1, total + 1))
        return min(1.0, 2 * float(_cumulative(ranks, few)[few * (few + 1) :: 2][count]))
    if few == 1:
        return min(1.0, 2 * (count + 1) / (many + 1))
    deviation = math.sqrt(n1 * n2 * (total + 1) / 12)
    return min(1.0, 2 * NormalDist().cdf((count + 1 - n1 * n2 / 2) / deviation))


def unpaired_ratio(baseline: Sequence[float], other: Sequence[float], family: int = 1) -> RatioEstimate:
    """The ratio other ÷ baseline of two independent samples. Raises Undefined as `paired_ratio`.

    `family` is the number of comparisons over which its intervals hold (Bonferroni); `interval` excludes 1
    exactly where `p_adjusted` is at most 5 %.
    """
    require_ratio(baseline, other)
    ours, theirs = (np.log(np.asarray(values, dtype=float)) for values in (baseline, other))
    logs = np.sort(np.subtract.outer(theirs, ours).ravel())
    n1, n2 = len(baseline), len(other)
    rounded = np.round(logs, 12)
    sides = int(np.count_nonzero(rounded <= 0)), int(np.count_nonzero(rounded >= 0))
    return RatioEstimate(
        n=min(n1, n2),
        ratio=float(np.exp((logs[(logs.size - 1) // 2] + logs[logs.size // 2]) / 2)),
        interval=_bounds(logs, moses_order(n1, n2, 1 - 0.05 / family)),
        interval_90=_bounds(logs, moses_order(n1, n2, 1 - 0.10 / family)),
        p=mann_whitney_p(*_merged(ours, theirs)),
        method=METHOD,
        p_adjusted=min(1.0, family * moses_p(n1, n2, min(*sides, n1 * n2 // 2))),
        interval_unadjusted=_bounds(logs, moses_order(n1, n2, 0.95)),
        family=family,
    )


def require_ratio(baseline: Sequence[float], other: Sequence[float]) -> None:
    """Raise Undefined where `unpaired_ratio` does."""
    if not baseline or not other:
        raise Undefined("one side has no values")
    if min(*baseline, *other) > ORDINARY[0] and max(*baseline, *other) < ORDINARY[1]:
        return
    if not math.isfinite(sum(baseline) + sum(other)):
        raise Undefined("a value is not a finite number")
    if np.median(baseline) == 0 or np.median(other) == 0:
        raise Undefined("a median is zero")
    if min(*baseline, *other) <= 0:
        raise Undefined("a value is zero or the sign changes")
    if abs(math.log(max(other)) - math.log(min(baseline))) > _LARGEST or (
        abs(math.log(min(other)) - math.log(max(baseline))) > _LARGEST
    ):
        raise Undefined("the ratio is out of range")


def _merged(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[Sequence[float], Sequence[float]]:
    """Group numbers of the logarithms: values that differ by rounding only are equal, in any unit."""
    pooled = np.concatenate((first, second))
    order = np.argsort(pooled)
    groups = np.concatenate(([0], np.cumsum(np.diff(pooled[order]) > LAST_DIGITS)))
    merged = np.empty(pooled.size)
    merged[order] = groups
    return merged[: first.size].tolist(), merged[first.size :].tolist()


def _bounds(logs: NDArray[np.float64], order: int | None) -> Bounds | None:
    """Bounds from sorted logarithms, rounded as for p, so that the unit cannot move a bound across 1."""
    if order is None:
        return None
    low, high = np.exp(np.round((logs[order - 1], logs[-order]), 12))
    return float(low), float(high)
