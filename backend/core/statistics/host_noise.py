"""How noisy a host is: the spread of one trial from its A/A pairs, and shares of trials.

The differences ln(duplicate ÷ baseline) of pairs that ran on the same two servers share whatever these two
starts differ by; only what varies around the mean of such a group is noise between trials. The variances of
all groups are pooled, with n − 1 degrees of freedom for a group of n pairs. A difference is of two trials:
the spread of one is √(variance ÷ 2).

The interval is χ²'s with degrees of freedom lowered by the kurtosis of the residuals, f = 2ν ÷ (k − 1) and ν
at most (Box 1953, Biometrika 40; Shoemaker 2003, The American Statistician 57, uses the same for F). χ² alone
covers 84 to 91 % for Laplace and t₅ data; so adjusted it covers 95 % for normal ln and at least 90 % for
these, which tests hold by simulation. Shares have Wilson's interval (1927); trials that follow one another
are not independent, so that it is too narrow where a disturbance lasts for several trials.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
import scipy

from backend.core.plan.power import ALPHA

FEWEST_FREEDOM: Final = 5
"""Fewer degrees of freedom give no figure: six pairs on the same servers have five."""


@dataclass(frozen=True)
class Pair:
    """Values of a baseline and its A/A duplicate in one round; `servers` names the two server starts."""

    run_id: str
    cell_id: str
    servers: tuple[str, str]
    baseline: float
    duplicate: float


@dataclass(frozen=True)
class HostSpread:
    """The standard deviation of ln(value) of one trial with its 95 % interval, None from too few pairs."""

    pairs: int
    runs: int
    freedom: int
    spread: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Share:
    """How many of n trials, and the 95 % interval of the share; None where n is 0."""

    count: int
    n: int
    low: float | None
    high: float | None


def host_spread(pairs: Sequence[Pair]) -> HostSpread:
    """The spread of one trial from a host's pairs; pairs with a value of 0 or less are left out."""
    used = [pair for pair in pairs if pair.baseline > 0 and pair.duplicate > 0]
    groups = [np.array(group) for group in _groups(used) if len(group) > 1]
    freedom = sum(len(group) - 1 for group in groups)
    known = HostSpread(len(used), len({pair.run_id for pair in used}), freedom)
    if freedom < FEWEST_FREEDOM:
        return known
    residuals = np.concatenate([group - group.mean() for group in groups])
    squares = float(np.sum(residuals**2))
    if squares == 0:
        return HostSpread(known.pairs, known.runs, freedom, 0.0, 0.0, 0.0)
    variance = squares / freedom
    kurtosis = len(residuals) * float(np.sum(residuals**4)) / squares**2
    adjusted = min(float(freedom), 2 * freedom / (kurtosis - 1)) if kurtosis > 1 else float(freedom)
    low, high = (
        variance * adjusted / float(scipy.stats.chi2.ppf(level, adjusted))
        for level in (1 - ALPHA / 2, ALPHA / 2)
    )
    return HostSpread(
        known.pairs, known.runs, freedom, *(math.sqrt(found / 2) for found in (variance, low, high))
    )


def _groups(pairs: Iterable[Pair]) -> list[list[float]]:
    """Logarithmic differences by cell and server starts; by cell where each pair had starts of its own."""
    found: dict[tuple[str, str], dict[tuple[str, str], list[float]]] = {}
    for pair in pairs:
        starts = found.setdefault((pair.run_id, pair.cell_id), {})
        starts.setdefault(pair.servers, []).append(math.log(pair.duplicate / pair.baseline))
    groups: list[list[float]] = []
    for starts in found.values():
        if all(len(differences) == 1 for differences in starts.values()):
            groups.append([differences[0] for differences in starts.values()])
        else:
            groups.extend(starts.values())
    return groups


def share(count: int, n: int) -> Share:
    """A share with Wilson's score interval."""
    if n == 0:
        return Share(0, 0, None, None)
    z = NormalDist().inv_cdf(1 - ALPHA / 2)
    p, total = count / n, n + z * z
    middle = (count + z * z / 2) / total
    half = z * math.sqrt(n) / total * math.sqrt(p * (1 - p) + z * z / (4 * n))
    return Share(count, n, max(0.0, middle - half), min(1.0, middle + half))


def spread_sentence(found: HostSpread) -> str:
    """The sentence that states the spread, or that there are too few pairs."""
    pairs = f"{found.pairs} A/A pair{'' if found.pairs == 1 else 's'}"
    runs = f"{found.runs} run{'' if found.runs == 1 else 's'}"
    if found.spread is None:
        if found.pairs == 0:
            return "Too few: no A/A pair with a proven path was measured here."
        return (
            f"Too few: {pairs} of {runs} leave {found.freedom} degree{'' if found.freedom == 1 else 's'} of "
            f"freedom, {FEWEST_FREEDOM} are needed; six rounds on the same servers give them."
        )
    low, high = found.low or 0.0, found.high or 0.0
    return (
        f"The rate of one trial varies by {_percent(found.spread)} here (standard deviation; 95 % interval "
        f"{_percent(low)} to {_percent(high)}), from {pairs} of {runs}."
    )


def _percent(value: float) -> str:
    return f"{100 * value:.2g} %"
