"""The comparisons of one family: ratios or differences by round, simultaneous intervals, adjusted p-values.

The estimand of a comparison is the pseudo-median of the paired ratios, or of the paired differences: the
median of the average of two rounds. The procedure is that of `simultaneous`.

Where a ratio does not exist, because a value is zero or the sign changes, `family_estimates` compares by
differences, in the same family. Which of the two it is depends on the pair of values of each round alone, not
on which of them is the baseline's, so that the distribution under sign flips is the same given the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from backend.core.statistics.compared_pair import (
    Estimate,
    Found,
    Pair,
    Series,
    any_pair,
    as_difference,
    as_estimate,
    as_ratio,
    difference_pair,
    on_its_scale,
    ratio_pair,
)
from backend.core.statistics.paired import Bounds, RatioEstimate, Undefined
from backend.core.statistics.paired_difference import DifferenceEstimate
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

ALONE: Final = 0.95
"""Confidence of a comparison's own interval, before any adjustment."""


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
    pairs = [ratio_pair(base, cell) for base, cell in zip(baselines, cells, strict=True)]
    found = iter(_estimated([pair for pair in pairs if isinstance(pair, Pair)], analyses))
    return tuple(pair if isinstance(pair, Undefined) else as_ratio(next(found)) for pair in pairs)


def family_estimates(
    baselines: Sequence[Series], cells: Sequence[Series], analyses: int = 1
) -> tuple[Estimate | Undefined, ...]:
    """As `family_intervals`, with the difference cell − baseline where there is no ratio."""
    pairs = [any_pair(base, cell) for base, cell in zip(baselines, cells, strict=True)]
    found = iter(_estimated([pair for pair in pairs if isinstance(pair, Pair)], analyses))
    return tuple(pair if isinstance(pair, Undefined) else as_estimate(pair, next(found)) for pair in pairs)


def bonferroni_estimates(
    baselines: Sequence[Series], cells: Sequence[Series], tests: int
) -> tuple[Estimate | Undefined, ...]:
    """As `family_estimates`, each as one of so many tests of which nothing else is known (Bonferroni)."""
    pairs = [any_pair(base, cell) for base, cell in zip(baselines, cells, strict=True)]
    sound = [pair for pair in pairs if isinstance(pair, Pair)]
    found = iter(_in_family(sound, _samples(sound), family([], tests)))
    return tuple(pair if isinstance(pair, Undefined) else as_estimate(pair, next(found)) for pair in pairs)


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
        [any_pair(base, cell) for base, cell in zip(group.baselines, group.cells, strict=True)]
        for group in groups
    ]
    sound = [[pair for pair in own if isinstance(pair, Pair)] for own in pairs]
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
        tuple(pair if isinstance(pair, Undefined) else as_estimate(pair, next(estimates)) for pair in own)
        for own, estimates in zip(pairs, found, strict=True)
    )


def family_differences(
    bases: Sequence[Series], others: Sequence[Series], analyses: int = 1
) -> tuple[DifferenceEstimate | Undefined, ...]:
    """The differences other − base of one family in the values' unit; otherwise as `family_intervals`."""
    pairs = [difference_pair(base, other) for base, other in zip(bases, others, strict=True)]
    found = iter(_estimated([pair for pair in pairs if isinstance(pair, Pair)], analyses))
    return tuple(pair if isinstance(pair, Undefined) else as_difference(pair, next(found)) for pair in pairs)


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
    pairs = [ratio_pair(base, cell) for base, cell in ratios]
    pairs += [difference_pair(base, cell) for base, cell in differences]
    sound = [pair for pair in pairs if isinstance(pair, Pair)]
    samples = _samples(sound)
    signs = [median_member(sorted(own), [own[r] for r in sorted(own)]) for own in medians if own]
    together = family([*_members(sound, samples), *signs], analyses)
    bounds = iter(
        on_its_scale(pair, _between(sample.walsh[row], together.order(sample.p_by_count), pair.unit / 2))
        for pair, (sample, row) in zip(sound, samples, strict=True)
    )
    orders = {len(own): together.order(sign_count_p(len(own))) for own in medians if own}
    return (
        [next(bounds) if isinstance(pair, Pair) else None for pair in pairs],
        [_between(np.sort([*own.values()]), orders[len(own)], 1.0) if own else None for own in medians],
        len(sound) + len(signs),
    )


def _estimated(pairs: Sequence[Pair], analyses: int) -> list[Found]:
    samples = _samples(pairs)
    return _in_family(pairs, samples, family(_members(pairs, samples), analyses))


def _in_family(
    pairs: Sequence[Pair], samples: Sequence[tuple[WalshSample, int]], together: Family | Families
) -> list[Found]:
    distinct = {id(sample): sample for sample, _ in samples}
    adjusted = {key: _AdjustedSample.of(sample, together) for key, sample in distinct.items()}
    return [
        _found(pair, sample, row, adjusted[id(sample)], together.size)
        for pair, (sample, row) in zip(pairs, samples, strict=True)
    ]


def _members(pairs: Sequence[Pair], samples: Sequence[tuple[WalshSample, int]]) -> list[Member]:
    return [
        Member(pair.rounds, sample.weights[row], sample.p_by_count)
        for pair, (sample, row) in zip(pairs, samples, strict=True)
    ]


def _samples(pairs: Sequence[Pair]) -> list[tuple[WalshSample, int]]:
    """The sample and row of each pair; pairs with equally many rounds are rows of one sample."""
    places: dict[int, list[int]] = {}
    for place, pair in enumerate(pairs):
        places.setdefault(len(pair.rounds), []).append(place)
    found: dict[int, tuple[WalshSample, int]] = {}
    for own in places.values():
        sample = walsh_sample(np.stack([pairs[place].units for place in own]))
        found |= {place: (sample, row) for row, place in enumerate(own)}
    return [found[place] for place in range(len(pairs))]


def _found(pair: Pair, sample: WalshSample, row: int, adjusted: _AdjustedSample, size: int) -> Found:
    n, walsh, half = len(pair.rounds), sample.walsh[row], pair.unit / 2
    return Found(
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
