"""Whether two runs may be compared at all, and what to do where they may not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.compare_runs.compared_cells import ComparedCells
from backend.core.chart.compare_runs.matching import BASELINE, Match, Names, differing_factors
from backend.core.chart.compare_runs.run_comparison_model import Basis, Comparable, EnvironmentDifference
from backend.core.messages.message import joined, message

_NAMED: Final = 6
"""No more differences than this are named in one sentence."""


@dataclass(frozen=True)
class Side:
    """One run or its one chosen cell, by its name in sentences ("A", "B" …), with all of its cells."""

    name: str
    cells: ComparedCells

    @property
    def has_trial(self) -> bool:
        """Whether any trial has been recorded."""
        return any(cell.recorded for cell in self.cells.values())


@dataclass(frozen=True)
class Judgement:
    """How far the two are comparable, with one sentence for each reason.

    `overridable`: they are not, but an override would show figures, because there is something to compare.
    """

    comparable: Comparable
    reasons: tuple[str, ...]
    overridable: bool = False


def judge_comparable(
    a: Side,
    b: Side,
    basis: Basis,
    matches: Sequence[Match],
    chosen: bool,
    metrics: Sequence[str],
    differing_operations: str | None,
    differences: Sequence[EnvironmentDifference],
) -> Judgement:
    """Not comparable, comparable in part, or comparable.

    `chosen`: two cells were named, so that their differences are wanted; `metrics` are those that both
    yield and that can be compared, and `differing_operations` says why others cannot.
    """
    against = [text for side in (a, b) if not side.has_trial for text in (_no_trial(side),)]
    both = [match for match in matches if match.a is not None and match.b is not None]
    if not both:
        against.append(_nothing_in_common(a, b))
    elif not metrics and not against:
        against.append(_no_metric(differing_operations))
    missing = bool(against)
    without = _without_ratio(both, chosen, (a.name, b.name)) if basis == "ratios" else None
    if without is not None:
        against.append(without)
    mixed = _not_comparable(basis, both, chosen, differences, (a.name, b.name)) if without is None else None
    if mixed is not None:
        against.append(mixed)
    if against:
        return Judgement("not", tuple(against), overridable=not missing and without is None)
    relevant = [one for one in differences if one.relevance != "minor"]
    if not relevant:
        return Judgement("comparable", ())
    reasons = tuple(_baselines(one, (a.name, b.name)) for one in relevant if one.key == BASELINE)
    others = [one for one in relevant if one.key != BASELINE]
    if others:
        reasons += (message("runsWhatDiffers", facts=_keys(others)),)
    return Judgement("partly", reasons)


def _baselines(one: EnvironmentDifference, names: Names) -> str:
    return message("runsOtherBaselines", ours=str(one.a), a=names[0], theirs=str(one.b), b=names[1])


def _no_metric(differing_operations: str | None) -> str:
    if differing_operations is None:
        return message("runsNoMetricInCommon")
    return message("runsNoMetricInCommonAs", operations=differing_operations)


def _no_trial(side: Side) -> str:
    return message("runsWithoutTrial", name=side.name)


def _nothing_in_common(a: Side, b: Side) -> str:
    differing = joined(differing_factors(a.cells, b.cells, (a.name, b.name))[:3], "semicolon")
    return message("runsNoCellInCommonAs", factors=differing) if differing else message("runsNoCellInCommon")


def _not_comparable(
    basis: Basis,
    both: Sequence[Match],
    chosen: bool,
    differences: Sequence[EnvironmentDifference],
    names: Names,
) -> str | None:
    """Why figures of this basis are not comparable, and the basis to use; None where they are."""
    if basis == "values":
        blocking = [one for one in differences if one.relevance == "blocking"]
        if not blocking:
            return None
        facts = (
            message("runsFactIn", fact=one.key, ours=str(one.a), a=names[0], theirs=str(one.b), b=names[1])
            for one in blocking
        )
        return message("runsMachinesDiffer", facts=joined(facts, "semicolon"))
    partner = {match.a.cell.id: match.b.cell.id for match in both if match.a and match.b}
    with_ratio = [match for match in both if not _is_baseline(match)]
    if not chosen and any(_other_baseline(match, partner) for match in with_ratio):
        return message("runsDifferentBaselines")
    return None


def _without_ratio(both: Sequence[Match], chosen: bool, names: Names) -> str | None:
    """Why no match has a ratio on both sides, because of baselines; None where one has."""
    if not both or any(not _is_baseline(match) for match in both):
        return None
    if all(match.is_baseline for match in both):
        return message("runsBothBaselines" if chosen else "runsOnlyBaselines")
    if not chosen:
        return message("runsEachABaseline", a=names[0], b=names[1])
    of_first = both[0].a is not None and both[0].a.cell.is_baseline
    return message("runsCellIsBaseline", name=names[0] if of_first else names[1])


def _other_baseline(match: Match, partner: dict[str, str]) -> bool:
    """Whether the cells' own baselines are not one and the same cell."""
    assert match.a is not None and match.b is not None
    return partner.get(match.a.cell.baseline_id or "") != match.b.cell.baseline_id


def _is_baseline(match: Match) -> bool:
    return any(side is not None and side.cell.is_baseline for side in (match.a, match.b))


def _keys(differences: Sequence[EnvironmentDifference]) -> str:
    keys = [one.key for one in differences]
    named = joined(keys[:_NAMED], "comma")
    return message("andMore", names=named, n=len(keys) - _NAMED) if len(keys) > _NAMED else named
