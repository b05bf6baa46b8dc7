"""The regions in which a claim's figures should lie, and where their intervals lie."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.core.chart.model.quality_models import ClaimOutcome
from backend.core.chart.study.claim_figures import Figure
from backend.core.definition.studies.model import (
    ClosenessClaim,
    RatioClaim,
    RoleClaim,
    SpreadClaim,
    StudyClaim,
)
from backend.core.messages.message import message
from backend.core.statistics.paired import Bounds, Undefined


@dataclass(frozen=True)
class Region:
    """The bounds of a figure by one part of a claim; None: no bound on that side."""

    low: float | None
    high: float | None

    def place(self, interval: Bounds) -> ClaimOutcome:
        """Whether the interval of a ratio or median lies inside, outside, or neither."""
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if low <= interval[0] and interval[1] <= high:
            return "reproduced"
        return "not_reproduced" if interval[1] < low or interval[0] > high else "undecided"

    def place_differences(self, intervals: Mapping[float, Bounds]) -> ClaimOutcome:
        """The same by the intervals of cell − bound × other, by the bound.

        Where only 0 remains possible both cells are 0 in nearly all rounds, which is no ratio.
        """
        above, below = Region(0.0, None), Region(None, 0.0)
        places = {
            side.place(intervals[bound]) if intervals[bound] != (0.0, 0.0) else "undecided"
            for side, bound in ((above, self.low), (below, self.high))
            if bound is not None
        }
        if "not_reproduced" in places:
            return "not_reproduced"
        return "undecided" if "undecided" in places else "reproduced"

    @property
    def bounds(self) -> tuple[float, ...]:
        """The bounds that it has."""
        return tuple(bound for bound in (self.low, self.high) if bound is not None)

    def text(self) -> str:
        """The bounds in words."""
        if self.low is None:
            return message("regionAtMost", high=f"{self.high:g}")
        if self.high is None:
            return message("regionAtLeast", low=f"{self.low:g}")
        return message("regionWithin", low=f"{self.low:.3g}", high=f"{self.high:.3g}")

    def text_of_differences(self) -> str:
        """The bounds of the differences in words."""
        low, high = (None if bound is None else f"{bound:.4g}" for bound in (self.low, self.high))
        if low is None:
            return message("regionDifferenceAtMost", high=str(high))
        if high is None:
            return message("regionDifferenceAtLeast", low=low)
        return message("regionDifferenceWithin", low=low, high=high)


@dataclass(frozen=True)
class Regions:
    """The regions of a claim's direction and size; None where it claims nothing about it."""

    direction: Region | None
    size: Region | None

    @property
    def bounds(self) -> tuple[float, ...]:
        """Every bound once, ascending."""
        both = (region.bounds for region in (self.direction, self.size) if region is not None)
        return tuple(sorted({bound for own in both for bound in own}))

    def parts(self) -> Iterator[tuple[str, Region]]:
        """The name and region of what is claimed."""
        for name, region in (("Direction", self.direction), ("Size", self.size)):
            if region is not None:
                yield name, region


def regions_of(claim: StudyClaim) -> Regions:
    """The regions of a claim that can be tested."""
    match claim:
        case RatioClaim() | RoleClaim():
            size = None
            if claim.size is not None:
                size = Region(claim.size - claim.tolerance, claim.size + claim.tolerance)
            return Regions(Region(claim.at_least, claim.at_most), size)
        case ClosenessClaim():
            return Regions(None, Region(1 - claim.within, 1 / (1 - claim.within)))
        case SpreadClaim():
            return Regions(Region(claim.at_least, None), None)
    raise Undefined("the claim has no bounds")


@dataclass(frozen=True)
class FigureIntervals:
    """A figure with its simultaneous intervals: one, or those of its differences by the bound."""

    figure: Figure
    intervals: Mapping[float | None, Bounds]
    estimates: Mapping[float, float]

    def place(self, region: Region) -> ClaimOutcome:
        """Where it lies."""
        if self.figure.difference is None:
            return region.place(self.intervals[None])
        return region.place_differences({b: own for b, own in self.intervals.items() if b is not None})

    def text(self, region: Region) -> str:
        """The region in the words of its figure."""
        return region.text() if self.figure.difference is None else region.text_of_differences()

    def texts(self) -> Iterator[str]:
        """The figure with its interval, or each difference with its own."""
        for bound, interval in self.intervals.items():
            if bound is None or self.figure.difference is None:
                yield self.figure.text(interval)
            else:
                yield self.figure.difference.text(bound, self.estimates[bound], interval, self.figure.n)


def common_outcome(figures: Sequence[FigureIntervals], region: Region | None) -> ClaimOutcome | None:
    """Reproduced where all figures lie inside, not reproduced where one lies outside."""
    if region is None:
        return None
    places = {one.place(region) for one in figures}
    if "not_reproduced" in places:
        return "not_reproduced"
    return "undecided" if "undecided" in places else "reproduced"
