"""Whether hosts disagree about a ratio: every two hosts compared by Welch's t test, all of them one family.

Each host has its own rounds and its own baseline, so its replicates are the logarithms of cell ÷ baseline of
one round (or server start). Hosts are independent samples with unequal noise, possibly of unequal size: the
difference of two means is tested by Welch's t with the degrees of freedom of Welch and Satterthwaite (Welch
1938 and 1947; for all pairs Games and Howell 1976). Bonferroni's correction holds for all pairs of hosts of
all cells together, whatever their dependence. Hosts disagree about a cell if the interval of any two of them
excludes 1.

Cochran's Q (1954) with weights n ÷ s², its degrees of freedom and I² (Higgins and Thompson 2002) describe the
same data and decide nothing: with few rounds and many hosts even Welch's correction of Q (1951) finds
disagreement too often (decision 0048 has the simulation), and Q does not say which hosts differ.

Where a value is zero there is no logarithm, and the replicates are the differences cell − baseline, on whose
scale `distance` and `bounds` are; `ratio` and `interval`, their exponentials, then mean nothing.

`spread` is the standard deviation of these hosts' true logarithmic ratios, √(Σ (θᵢ − θⱼ)² ÷ (k (k − 1))) over
all pairs. Its interval puts each pair's nearest and farthest possible difference into this sum, so that it
excludes 0 exactly where two hosts disagree.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import stdtr, stdtrit

from backend.core.plan.power import ALPHA
from backend.core.statistics.between_runs import LARGEST_LOG
from backend.core.statistics.paired import UNIT, Bounds

METHOD: Final = (
    "every two hosts: Welch's t on the logarithms of cell ÷ own baseline, Bonferroni over all pairs of all "
    "cells"
)
FEWEST: Final = 6
"""The fewest replicates of a host that takes part: with fewer, a host has no interval of its own either."""


@dataclass(frozen=True)
class HostSample:
    """Mean, variance of the mean and number of a host's logarithmic ratios, or differences."""

    mean: float
    variance: float
    n: int


@dataclass(frozen=True)
class HostPair:
    """How the ratio of one host compares with another's: `ratio` is that of `b` ÷ that of `a`.

    `interval` holds 95 % simultaneously over the family and excludes 1 exactly where `p_adjusted` is at most
    5 %; `half_width` is half of it on the logarithmic scale, `distance` and `bounds` are their logarithms.
    """

    a: str
    b: str
    ratio: float
    interval: Bounds
    p: float
    p_adjusted: float
    half_width: float
    distance: float
    bounds: Bounds


@dataclass(frozen=True)
class Heterogeneity:
    """All pairs of hosts of one cell, smallest p first; Cochran's Q, `df`, I² (0 to 1) and `spread`."""

    pairs: tuple[HostPair, ...]
    q: float
    df: int
    i_squared: float
    spread: float
    spread_interval: Bounds

    @property
    def p_adjusted(self) -> float:
        """The smallest adjusted p of all pairs: at most 5 % exactly where hosts disagree."""
        return self.pairs[0].p_adjusted

    @property
    def differs(self) -> bool:
        """Whether two hosts disagree."""
        return self.p_adjusted <= ALPHA


def host_sample(logs: Sequence[float], scale: float = 1.0) -> HostSample | None:
    """The sample of a host's logarithmic ratios; None with fewer than FEWEST, or where all are equal.

    Of differences `scale` is the largest of the values that they are made of.

    Without any spread the noise of the host is not known, and every other host would differ from it.
    """
    n = len(logs)
    if n < FEWEST:
        return None
    mean = math.fsum(logs) / n
    squares = math.fsum((value - mean) ** 2 for value in logs)
    if squares <= n * (UNIT * scale) ** 2:
        return None
    return HostSample(mean, squares / (n - 1) / n, n)


def count_pairs(cells: Sequence[Mapping[str, HostSample]]) -> int:
    """The size of the family: the pairs of hosts of all cells."""
    return sum(math.comb(len(hosts), 2) for hosts in cells)


def heterogeneity(hosts: Mapping[str, HostSample], family: int) -> Heterogeneity | None:
    """The comparisons of all hosts of one cell, in a family of so many pairs; None with fewer than two."""
    if len(hosts) < 2:
        return None
    pairs = _pairs(hosts, family)
    q, df = cochran_q(list(hosts.values())), len(hosts) - 1
    scale = len(hosts) * df
    lower, upper = (math.sqrt(math.fsum(ends) / scale) for ends in zip(*map(_squares, pairs), strict=True))
    excess = math.fsum(p.distance**2 for p in pairs) / scale - math.fsum(
        sample.variance for sample in hosts.values()
    ) / len(hosts)
    return Heterogeneity(
        pairs=tuple(sorted(pairs, key=lambda pair: (pair.p, -abs(pair.distance)))),
        q=q,
        df=df,
        i_squared=max(0.0, 1 - df / q) if q else 0.0,
        spread=min(max(lower, math.sqrt(max(0.0, excess))), upper),
        spread_interval=(lower, upper),
    )


def cochran_q(samples: Sequence[HostSample]) -> float:
    """Cochran's Q: the weighted squares of the means' distances from their weighted mean."""
    weights = [1 / sample.variance for sample in samples]
    centre = math.fsum(w * s.mean for w, s in zip(weights, samples, strict=True)) / math.fsum(weights)
    return math.fsum(w * (s.mean - centre) ** 2 for w, s in zip(weights, samples, strict=True))


def _pairs(hosts: Mapping[str, HostSample], family: int) -> list[HostPair]:
    """Every two hosts by Welch's t; all pairs at once, because 64 hosts have 2,016 of them in each cell."""
    names = list(hosts)
    first, second = np.triu_indices(len(names), 1)
    mean, variance, n = (
        np.array([getattr(one, name) for one in hosts.values()]) for name in ("mean", "variance", "n")
    )
    summed = variance[first] + variance[second]
    parts = variance**2 / (n - 1)
    freedom, deviation = summed**2 / (parts[first] + parts[second]), np.sqrt(summed)
    distance = mean[second] - mean[first]
    half = -stdtrit(freedom, ALPHA / family / 2) * deviation
    p = 2 * stdtr(freedom, -np.abs(distance) / deviation)
    columns = (column.tolist() for column in (first, second, distance, half, p))
    return [
        HostPair(
            a=names[i],
            b=names[j],
            ratio=_exp(apart),
            interval=(_exp(apart - wide), _exp(apart + wide)),
            p=own,
            p_adjusted=min(1.0, family * own),
            half_width=wide,
            distance=apart,
            bounds=(apart - wide, apart + wide),
        )
        for i, j, apart, wide, own in zip(*columns, strict=True)
    ]


def _squares(pair: HostPair) -> tuple[float, float]:
    """The squares of the smallest and the largest possible difference of two hosts' means."""
    low, high = pair.bounds
    least = 0.0 if pair.p_adjusted > ALPHA else min(abs(low), abs(high))
    return least**2, max(abs(low), abs(high)) ** 2


def _exp(value: float) -> float:
    return math.exp(max(-LARGEST_LOG, min(LARGEST_LOG, value)))
