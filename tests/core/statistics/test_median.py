"""Median and interval against benchstat's own library."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import quantile_test

from backend.core.statistics.median import cv_percent, median_interval, median_orders

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "benchmath.json").read_text())
values = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=60)


@pytest.mark.parametrize(("n", "low", "high", "confidence"), GOLDEN["median_orders"])
def test_orders_of_go_moremath(n: int, low: int, high: int, confidence: float) -> None:
    found = median_orders(n)
    assert found[:2] == (low, high)
    assert found[2] == pytest.approx(confidence, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "low", "high", "confidence"),
    [
        (6, 1, 6, 0.969),
        (7, 1, 7, 0.984),
        (8, 1, 7, 0.961),
        (9, 2, 8, 0.961),
        (10, 2, 9, 0.979),
        (11, 2, 9, 0.961),
        (12, 3, 10, 0.961),
        (15, 4, 12, 0.965),
        (20, 6, 15, 0.959),
        (30, 10, 21, 0.957),
        (31, 10, 22, 0.969),
    ],
)
def test_table_of_orders(n: int, low: int, high: int, confidence: float) -> None:
    found = median_orders(n)
    assert (*found[:2], round(found[2], 3)) == (low, high, confidence)


@pytest.mark.parametrize("n", [6, 7, 9, 10, 12, 15, 20, 29])
def test_scipy_agrees_where_the_interval_is_symmetric(n: int) -> None:
    sample = [float(x) for x in range(1, n + 1)]
    interval = quantile_test(sample, q=0.0, p=0.5).confidence_interval(0.95)
    found = median_interval(sample)
    low, high, _ = median_orders(n)
    if low + high == n + 1:
        assert (found.low, found.high) == (interval.low, interval.high)


@given(values)
def test_the_median_is_numpys_and_lies_within(sample: list[float]) -> None:
    found = median_interval(sample)
    assert found.median == pytest.approx(np.median(sample), rel=1e-15, abs=1e-300)
    assert found.low is None or found.low <= found.median
    assert found.high is None or found.high >= found.median


@given(values, st.integers(-20, 20))
def test_scaling_scales(sample: list[float], power: int) -> None:
    """Powers of two, because every other factor rounds."""
    factor = 2.0**power
    found, scaled = median_interval(sample), median_interval([x * factor for x in sample])
    assert scaled.median == pytest.approx(found.median * factor, abs=1e-300)
    assert (scaled.low is None) == (found.low is None)
    if found.low is not None:
        assert scaled.low == pytest.approx(found.low * factor, abs=1e-300)


def test_coefficient_of_variation() -> None:
    assert cv_percent([]) is None
    assert cv_percent([3.0]) is None
    assert cv_percent([-1.0, 1.0]) is None
    assert cv_percent([9.0, 11.0]) == pytest.approx(100 * math.sqrt(2) / 10)
