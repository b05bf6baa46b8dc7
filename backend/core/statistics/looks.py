"""Holm's p-values over several planned analyses: the deprecated `p_holm`, by which nothing is judged.

A family is tested at each of K looks that were fixed before the start. Bonferroni over the looks (each
may spend α ÷ K), Holm over the family, and closed testing from look to look: what was rejected once
stays rejected and counts as p = 0, so that its share of α passes on to the others (Maurer & Bretz 2013,
"Multiple testing in group sequential trials using graphical approaches"). The bound holds for any
dependence between looks and between comparisons, and also where a run stops before its last look.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from backend.core.statistics.holm import holm


def adjust(p_values: Sequence[float], looks: int, rejected: Collection[int] = ()) -> tuple[float, ...]:
    """The p-values of one look, in the order given: min(1, `looks` × Holm).

    `rejected` are the places of those that an earlier look rejected: they count as 0 whatever stands
    there. With one look this is Holm's correction.
    """
    held = [0.0 if place in rejected else p for place, p in enumerate(p_values)]
    return tuple(min(1.0, looks * p) for p in holm(held))
