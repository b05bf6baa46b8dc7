"""What a number of rounds can decide at all (statistics: planner; Holm 1979; Wilcoxon 1945).

The paired test's smallest two-sided p is 2 ÷ 2ⁿ for n rounds. Holm multiplies the smallest p of a
family by the number of comparisons, and a run that is looked at K times multiplies by K (Bonferroni over
its looks), so a family of m can have a significant member only if K × m × 2 ÷ 2ⁿ ≤ 0.05.
"""

from __future__ import annotations

from typing import Final

ALPHA: Final = 0.05


def smallest_p(rounds: int) -> float:
    """The smallest two-sided p of the signed-rank test on this many pairs."""
    return min(1.0, 2.0 ** (1 - rounds))


def max_comparisons(rounds: int, looks: int = 1) -> int:
    """The largest family in which the signed-rank test with Holm's correction can decide anything."""
    return int(ALPHA * 2**rounds / 2 / looks) if rounds < 60 else 2**53


def rounds_needed(comparisons: int, looks: int = 1) -> int:
    """The fewest rounds that can decide a family of this many comparisons."""
    rounds = 1
    while max_comparisons(rounds, looks) < comparisons:
        rounds += 1
    return rounds
