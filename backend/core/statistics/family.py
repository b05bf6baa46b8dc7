"""The comparisons of one family: ratios or differences by round, simultaneous intervals, adjusted p-values.

The estimand of a comparison is the pseudo-median of the paired ratios, or of the paired differences: the
median of the average of two rounds. The procedure is that of `simultaneous`.

Where a ratio does not exist, because a value is zero or the sign changes, `family_estimates` compares by
differences, in the same family. Which of the two it is depends on the pair of values of each round alone, not
on which of them is the baseline's, so that the distribution under sign flips is the same given the choice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from backend.core.messages.message import message
from backend.core.statistics.paired import METHOD, UNIT, Bounds, RatioEstimate, Undefined, log_ratios
from backend.core.statistics.paired_difference import METHOD as METHOD_OF_DIFFERENCES
from backend.core.statistics.paired_difference import DifferenceEstimate, difference_units, in_unit
from backend.core.statistics.signed_rank import signed_rank_p, walsh_order
from backend.core.statistics.simultaneous import (
    Families,
    Family,
    Floats,
    Member,
    Units,
    WalshSample,
    family,
    median_member,
    sign_count_p,
    walsh_sample,
)

Series = Mapping[int, float]
"""The values of one cell by round."""
Estimate = RatioEstimate | DifferenceEstimate
"""A comparison by ratio, or by difference where no ratio exists."""
ALONE: Final = 0.95
"""Confidence of a comparison's own interval, before any adjustment."""


@dataclass(frozen=True)
class _Pair:
    """Paired differences as whole multiples of `unit`, by round; `of_logarithms` are those of a ratio."""

    rounds: tuple[int, ...]
    units: Units
    unit: float
    of_logarithms: bool = True


@dataclass(frozen=True)
class _Found:
    """The estimate of one pair, on the scale of its differences."""

    n: int
    estimate: float
    interval: Bounds | None
    within: Bounds | None
    alone: Bounds | None
    p: float
    p_adjusted: float
    family: int


@dataclass(frozen=True)
class _AdjustedSample:
    """Interval orders and adjusted p-values of the pairs with equally many rounds, within their family."""

    order: int | None
    order_within: int | None
    p_adjusted: Floats
    quadruple: Units

    @classmethod
    def of(cls, sample: WalshSample, together: Family | Families) -> _AdjustedSample:
        """The interval orders and adjusted p-values of all rows of a sample."""
        return cls(
            order=together.order(sample.p_by_count),
            order_within=together.order_within(sample.p_by_count),
            p_adjusted=together.adjusted(sample.p),
            quadruple=sample.quadruple,
        )


def family_intervals(
    baselines: Sequence[Series], cells: Sequence[Series], analyses: int = 1
) -> tuple[RatioEstimate | Undefined, ...]:
    """The ratios cell ÷ baseline of one family, in the order given, each over the rounds that have both.

    `analyses` is the number of planned interim analyses; each is tested at 5 % ÷ `analyses`. A pair without a
    ratio is Undefined with its reason, and not a member of the family.
    """
    pairs = [_ratio_pair(base, cell) for base, cell in zip(baselines, cells, strict=True)]
    found = iter(_estimated([pair for pair in pairs if isinstance(pair, _Pair)], analyses))
    return tuple(pair if isinstance(pair, Undefined) else _as_ratio(next(found)) for pair in pairs)


def family_estimates(
    baselines: Sequence[Series], cells: Sequence[Series], analyses: int = 1
) -> tuple[Estimate | Undefined, ...]:
    """As `family_intervals`, with the difference cell − baseline where there is no ratio."""
    pairs = [_any_pair(base, cell) for base, cell in zip(baselines, cells, strict=True)]
    found = iter(_estimated([pair for pair in pairs if isinstance(pair, _Pair)], analyses))
    return tuple(pair if isinstance(pair, Undefined) else _as_estimate(pair, next(found)) for pair in pairs)


@dataclass(frozen=True)
class Group:
    """The comparisons of one run: values of baselines and of cells by round, and its interim analyses."""

    baselines: Sequence[Series]
    cells: Sequence[Series]
    analyses: int = 1


def estimates_of_groups(groups: Sequence[Group]) -> tuple[tuple[Estimate | Undefined, ...], ...]:
    """As `family_estimates`, for several runs whose comparisons together are one family.

    Rounds of different runs have nothing in common, so each run has its own sign flips (`Families`).
    """
    pairs = [
        [_any_pair(base, cell) for base, cell in zip(group.baselines, group.cells, strict=True)]
        for group in groups
    ]
    sound = [[pair for pair in own if isinstance(pair, _Pair)] for own in pairs]
    samples = [_samples(own) for own in sound]
    together = Families(
        tuple(
            family(_members(own, of_own), group.analyses)
            for own, of_own, group in zip(sound, samples, groups, strict=True)
            if own
        )
    )
    found = [iter(_in_family(own, of_own, together)) for own, of_own in zip(sound, samples, strict=True)]
    return tuple(
        tuple(pair if isinstance(pair, Undefined) else _as_estimate(pair, next(estimates)) for pair in own)
        for own, estimates in zip(pairs, found, strict=True)
    )


def family_differences(
    bases: Sequence[Series], others: Sequence[Series], analyses: int = 1
) -> tuple[DifferenceEstimate | Undefined, ...]:
    """The differences other − base of one family in the values' unit; otherwise as `family_intervals`."""
    pairs = [_difference_pair(base, other) for base, other in zip(bases, others, strict=True)]
    found = iter(_estimated([pair for pair in pairs if isinstance(pair, _Pair)], analyses))
    return tuple(pair if isinstance(pair, Undefined) else _as_difference(pair, next(found)) for pair in pairs)


def joint_intervals(
    ratios: Sequence[tuple[Series, Series]],
    medians: Sequence[Series],
    analyses: int = 1,
    differences: Sequence[tuple[Series, Series]] = (),
) -> tuple[list[Bounds | None], list[Bounds | None], int]:
    """Simultaneous 95 % intervals of ratios and of medians (order statistics), and the size of their family.

    `ratios` and `differences` are (baseline, cell); the intervals of differences follow those of ratios. An
    interval is None where there is no ratio or value, which is then not in the family, or where there are too
    few rounds.
    """
    pairs = [_ratio_pair(base, cell) for base, cell in ratios]
    pairs += [_difference_pair(base, cell) for base, cell in differences]
    sound = [pair for pair in pairs if isinstance(pair, _Pair)]
    samples = _samples(sound)
    signs = [median_member(sorted(own), [own[r] for r in sorted(own)]) for own in medians if own]
    together = family([*_members(sound, samples), *signs], analyses)
    bounds = iter(
        _on_its_scale(pair, _between(sample.walsh[row], together.order(sample.p_by_count), pair.unit / 2))
        for pair, (sample, row) in zip(sound, samples, strict=True)
    )
    orders = {len(own): together.order(sign_count_p(len(own))) for own in medians if own}
    return (
        [next(bounds) if isinstance(pair, _Pair) else None for pair in pairs],
        [_between(np.sort([*own.values()]), orders[len(own)], 1.0) if own else None for own in medians],
        len(sound) + len(signs),
    )


def _ratio_pair(baseline: Series, cell: Series) -> _Pair | Undefined:
    """The logarithms of cell ÷ baseline over the rounds that have both, or the reason why there are none."""
    rounds = tuple(sorted(baseline.keys() & cell.keys()))
    try:
        units = log_ratios([baseline[round_] for round_ in rounds], [cell[round_] for round_ in rounds])
    except Undefined as reason:
        return reason
    return _Pair(rounds, units, UNIT)


def _difference_pair(base: Series, other: Series) -> _Pair | Undefined:
    rounds = tuple(sorted(base.keys() & other.keys()))
    if not rounds:
        return Undefined(message("noRoundOfBoth"))
    values = [base[r] for r in rounds], [other[r] for r in rounds]
    if not all(map(math.isfinite, (*values[0], *values[1]))):
        return Undefined(message("valueNotFinite"))
    return _Pair(rounds, *difference_units(*values), of_logarithms=False)


def _any_pair(baseline: Series, cell: Series) -> _Pair | Undefined:
    """The logarithms of the ratios, or the differences where a ratio does not exist."""
    pair = _ratio_pair(baseline, cell)
    return _difference_pair(baseline, cell) if isinstance(pair, Undefined) else pair


def _estimated(pairs: Sequence[_Pair], analyses: int) -> list[_Found]:
    samples = _samples(pairs)
    return _in_family(pairs, samples, family(_members(pairs, samples), analyses))


def _in_family(
    pairs: Sequence[_Pair], samples: Sequence[tuple[WalshSample, int]], together: Family | Families
) -> list[_Found]:
    distinct = {id(sample): sample for sample, _ in samples}
    adjusted = {key: _AdjustedSample.of(sample, together) for key, sample in distinct.items()}
    return [
        _found(pair, sample, row, adjusted[id(sample)], together.size)
        for pair, (sample, row) in zip(pairs, samples, strict=True)
    ]


def _members(pairs: Sequence[_Pair], samples: Sequence[tuple[WalshSample, int]]) -> list[Member]:
    return [
        Member(pair.rounds, sample.weights[row], sample.p_by_count)
        for pair, (sample, row) in zip(pairs, samples, strict=True)
    ]


def _samples(pairs: Sequence[_Pair]) -> list[tuple[WalshSample, int]]:
    """The sample and row of each pair; pairs with equally many rounds are rows of one sample."""
    places: dict[int, list[int]] = {}
    for place, pair in enumerate(pairs):
        places.setdefault(len(pair.rounds), []).append(place)
    found: dict[int, tuple[WalshSample, int]] = {}
    for own in places.values():
        sample = walsh_sample(np.stack([pairs[place].units for place in own]))
        found |= {place: (sample, row) for row, place in enumerate(own)}
    return [found[place] for place in range(len(pairs))]


def _found(pair: _Pair, sample: WalshSample, row: int, adjusted: _AdjustedSample, size: int) -> _Found:
    n, walsh, half = len(pair.rounds), sample.walsh[row], pair.unit / 2
    return _Found(
        n=n,
        estimate=int(adjusted.quadruple[row]) * pair.unit / 4,
        interval=_between(walsh, adjusted.order, half),
        within=_between(walsh, adjusted.order_within, half),
        alone=_between(walsh, walsh_order(n, ALONE), half),
        p=signed_rank_p(pair.units),
        p_adjusted=float(adjusted.p_adjusted[row]),
        family=size,
    )


def _between(ordered: Units | Floats, order: int | None, unit: float) -> Bounds | None:
    """The order-th smallest and largest value, multiplied by `unit`; None without an order."""
    return None if order is None else (float(ordered[order - 1] * unit), float(ordered[-order] * unit))


def _as_estimate(pair: _Pair, found: _Found) -> Estimate:
    return _as_ratio(found) if pair.of_logarithms else _as_difference(pair, found)


def _as_ratio(found: _Found) -> RatioEstimate:
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


def _on_its_scale(pair: _Pair, bounds: Bounds | None) -> Bounds | None:
    return _exponential(bounds) if pair.of_logarithms else bounds


def _exponential(bounds: Bounds | None) -> Bounds | None:
    return None if bounds is None else (math.exp(bounds[0]), math.exp(bounds[1]))


def _as_difference(pair: _Pair, found: _Found) -> DifferenceEstimate:
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
