"""Steadiness within a trial and drift over a run."""

from __future__ import annotations

import pytest
from scipy.stats import kendalltau

from backend.core.statistics.drift import drift
from backend.core.statistics.steadiness import steadiness


def test_a_steady_series() -> None:
    found = steadiness([100, 101, 99, 5_000, 100, 102, 98])
    assert found is not None
    assert (found.first, found.second, found.change, found.steady) == (100, 100, 0, True)


def test_a_series_that_warms_up() -> None:
    found = steadiness([50, 60, 70, 100, 100, 100])
    assert found is not None
    assert found.change == pytest.approx(100 / 60 - 1)
    assert not found.steady


@pytest.mark.parametrize("series", [[], [1, 2, 3], [0, 0, 0, 5, 5, 5]])
def test_a_series_that_tells_nothing(series: list[float]) -> None:
    assert steadiness(series) is None


def test_drift_of_one_percent_a_round() -> None:
    values = {n: 1000 * 1.01**n for n in range(1, 11)}
    found = drift(values)
    assert found is not None
    assert found.change == pytest.approx(1.01**9 - 1)
    assert found.p == pytest.approx(kendalltau(range(10), range(10)).pvalue)
    assert found.significant


def test_drift_of_missing_rounds_counts_by_their_numbers() -> None:
    found = drift({n: 1000 * 1.01**n for n in (1, 2, 5, 7, 9, 10)})
    assert found is not None
    assert found.change == pytest.approx(1.01**9 - 1)


def test_no_drift() -> None:
    level = drift(dict.fromkeys(range(8), 5.0))
    assert level is not None
    assert (level.change, level.significant) == (0, False)
    assert drift(dict.fromkeys(range(5), 1.0)) is None
    assert drift({n: float(n) for n in range(8)}) is None
