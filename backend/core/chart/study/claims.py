"""The claims of a published study against this run: direction and size separately.

A part is reproduced where the whole interval lies in the region of the claim, not reproduced where all of it
lies outside, and undecided otherwise. A size has a bound on both sides, with the tolerance of the study's
file. The intervals hold 95 % over all figures of the study's claims together, and over all planned analyses
(`statistics.family.joint_intervals`). Where the A/A check is suspect nothing is decided: a run whose
measurement has a fault can neither repeat a study nor contradict it.
Where a ratio does not exist because a value is zero, the differences to each bound times the other value are
tested against 0, in the same family.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.model.quality_models import Claim, ClaimOutcome, DuplicateCheck
from backend.core.chart.study.claim_figures import Figure, figures_of
from backend.core.chart.study.claim_regions import FigureIntervals, Regions, common_outcome, regions_of
from backend.core.definition.studies.model import PublishedStudy, StudyClaim
from backend.core.messages.message import Message, joined, message, parts_of
from backend.core.statistics.family import family_differences, joint_intervals
from backend.core.statistics.paired import Bounds, Undefined

NO_CELL: Final = "Not tested: the run has no single cell"
"""Beginning of the detail of a claim whose cells this run does not have."""
_RULES: Final = {
    "reproduced": "Reproduced",
    "not_reproduced": "NotReproduced",
    "undecided": "Undecided",
}


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
    family = _intervals_of(
        [(regions_of(study.claims[place]), own) for place, own in figures.items()], analyses
    )
    by_place = dict(zip(figures, family.claims, strict=True))
    found = []
    for place, claim in enumerate(study.claims):
        if place in untested:
            found.append(Claim(text=claim.text, outcome="undecided", detail=untested[place]))
            continue
        found.append(_trusted(_judge(claim, figures[place], by_place[place], family.size), checks))
    return tuple(found)


@dataclass(frozen=True)
class _ClaimFamily:
    """The figures of each claim with their intervals, and how many figures are one family."""

    claims: Sequence[Sequence[FigureIntervals]]
    size: int


def _intervals_of(claims: Sequence[tuple[Regions, Sequence[Figure]]], analyses: int) -> _ClaimFamily:
    """The simultaneous intervals of all figures; a figure that has none is left out."""
    every = [(figure, regions) for regions, own in claims for figure in own]
    ratios = [one for one, _ in every if one.base is not None and one.difference is None]
    by_difference = [
        (one, bound) for one, regions in every if one.difference is not None for bound in regions.bounds
    ]
    medians = [one for one, _ in every if one.base is None]
    scaled = [figure.scaled(bound) for figure, bound in by_difference]
    pairs = [(one.base, one.own) for one in ratios if one.base is not None]
    of_pairs, of_medians, size = joint_intervals(pairs, [one.own for one in medians], analyses, scaled)
    keys: list[tuple[Figure, float | None]] = [*((one, None) for one in ratios), *by_difference]
    keys += [(one, None) for one in medians]
    intervals: defaultdict[int, dict[float | None, Bounds]] = defaultdict(dict)
    for (figure, bound), interval in zip(keys, [*of_pairs, *of_medians], strict=True):
        if interval is not None:
            intervals[id(figure)][bound] = interval
    estimates: defaultdict[int, dict[float, float]] = defaultdict(dict)
    differences = family_differences([base for base, _ in scaled], [own for _, own in scaled])
    for (figure, bound), estimate in zip(by_difference, differences, strict=True):
        if not isinstance(estimate, Undefined):
            estimates[id(figure)][bound] = estimate.estimate
    return _ClaimFamily(
        [
            [
                FigureIntervals(one, intervals[id(one)], estimates[id(one)])
                for one in own
                if intervals[id(one)]
            ]
            for _, own in claims
        ],
        size,
    )


def _judge(
    claim: StudyClaim, figures: Sequence[Figure], intervals: Sequence[FigureIntervals], size: int
) -> Claim:
    with_interval = {id(one.figure) for one in intervals}
    lacking = [figure for figure in figures if id(figure) not in with_interval]
    if lacking:
        least = min(figure.n for figure in lacking)
        id_ = "claimTooFewRounds" if lacking[0].base is not None else "claimTooFewTrials"
        detail = message(id_, n=least, size=size)
        return Claim(text=claim.text, outcome="undecided", detail=detail)
    regions = regions_of(claim)
    direction, magnitude = (common_outcome(intervals, region) for region in (regions.direction, regions.size))
    outcomes = {"Direction": direction, "Size": magnitude}
    of_all = message("claimTogether", n=size) if size > 1 else None
    return Claim(
        text=claim.text,
        outcome=_overall(direction, magnitude),
        direction=direction,
        size=magnitude,
        detail=message(
            "claimFigures",
            figures=joined((text for one in intervals for text in one.texts()), "semicolon"),
            rules=joined((*_rules(regions, intervals, outcomes), of_all)),
        ),
    )


def _rules(
    regions: Regions, intervals: Sequence[FigureIntervals], outcomes: Mapping[str, ClaimOutcome | None]
) -> Iterator[str]:
    """Each part's outcome with the region in which its interval should lie."""
    for name, region in regions.parts():
        if (outcome := outcomes[name]) is not None:
            text = joined(dict.fromkeys(one.text(region) for one in intervals), "semicolon")
            yield message(f"claimRule{name}{_RULES[outcome]}", region=text)


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
