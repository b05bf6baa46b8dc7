"""Holm, equivalence and the planner."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from backend.core.statistics.equivalence import is_equivalent, margin_bounds
from backend.core.statistics.holm import holm
from backend.core.statistics.planner import (
    max_comparisons,
    rounds_for_difference,
    rounds_needed,
    smallest_p_unpaired,
)


def test_holm_golden() -> None:
    assert holm([0.001, 0.02, 0.03, 0.04, 0.6]) == pytest.approx((0.005, 0.08, 0.09, 0.09, 0.6), abs=1e-12)
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    with patch("gc.collect"):  # it collects garbage at every call, which takes longer than the rest
        expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(tuple(expected), abs=1e-15)


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


@pytest.mark.parametrize(("n", "p"), [(4, 0.0286), (5, 0.0079), (6, 0.0022), (10, 1.1e-5)])
def test_smallest_p_of_the_u_test(n: int, p: float) -> None:
    assert smallest_p_unpaired(n) == pytest.approx(p, rel=0.02)


@pytest.mark.parametrize(
    ("deviation", "difference", "n"), [(0.02, 0.03, 8), (0.03, 0.03, 17), (0.05, 0.05, 18)]
)
def test_rounds_for_a_difference(deviation: float, difference: float, n: int) -> None:
    assert rounds_for_difference(deviation, difference) == n


@given(st.integers(1, 2_000))
def test_rounds_needed_are_the_fewest(comparisons: int) -> None:
    rounds = rounds_needed(comparisons)
    assert max_comparisons(rounds) >= comparisons > max_comparisons(rounds - 1)
