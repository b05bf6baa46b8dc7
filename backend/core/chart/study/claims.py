"""The claims of a published study against this run: direction and size separately.

A part is reproduced where the whole interval lies in the region of the claim, not reproduced where all of it
lies outside, and undecided otherwise. A size has a bound on both sides, with the tolerance of the study's
file. The intervals hold 95 % over all figures of the study's claims together, and over all planned analyses
(`statistics.family.joint_intervals`). Where the A/A check is suspect nothing is decided: a run whose
measurement has a fault can neither repeat a study nor contradict it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.model.quality_models import Claim, ClaimOutcome, DuplicateCheck
from backend.core.chart.study.claim_figures import Figure, figures_of
from backend.core.definition.studies.model import (
    ClosenessClaim,
    PublishedStudy,
    RatioClaim,
    RoleClaim,
    SpreadClaim,
    StudyClaim,
)
from backend.core.messages.message import Message, joined, message, parts_of
from backend.core.statistics.family import joint_intervals
from backend.core.statistics.paired import Bounds, Undefined

NO_CELL: Final = "Not tested: the run has no single cell"
"""Beginning of the detail of a claim whose cells this run does not have."""
_RULES: Final = {
    "reproduced": "Reproduced",
    "not_reproduced": "NotReproduced",
    "undecided": "Undecided",
}


@dataclass(frozen=True)
class Region:
    """The bounds of a figure by one part of a claim; None: no bound on that side."""

    low: float | None
    high: float | None

    def place(self, interval: Bounds) -> ClaimOutcome:
        """Whether an interval lies inside, outside, or neither."""
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if low <= interval[0] and interval[1] <= high:
            return "reproduced"
        return "not_reproduced" if interval[1] < low or interval[0] > high else "undecided"

    def text(self) -> str:
        """The bounds in words."""
        if self.low is None:
            return message("regionAtMost", high=f"{self.high:g}")
        if self.high is None:
            return message("regionAtLeast", low=f"{self.low:g}")
        return message("regionWithin", low=f"{self.low:.3g}", high=f"{self.high:.3g}")


@dataclass(frozen=True)
class _Regions:
    """The regions of a claim's direction and size; None where it claims nothing about it."""

    direction: Region | None
    size: Region | None


def judge_claims(
    study: PublishedStudy, cells: Cells, checks: Sequence[DuplicateCheck] = (), analyses: int = 1
) -> tuple[Claim, ...]:
    """The outcome of every claim of a study, tested as one family over the planned analyses."""
    figures: dict[int, tuple[Figure, ...]] = {}
    untested: dict[int, str] = {}
    for place, claim in enumerate(study.claims):
        try:
            figures[place] = figures_of(study, claim, cells)
        except Undefined as reason:
            untested[place] = message("claimNotTested", reason=str(reason))
    intervals, size = _intervals([one for own in figures.values() for one in own], analyses)
    found = []
    for place, claim in enumerate(study.claims):
        if place in untested:
            found.append(Claim(text=claim.text, outcome="undecided", detail=untested[place]))
            continue
        found.append(_trusted(_judge(claim, figures[place], intervals, size), checks))
    return tuple(found)


def _intervals(figures: Sequence[Figure], analyses: int) -> tuple[Mapping[int, Bounds], int]:
    """The simultaneous interval of each figure by its identity, and how many hold together."""
    ratios = [one for one in figures if one.base is not None]
    medians = [one for one in figures if one.base is None]
    pairs = [(one.base, one.own) for one in ratios if one.base is not None]
    of_ratios, of_medians, size = joint_intervals(pairs, [one.own for one in medians], analyses)
    found = zip([*ratios, *medians], [*of_ratios, *of_medians], strict=True)
    return {id(figure): bounds for figure, bounds in found if bounds is not None}, size


def _judge(claim: StudyClaim, figures: Sequence[Figure], intervals: Mapping[int, Bounds], size: int) -> Claim:
    lacking = [figure for figure in figures if id(figure) not in intervals]
    if lacking:
        least = min(figure.n for figure in lacking)
        id_ = "claimTooFewRounds" if lacking[0].base is not None else "claimTooFewTrials"
        detail = message(id_, n=least, size=size)
        return Claim(text=claim.text, outcome="undecided", detail=detail)
    bounds = [intervals[id(figure)] for figure in figures]
    regions = _regions(claim)
    together = message("claimTogether", n=size) if size > 1 else None
    direction, magnitude = (_together(region, bounds) for region in (regions.direction, regions.size))
    return Claim(
        text=claim.text,
        outcome=_overall(direction, magnitude),
        direction=direction,
        size=magnitude,
        detail=message(
            "claimFigures",
            figures=joined((f.text(b) for f, b in zip(figures, bounds, strict=True)), "semicolon"),
            rules=joined((*_rules(regions, direction, magnitude), together)),
        ),
    )


def _regions(claim: StudyClaim) -> _Regions:
    match claim:
        case RatioClaim() | RoleClaim():
            size = None
            if claim.size is not None:
                size = Region(claim.size - claim.tolerance, claim.size + claim.tolerance)
            return _Regions(Region(claim.at_least, claim.at_most), size)
        case ClosenessClaim():
            return _Regions(None, Region(1 - claim.within, 1 / (1 - claim.within)))
        case SpreadClaim():
            return _Regions(Region(claim.at_least, None), None)
    raise Undefined("the claim has no bounds")


def _together(region: Region | None, bounds: Sequence[Bounds]) -> ClaimOutcome | None:
    """Reproduced where all intervals lie inside, not reproduced where one lies outside."""
    if region is None:
        return None
    places = {region.place(interval) for interval in bounds}
    if "not_reproduced" in places:
        return "not_reproduced"
    return "undecided" if "undecided" in places else "reproduced"


def _rules(regions: _Regions, direction: ClaimOutcome | None, size: ClaimOutcome | None) -> Iterator[str]:
    """Each part's outcome with the region in which its interval should lie."""
    for name, region, outcome in (("Direction", regions.direction, direction), ("Size", regions.size, size)):
        if region is not None and outcome is not None:
            yield message(f"claimRule{name}{_RULES[outcome]}", region=region.text())


def _overall(*parts: ClaimOutcome | None) -> Literal["reproduced", "contradicted", "undecided"]:
    if "not_reproduced" in parts:
        return "contradicted"
    return "undecided" if "undecided" in parts else "reproduced"


def _trusted(claim: Claim, checks: Sequence[DuplicateCheck]) -> Claim:
    """The claim with the qualification of the A/A checks; of a suspect run no part is decided."""
    outcomes = {check.outcome for check in checks}
    if claim.direction is None and claim.size is None:
        return claim
    if "suspect" in outcomes:
        return claim.model_copy(
            update={
                "outcome": "undecided",
                "direction": claim.direction and "undecided",
                "size": claim.size and "undecided",
                **_detail(message("claimSuspect", detail=claim.detail)),
            }
        )
    if "cannot_tell" in outcomes:
        return claim.model_copy(update=_detail(message("claimCannotTell", detail=claim.detail)))
    return claim


def _detail(text: Message) -> dict[str, object]:
    return {"detail": text, "detail_message": parts_of(text)}
