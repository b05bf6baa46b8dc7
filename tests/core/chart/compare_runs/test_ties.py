"""Ties of two cells of one run: the adjusted p decides as the interval does."""

from __future__ import annotations

import pytest

from backend.core.chart.compare_runs.run_comparison_ratios import _paired_ratio as paired_ratio_of
from backend.core.statistics.ratio_estimate import RatioEstimate


@pytest.mark.parametrize("tests", [1, 3])
def test_an_adjusted_p_counts_ties_as_its_interval_does(tests: int) -> None:
    """Three of nine rounds are equal: the sign-flip p, 2/2⁶, would show a difference beside an interval
    that begins at none."""
    a = {n: 100.0 + n for n in range(9)}
    b = {n: value * (1 + 0.001 * max(0, n - 2)) for n, value in a.items()}
    found = paired_ratio_of(a, b, tests, tests)
    assert isinstance(found, RatioEstimate) and found.p == pytest.approx(2 / 2**6)
    assert found.p_adjusted == pytest.approx(min(1.0, tests * 2 * 14 / 2**9))
    if tests == 1:
        assert found.interval is not None and found.interval[0] == 1.0
