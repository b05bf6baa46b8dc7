"""Drift of a cell over its rounds, also of values whose change is not finite."""

from __future__ import annotations

import math
import warnings

import pytest
from scipy.stats import kendalltau

from backend.core.statistics.drift import drift


@pytest.mark.parametrize(("low", "high"), [(1e-300, 1e100), (5e-324, 1e100)])
def test_a_change_that_is_not_finite_is_no_drift(low: float, high: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert drift({n: low if n < 4 else high for n in range(1, 7)}) is None


@pytest.mark.parametrize(("low", "high"), [(1e100, 1e-300), (1e-100, 1e100), (1.0, 2.0)])
def test_any_other_change_is_finite(low: float, high: float) -> None:
    found = drift({n: low if n < 4 else high for n in range(1, 7)})
    assert found is not None and math.isfinite(found.change) and found.p < 0.1


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
