"""The null distribution of Wilcoxon's signed-rank statistic, exact also with ties and zeros.

Under the null hypothesis each difference has either sign with probability ½, so the positive rank
sum is a sum of independent terms and its distribution a product of polynomials (Wilcoxon 1945;
Pratt's and Wilcoxon's treatments as in `scipy.stats.wilcoxon`, zero_method="wilcox": zeros leave
the sample). Midranks are doubled, so that ties keep whole numbers and the distribution stays exact:
it equals what `scipy.stats.PermutationMethod(n_resamples=inf)` enumerates in 2ⁿ steps.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from statistics import NormalDist

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import ndtr

EXACT_LIMIT = 50
"""The largest number of non-zero differences with the exact distribution; beyond, the normal one."""


Differences = NDArray[np.float64] | NDArray[np.int64]


def signed_rank_p(differences: Differences) -> float:
    """Two-sided p against the hypothesis that the differences are symmetric about 0; 1 if all are 0."""
    values = differences[differences != 0]
    if values.size == 0:
        return 1.0
    positive, ranks = _positive_rank_sum(values)
    smaller = min(positive, sum(ranks) - positive)
    if len(ranks) > EXACT_LIMIT:
        return _normal_p(ranks, smaller)
    return min(1.0, 2 * float(_cumulative(ranks)[smaller]))


def _positive_rank_sum(values: Differences) -> tuple[int, tuple[int, ...]]:
    """The doubled ranks of the absolute values, ascending, and their sum over the positive values."""
    absolute = np.abs(values)
    order = np.argsort(absolute)
    ordered = absolute[order]
    if (ordered[1:] != ordered[:-1]).all():
        ranks = _untied(values.size)
        return int(_untied_array(values.size)[values[order] > 0].sum()), ranks
    doubled = np.rint(2 * scipy.stats.rankdata(absolute)).astype(np.int64)
    return int(doubled[values > 0].sum()), tuple(np.sort(doubled).tolist())


@cache
def _untied(n: int) -> tuple[int, ...]:
    """The doubled ranks 2, 4 … 2n."""
    return tuple(range(2, 2 * n + 1, 2))


@cache
def _untied_array(n: int) -> NDArray[np.int64]:
    return np.asarray(_untied(n))


@lru_cache(maxsize=4096)
def _cumulative(doubled_ranks: tuple[int, ...]) -> NDArray[np.float64]:
    """P(sum of the positive doubled ranks ≤ s) for every s."""
    total = sum(doubled_ranks)
    density = np.zeros(total + 1)
    density[0] = 1.0
    reach = 0
    for rank in doubled_ranks:
        shifted = density[: reach + 1].copy()
        density[: reach + 1] *= 0.5
        density[rank : reach + rank + 1] += 0.5 * shifted
        reach += rank
    cumulative: NDArray[np.float64] = np.cumsum(density)
    cumulative.flags.writeable = False
    return cumulative


def _normal_p(doubled_ranks: tuple[int, ...], smaller: int) -> float:
    return min(1.0, 2 * _normal_tail(doubled_ranks, smaller))


def _normal_tail(doubled_ranks: tuple[int, ...], total: int) -> float:
    """P(sum ≤ total) by the normal distribution with continuity correction; the ranks include ties."""
    mean = sum(doubled_ranks) / 2
    deviation = math.sqrt(sum(rank * rank for rank in doubled_ranks)) / 2
    return NormalDist().cdf((total - mean + 1) / deviation)


@lru_cache(maxsize=1024)
def smaller_count_p(n: int) -> NDArray[np.float64]:
    """Two-sided p of n differences by the smaller number of Walsh averages on one side, 0 to n(n+1) ÷ 4.

    The signed-rank distribution without ties; normal beyond EXACT_LIMIT. It is conservative where Walsh
    averages are 0, which count on both sides.
    """
    half = n * (n + 1) // 4
    if n > EXACT_LIMIT:
        mean, deviation = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        tails: NDArray[np.float64] = ndtr((np.arange(half + 1) + 0.5 - mean) / deviation)
    else:
        tails = _cumulative(_untied(n))[::2][: half + 1]
    found: NDArray[np.float64] = np.minimum(1.0, 2 * tails)
    found.flags.writeable = False
    return found


@lru_cache(maxsize=4096)
def walsh_order(n: int, confidence: float) -> int | None:
    """k such that the kth smallest and kth largest Walsh average bound the confidence interval.

    The largest k with 2 P(W ≤ k − 1) ≤ 1 − confidence under the null without ties (Hollander and
    Wolfe, section 3.4); None where n is too small for the confidence.
    """
    alpha = 1 - confidence
    if n > EXACT_LIMIT:
        pairs = n * (n + 1) / 2
        deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        order = math.floor(pairs / 2 - NormalDist().inv_cdf(1 - alpha / 2) * deviation)
        return order if order > 0 else None
    cumulative = _cumulative(_untied(n))[::2]
    order = int(np.searchsorted(2 * cumulative, alpha + 1e-12, side="right"))
    return order or None
