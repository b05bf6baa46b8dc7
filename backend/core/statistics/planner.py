"""How many rounds a question needs; what a plan can decide is in `core.plan.power`."""

from __future__ import annotations

import math
from typing import Final

from backend.core.plan.power import ALPHA, max_comparisons, rounds_needed, smallest_p

__all__ = [
    "ALPHA",
    "max_comparisons",
    "rounds_for_difference",
    "rounds_needed",
    "smallest_p",
    "smallest_p_unpaired",
]

_Z_ALPHA: Final = 1.96
_Z_POWER: Final = 0.84
_EFFICIENCY: Final = 0.955
"""Asymptotic efficiency of rank tests against the t-test for normal data: 3/π."""


def smallest_p_unpaired(n: int) -> float:
    """The smallest two-sided p of the U test with n values on either side: 2 ÷ C(2n, n)."""
    return min(1.0, 2 / math.comb(2 * n, n))


def rounds_for_difference(deviation: float, difference: float) -> int:
    """Values per arm for 80 % power at 5 %: `deviation` is the SD of ln x, `difference` is 0.03 for 3 %."""
    effect = (_Z_ALPHA + _Z_POWER) * deviation / math.log1p(difference)
    return math.ceil(2 * effect**2 / _EFFICIENCY)
