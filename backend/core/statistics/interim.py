"""Holm's p-values over several interim analyses: the deprecated `p_holm`, which no verdict uses.

A family is tested at each of K interim analyses that were fixed before the start. Bonferroni over the
analyses (each may spend α ÷ K), Holm over the family, and closed testing between analyses: a rejected
hypothesis stays rejected and counts as p = 0, so that its share of α passes to the others (Maurer & Bretz
2013, "Multiple testing in group sequential trials using graphical approaches"). The bound holds for any
dependence between analyses and between comparisons, and also where a run stops before its last analysis.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from backend.core.statistics.holm import holm


def adjust(p_values: Sequence[float], analyses: int, rejected: Collection[int] = ()) -> tuple[float, ...]:
    """The p-values of one interim analysis, in the order given: min(1, `analyses` × Holm).

    `rejected` are the indices of those that an earlier analysis rejected; their p counts as 0. With one
    analysis this is Holm's correction.
    """
    held = [0.0 if place in rejected else p for place, p in enumerate(p_values)]
    return tuple(min(1.0, analyses * p) for p in holm(held))
