"""Change points in series of runs: E-divisive with a permutation test for all series together.

Source of the method: Matteson and James, A Nonparametric Approach for Multiple Change Point Analysis of
Multivariate Data, Journal of the American Statistical Association 109 (2014), with exponent 1. A series is
split where the energy distance (Székely and Rizzo 2005) between the values before and after is largest; the
values after may end before the series does, so that a change which was later undone is found too. A split
counts if few permutations of the runs have a larger distance, and its halves are then tested in the same way.

Two things differ from Matteson and James, and from Apache Otava, which uses Student's t instead:

- One permutation orders the runs of all series alike, and p is the share of permutations in which the largest
  distance of *any* series reaches the observed one (Westfall and Young 1993, maxT). So p is adjusted for the
  family of all series, whatever their correlation: a busy host moves all cells of a run. Each series is
  divided by its mean distance between two runs, so that no unit counts more.
- The position has a 95 % confidence set: every position at which the hypothesis "the one change is here" is
  not refused, by permutations within the values before and within those after.

Permutations make no assumption but that runs without a change are exchangeable: a slow drift is shown as a
change as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.core.plan.power import ALPHA

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

SHORTEST: Final = 2
"""The fewest runs on either side of a change."""
LEVEL: Final = 0.01
"""A split counts if p is at most this. A history is analysed again after every run: at 5 % each, about one in
five histories without a change shows one at some time (decision 0063)."""
FEWEST_RUNS: Final = 10
"""The fewest runs with which p can be at most LEVEL: 5 and 5 of them give 2 ÷ C(10, 5) = 0.8 %, and 4 and 5
of nine 1.6 %."""
PERMUTATIONS: Final = 499
FEWER_PERMUTATIONS: Final = 199
MOST_WORK: Final = 50_000_000
"""Distances to add up, in all permutations: with more, there are FEWER_PERMUTATIONS."""
BATCH: Final = 8
"""Series of which the distances are permuted together."""
TOGETHER: Final = 16_384
"""Distances to add up at a time: few enough for the CPU's cache, and many series of short histories."""
LAST_DIGITS: Final = 1e-9
"""Distances closer than this are equal: another order of addition moves the last digits."""


@dataclass(frozen=True)
class ChangePoint:
    """A change before the run at index `at`; the 95 % confidence set reaches from `first` to `last`.

    All three are indices of runs, each the first one after the change.
    """

    at: int
    first: int
    last: int
    p_adjusted: float


@dataclass(frozen=True)
class Changes:
    """The change points of each series, in order, and how many permutations decided."""

    of_series: tuple[tuple[ChangePoint, ...], ...]
    permutations: int


@dataclass(frozen=True)
class _Segment:
    """Part of a series: the indices of its runs, and the distances between their values."""

    series: int
    runs: Indices
    distances: Floats


@dataclass(frozen=True)
class _Split:
    segment: _Segment
    position: int
    p_adjusted: float


def change_points(series: Sequence[Sequence[float | None]], seed: int) -> Changes:
    """The changes in series of one value a run, as one family; None where a run has no value.

    Values are compared by their differences: pass logarithms to compare ratios. The same series and seed give
    the same result. Each level of splitting holds LEVEL for its whole family.
    """
    tested = [_segment(index, values) for index, values in enumerate(series)]
    tested = [segment for segment in tested if len(segment.runs) >= FEWEST_RUNS]
    work = PERMUTATIONS * sum(len(segment.runs) ** 2 for segment in tested)
    permutations = PERMUTATIONS if work <= MOST_WORK else FEWER_PERMUTATIONS
    generator = np.random.default_rng(seed)
    found: list[_Split] = []
    while tested:
        splits = [one for one in _tested(tested, permutations, generator) if one.p_adjusted <= LEVEL]
        found += splits
        tested = [half for split in splits for half in _halves(split)]
    return Changes(
        tuple(tuple(_located(index, values, found, seed)) for index, values in enumerate(series)),
        permutations,
    )


def energy(distances: Floats) -> Floats:
    """Q[…, τ, κ]: the scaled energy distance of the values 0…τ−1 and τ…κ−1, from distances […, i, j].

    Equation (5) of Matteson and James with U-statistics; −∞ where a side has fewer than SHORTEST values.
    """
    size = distances.shape[-1]
    scale = _scale(size)
    inside = np.zeros((*distances.shape[:-2], size + 1, size + 1))
    np.cumsum(distances * scale.upper, axis=-1, out=inside[..., :size, 1:])
    backwards = inside[..., size - 1 :: -1, :]
    np.cumsum(backwards, axis=-2, out=backwards)
    of_both, of_first = inside[..., :1, :], np.swapaxes(inside[..., :1, :], -1, -2)
    found: Floats = scale.both * of_both - scale.first * of_first - scale.after * inside
    found += scale.allowed
    return found


@dataclass(frozen=True)
class _Scale:
    """What the sums of distances are multiplied by, by (τ, κ); `allowed` is 0 or −∞."""

    upper: Floats
    both: Floats
    first: Floats
    after: Floats
    allowed: Floats


@lru_cache(maxsize=128)
def _scale(size: int) -> _Scale:
    before, until = np.arange(size + 1)[:, None], np.arange(size + 1)[None, :]
    allowed = (before >= SHORTEST) & (until - before >= SHORTEST)
    m, n = np.where(allowed, before, SHORTEST), np.where(allowed, until - before, SHORTEST)
    both = 2 / (m + n)
    return _Scale(
        upper=np.triu(np.ones((size, size)), 1),
        both=both,
        first=both + 2 * n / ((m + n) * (m - 1)),
        after=both + 2 * m / ((m + n) * (n - 1)),
        allowed=np.where(allowed, 0.0, -np.inf),
    )


def _segment(index: int, values: Sequence[float | None]) -> _Segment:
    runs = np.array([run for run, value in enumerate(values) if value is not None], dtype=np.intp)
    known = np.array([value for value in values if value is not None], dtype=float)
    distances = np.abs(known[:, None] - known[None, :])
    mean = float(distances.sum()) / max(1, len(runs) * (len(runs) - 1))
    return _Segment(index, runs, distances / mean if mean > 0 else distances)


def _part(segment: _Segment, begin: int, end: int) -> _Segment:
    distances = segment.distances[begin:end, begin:end]
    size = end - begin
    mean = float(distances.sum()) / max(1, size * (size - 1))
    return _Segment(segment.series, segment.runs[begin:end], distances / mean if mean > 0 else distances)


def _halves(split: _Split) -> Iterator[_Segment]:
    size = len(split.segment.runs)
    for begin, end in ((0, split.position), (split.position, size)):
        if end - begin >= FEWEST_RUNS:
            yield _part(split.segment, begin, end)


def _tested(
    segments: Sequence[_Segment], permutations: int, generator: np.random.Generator
) -> Iterator[_Split]:
    """The best split of each segment, with p adjusted for all of them."""
    best = [_best(segment.distances) for segment in segments]
    largest = _largest(segments, permutations, generator)
    for segment, (statistic, position) in zip(segments, best, strict=True):
        reached = int(np.count_nonzero(largest >= statistic - LAST_DIGITS))
        yield _Split(segment, position, (1 + reached) / (1 + permutations))


def _best(distances: Floats) -> tuple[float, int]:
    found = energy(distances)
    position = int(np.argmax(found.max(axis=-1)))
    return float(found[position].max()), position


def _largest(segments: Sequence[_Segment], permutations: int, generator: np.random.Generator) -> Floats:
    """The largest statistic of all segments in each permutation of the runs."""
    runs = 1 + max(int(segment.runs[-1]) for segment in segments)
    ranks = generator.random((permutations, runs))
    alike: dict[bytes, list[_Segment]] = {}
    for segment in segments:
        alike.setdefault(segment.runs.tobytes(), []).append(segment)
    largest = np.full(permutations, -np.inf)
    for same in alike.values():
        orders = np.argsort(ranks[:, same[0].runs], axis=-1)
        for begin in range(0, len(same), BATCH):
            stacked = np.stack([segment.distances for segment in same[begin : begin + BATCH]])
            step = max(1, TOGETHER // stacked.size)
            for first in range(0, permutations, step):
                some = orders[first : first + step]
                found = energy(stacked[:, some[:, :, None], some[:, None, :]])
                so_far = largest[first : first + step]
                np.maximum(so_far, found.max(axis=(0, 2, 3)), out=so_far)
    return largest


def _located(
    index: int, values: Sequence[float | None], splits: Sequence[_Split], seed: int
) -> Iterator[ChangePoint]:
    """The change points of one series, each with the confidence set of its position."""
    own = sorted((s for s in splits if s.segment.series == index), key=lambda s: s.segment.runs[s.position])
    if not own:
        return
    whole, generator = _segment(index, values), np.random.default_rng(seed)
    at = [int(np.searchsorted(whole.runs, split.segment.runs[split.position])) for split in own]
    ends = [0, *at, len(whole.runs)]
    for number, split in enumerate(own):
        begin, end = ends[number], ends[number + 2]
        possible = [begin + one for one in positions(whole.distances[begin:end, begin:end], generator)]
        first, last = min([*possible, at[number]]), max([*possible, at[number]])
        yield ChangePoint(
            int(whole.runs[at[number]]), int(whole.runs[first]), int(whole.runs[last]), split.p_adjusted
        )


def positions(distances: Floats, generator: np.random.Generator) -> list[int]:
    """The 95 % confidence set of the position of the one change in a series, by its distances.

    A position is left out if fewer than 5 % of the permutations on either side of it have another position
    that fits better by as much.
    """
    size = len(distances)
    observed = energy(distances)[:, size]
    kept = []
    for position in range(SHORTEST, size - SHORTEST + 1):
        orders = np.concatenate(
            (
                np.argsort(generator.random((FEWER_PERMUTATIONS, position)), axis=-1),
                position + np.argsort(generator.random((FEWER_PERMUTATIONS, size - position)), axis=-1),
            ),
            axis=-1,
        )
        found = energy(distances[orders[:, :, None], orders[:, None, :]])[..., size]
        advantage = observed.max() - observed[position]
        reached = np.count_nonzero(found.max(axis=-1) - found[:, position] >= advantage - LAST_DIGITS)
        if (1 + reached) / (1 + FEWER_PERMUTATIONS) > ALPHA:
            kept.append(position)
    return kept
