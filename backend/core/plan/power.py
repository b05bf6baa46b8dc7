"""How many comparisons a number of rounds can decide (Wilcoxon 1945; Bonferroni).

The smallest two-sided p of the paired test is 2 ÷ 2ⁿ for n rounds. Bonferroni multiplies it by the m
comparisons of a family and by the K interim analyses of a run, so that with K × m × 2 ÷ 2ⁿ ≤ 0.05 the rounds
are certain to be able to decide. The procedure that is used (statistics.simultaneous) needs fewer rounds
where comparisons are correlated; no decision is possible where K × 2 ÷ 2ⁿ > 0.05.
"""

from __future__ import annotations

from typing import Final

ALPHA: Final = 0.05


def smallest_p(rounds: int) -> float:
    """The smallest two-sided p of the signed-rank test on this many pairs."""
    return min(1.0, 2.0 ** (1 - rounds))


def max_comparisons(rounds: int, analyses: int = 1) -> int:
    """The largest family in which so many rounds are certain to be able to decide."""
    return int(ALPHA * 2**rounds / 2 / analyses) if rounds < 60 else 2**53


def rounds_needed(comparisons: int, analyses: int = 1) -> int:
    """The fewest rounds that are certain to be able to decide a family of this many comparisons."""
    rounds = 1
    while max_comparisons(rounds, analyses) < comparisons:
        rounds += 1
    return rounds
