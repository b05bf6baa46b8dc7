"""The spread of a cell between runs of one host, and what it adds to a comparison of two single runs.

Two runs differ by more than the noise of their trials: containers, memory layout and state of the host differ
too. In runs of the same cells on one host, the centres x of cell c in run r (the logarithm of the median)
follow x = cell + run + cell × run, a two-way layout with one value for each combination (Montgomery, Design
and Analysis of Experiments, chapter 4). The variance of one run's centre is

    V = (MS_run + (C − 1) MS_interaction) ÷ C

with the degrees of freedom of Satterthwaite (1946): C × (R − 1) where all cells vary by themselves, R − 1
where they vary together. V includes the noise within a run, so that ln(b ÷ a) of two single runs lies
within ±t √(2V) in 95 % (the repeatability limit of ISO 5725-2, with t in place of 1.96 for an estimated V).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np
from scipy.special import stdtr, stdtrit

from backend.core.plan.power import ALPHA
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.ratio_estimate import Bounds, RatioEstimate

Estimate = TypeVar("Estimate", RatioEstimate, DifferenceEstimate)

FEWEST_RUNS: Final = 2
"""The fewest runs of which a spread is estimated."""
LARGEST_LOG: Final = 300.0
"""A factor of 10^130: wider intervals end there, because e^710 is no floating-point number."""


@dataclass(frozen=True)
class RunSpread:
    """The variance of a cell's logarithmic centre in one run, its degrees of freedom, and the runs and cells
    used."""

    variance: float
    freedom: float
    runs: int
    cells: int

    @property
    def deviation(self) -> float:
        """The standard deviation: 0.01 is about 1 %."""
        return math.sqrt(self.variance)


def run_spread(centres: Sequence[Mapping[str, float]]) -> RunSpread | None:
    """The spread between runs, from each run's logarithmic centres by cell.

    Uses the cells that all runs have. None for fewer than two runs, or without such a cell.
    """
    common = sorted(set.intersection(*(set(own) for own in centres))) if centres else []
    runs, cells = len(centres), len(common)
    if runs < FEWEST_RUNS or not common:
        return None
    values = np.array([[own[cell] for cell in common] for own in centres])
    of_run = values.mean(axis=1)
    between = cells * float(np.sum((of_run - of_run.mean()) ** 2)) / (runs - 1)
    if cells == 1:
        return RunSpread(between, runs - 1, runs, cells)
    residuals = values - of_run[:, None] - values.mean(axis=0)[None, :] + values.mean()
    freedom = (runs - 1) * (cells - 1)
    interaction = float(np.sum(residuals**2)) / freedom
    parts = (between / cells, runs - 1), ((cells - 1) / cells * interaction, freedom)
    return RunSpread(sum(part for part, _ in parts), _satterthwaite(parts), runs, cells)


def _satterthwaite(parts: Sequence[tuple[float, float]]) -> float:
    """Degrees of freedom of a sum of independent variances, each with its own."""
    total = math.fsum(part for part, _ in parts)
    if total == 0:
        return math.fsum(freedom for _, freedom in parts)
    return total**2 / math.fsum(part**2 / freedom for part, freedom in parts)


def of_difference(a: RunSpread, b: RunSpread) -> tuple[float, float]:
    """The variance of ln(b ÷ a) of two runs and its degrees of freedom; on one host `a` and `b` are the same
    object."""
    if a is b:
        return 2 * a.variance, a.freedom
    return a.variance + b.variance, _satterthwaite(((a.variance, a.freedom), (b.variance, b.freedom)))


def widened(found: RatioEstimate, variance: float, freedom: float) -> RatioEstimate:
    """The ratio of two runs with the spread between runs: intervals never narrower, p never smaller, than
    without.

    `found` is a member of its family with `p_adjusted`; each bound is the farther of its own and that of
    Student's t at the family's level (Bonferroni), so that the interval still excludes 1 exactly where the
    adjusted p is at most 5 %.
    """

    def ratio(logarithm: float) -> float:
        return math.exp(max(-LARGEST_LOG, min(LARGEST_LOG, logarithm)))

    return _widened(found, math.log(found.ratio), variance, freedom, ratio)


def widened_difference(found: DifferenceEstimate, variance: float, freedom: float) -> DifferenceEstimate:
    """As `widened`, of a difference of two runs: variance and bounds are in the values' unit."""
    return _widened(found, found.estimate, variance, freedom, lambda value: value)


def _widened(
    found: Estimate, centre: float, variance: float, freedom: float, bound: Callable[[float], float]
) -> Estimate:
    """`centre` and `variance` are on the scale of Student's t, from which `bound` leads back."""
    deviation = math.sqrt(variance)
    distance = abs(centre) / deviation if deviation else math.inf
    p = 2 * float(stdtr(freedom, -distance)) if centre else 1.0

    def union(bounds: Bounds | None, alpha: float) -> Bounds | None:
        if bounds is None:
            return None
        half = float(stdtrit(freedom, 1 - alpha / 2)) * deviation
        return min(bounds[0], bound(centre - half)), max(bounds[1], bound(centre + half))

    assert found.p_adjusted is not None
    return replace(
        found,
        interval=union(found.interval, ALPHA / found.family),
        interval_90=union(found.interval_90, 2 * ALPHA / found.family),
        p_adjusted=max(found.p_adjusted, min(1.0, found.family * p)),
    )
