"""Whether two runs may be compared at all, and what to do where they may not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.cross_model import Basis, Comparable, EnvironmentDifference
from backend.core.chart.matching import Cells, Match, asked_apart

_NAMED: Final = 6
"""No more differences than this are named in one sentence."""


@dataclass(frozen=True)
class Side:
    """One run or its one chosen cell: "A" or "B", with all of its cells."""

    name: str
    cells: Cells

    @property
    def has_trial(self) -> bool:
        """Whether any trial has been recorded."""
        return any(trials.done for trials in self.cells.values())


@dataclass(frozen=True)
class Judgement:
    """How far the two are comparable, with one sentence for each reason."""

    comparable: Comparable
    reasons: tuple[str, ...]


def judge(
    a: Side,
    b: Side,
    basis: Basis,
    matches: Sequence[Match],
    chosen: bool,
    metrics: Sequence[str],
    differences: Sequence[EnvironmentDifference],
) -> Judgement:
    """Not comparable, comparable in part, or comparable.

    `chosen`: two cells were named, so that what they differ in was asked for; `metrics` are those that
    both yield.
    """
    against = [text for side in (a, b) if not side.has_trial for text in (_no_trial(side),)]
    both = [match for match in matches if match.a is not None and match.b is not None]
    if not both:
        against.append(_nothing_in_common(a, b))
    elif not metrics and not against:
        against.append("No metric is in common: compare cells whose tools report the same one.")
    against += _by_basis(basis, both, chosen, differences)
    if against:
        return Judgement("not", tuple(against))
    weighty = [one for one in differences if one.weight != "noted"]
    if not weighty:
        return Judgement("comparable", ())
    return Judgement("partly", (f"What differs besides, and may move the figures: {_keys(weighty)}.",))


def _no_trial(side: Side) -> str:
    return f"{side.name} has no finished trial: wait for its first one, or choose another run."


def _nothing_in_common(a: Side, b: Side) -> str:
    apart = "; ".join(asked_apart(a.cells, b.cells)[:3])
    why = f": {apart}" if apart else ", because no cell has the same levels in both"
    return f"No cell is in common{why}. Name one cell of each (a_cell, b_cell) to compare these two."


def _by_basis(
    basis: Basis, both: Sequence[Match], chosen: bool, differences: Sequence[EnvironmentDifference]
) -> list[str]:
    """What one basis cannot do, with the other as the remedy."""
    deciding = [one for one in differences if one.weight == "decides"]
    if basis == "values":
        if not deciding:
            return []
        told = "; ".join(f"{one.key} is {one.a} in A and {one.b} in B" for one in deciding)
        return [
            f"The machines differ: {told}. Compare the ratios to each run's own baseline (basis=ratios), "
            "or override, and read the values as those of two machines."
        ]
    with_ratio = [match for match in both if not _is_baseline(match)]
    if both and not with_ratio:
        return ["Only baselines are in common, and they have no ratio: compare values (basis=values)."]
    partner = {match.a.cell.id: match.b.cell.id for match in both if match.a and match.b}
    if not chosen and any(_other_baseline(match, partner) for match in with_ratio):
        return [
            "The runs have different baselines, so their ratios answer different questions: compare values "
            "(basis=values), or override."
        ]
    return []


def _other_baseline(match: Match, partner: dict[str, str]) -> bool:
    """Whether the cells' own baselines are not one and the same cell."""
    assert match.a is not None and match.b is not None
    return partner.get(match.a.cell.baseline_id or "") != match.b.cell.baseline_id


def _is_baseline(match: Match) -> bool:
    return any(side is not None and side.cell.is_baseline for side in (match.a, match.b))


def _keys(differences: Sequence[EnvironmentDifference]) -> str:
    keys = [one.key for one in differences]
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    return ", ".join(keys[:_NAMED]) + more
