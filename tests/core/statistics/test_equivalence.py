"""Equivalence within a margin, read from the 90 % interval."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.statistics.equivalence import is_equivalent, margin_bounds


@pytest.mark.parametrize(
    ("interval", "equivalent"),
    [
        ((0.96, 1.04), True),
        ((1 / 1.05, 1.05), True),
        ((0.95, 1.04), False),
        ((0.96, 1.06), False),
        ((0.7, 0.8), False),
        (None, False),
    ],
)
def test_equivalence(interval: tuple[float, float] | None, equivalent: bool) -> None:
    assert is_equivalent(interval, 0.05) is equivalent


@given(st.floats(0.001, 0.5))
def test_the_margin_is_the_same_from_both_sides(margin: float) -> None:
    low, high = margin_bounds(margin)
    assert low * high == pytest.approx(1)
