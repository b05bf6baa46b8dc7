"""Equivalence by two one-sided tests (Schuirmann 1987), read from the 90 % interval of the ratio."""

from __future__ import annotations

from typing import Final

LAST_DIGITS: Final = 1e-9
"""Ratios are exponentials of logarithms in units of 1e-12: their last digits are rounded."""


def margin_bounds(margin: float) -> tuple[float, float]:
    """The ratios that count as equivalent: [1/(1+δ), 1+δ], symmetric under swapping the two cells."""
    return 1 / (1 + margin), 1 + margin


def is_equivalent(interval_90: tuple[float, float] | None, margin: float) -> bool:
    """Whether the 90 % interval of the ratio lies wholly within the margin."""
    if interval_90 is None:
        return False
    low, high = margin_bounds(margin)
    return low * (1 - LAST_DIGITS) <= interval_90[0] and interval_90[1] <= high * (1 + LAST_DIGITS)
