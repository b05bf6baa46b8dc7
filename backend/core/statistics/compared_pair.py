"""One comparison in whole units: from the values of two cells by round, to a ratio or a difference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from backend.core.messages.message import message
from backend.core.statistics.paired import METHOD, UNIT, Bounds, RatioEstimate, Undefined, log_ratios
from backend.core.statistics.paired_difference import METHOD as METHOD_OF_DIFFERENCES
from backend.core.statistics.paired_difference import DifferenceEstimate, difference_units, in_unit
from backend.core.statistics.simultaneous import Units

Series = Mapping[int, float]
"""The values of one cell by round."""
Estimate = RatioEstimate | DifferenceEstimate
"""A comparison by ratio, or by difference where no ratio exists."""


@dataclass(frozen=True)
class Pair:
    """Paired differences as whole multiples of `unit`, by round; `of_logarithms` are those of a ratio."""

    rounds: tuple[int, ...]
    units: Units
    unit: float
    of_logarithms: bool = True


@dataclass(frozen=True)
class Found:
    """The estimate of one pair, on the scale of its differences."""

    n: int
    estimate: float
    interval: Bounds | None
    within: Bounds | None
    alone: Bounds | None
    p: float
    p_adjusted: float
    family: int


def ratio_pair(baseline: Series, cell: Series) -> Pair | Undefined:
    """The logarithms of cell ÷ baseline over the rounds that have both, or the reason why there are none."""
    rounds = tuple(sorted(baseline.keys() & cell.keys()))
    try:
        units = log_ratios([baseline[round_] for round_ in rounds], [cell[round_] for round_ in rounds])
    except Undefined as reason:
        return reason
    return Pair(rounds, units, UNIT)


def difference_pair(base: Series, other: Series) -> Pair | Undefined:
    """The differences over the rounds that have both, or the reason why there are none."""
    rounds = tuple(sorted(base.keys() & other.keys()))
    if not rounds:
        return Undefined(message("noRoundOfBoth"))
    values = [base[r] for r in rounds], [other[r] for r in rounds]
    if not all(map(math.isfinite, (*values[0], *values[1]))):
        return Undefined(message("valueNotFinite"))
    return Pair(rounds, *difference_units(*values), of_logarithms=False)


def any_pair(baseline: Series, cell: Series) -> Pair | Undefined:
    """The logarithms of the ratios, or the differences where a ratio does not exist."""
    pair = ratio_pair(baseline, cell)
    return difference_pair(baseline, cell) if isinstance(pair, Undefined) else pair


def as_estimate(pair: Pair, found: Found) -> Estimate:
    """The estimate as a ratio or a difference, as the pair is one of logarithms or not."""
    return as_ratio(found) if pair.of_logarithms else as_difference(pair, found)


def as_ratio(found: Found) -> RatioEstimate:
    """The estimate of a pair of logarithms as a ratio."""
    return RatioEstimate(
        n=found.n,
        ratio=math.exp(found.estimate),
        interval=_exponential(found.interval),
        interval_90=_exponential(found.within),
        p=found.p,
        method=METHOD,
        p_adjusted=found.p_adjusted,
        interval_unadjusted=_exponential(found.alone),
        family=found.family,
    )


def on_its_scale(pair: Pair, bounds: Bounds | None) -> Bounds | None:
    """Bounds of a pair as those of a ratio or of a difference."""
    return _exponential(bounds) if pair.of_logarithms else bounds


def _exponential(bounds: Bounds | None) -> Bounds | None:
    return None if bounds is None else (math.exp(bounds[0]), math.exp(bounds[1]))


def as_difference(pair: Pair, found: Found) -> DifferenceEstimate:
    """The estimate of a pair of differences, in the unit of the values."""

    def exact(bounds: Bounds | None) -> Bounds | None:
        return bounds and (in_unit(bounds[0], pair.unit), in_unit(bounds[1], pair.unit))

    return DifferenceEstimate(
        n=found.n,
        estimate=in_unit(found.estimate, pair.unit),
        interval=exact(found.interval),
        p=found.p,
        p_adjusted=found.p_adjusted,
        interval_unadjusted=exact(found.alone),
        family=found.family,
        interval_90=exact(found.within),
        method=METHOD_OF_DIFFERENCES,
    )
