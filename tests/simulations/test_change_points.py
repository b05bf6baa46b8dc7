"""Histories without a change that are analysed again after every run: how many ever show one."""

from __future__ import annotations

import numpy as np
import pytest

from backend.core.statistics.change_points import FEWEST_RUNS, change_points

pytestmark = pytest.mark.full  # a small form: tests/core/statistics/test_change_points.py
HISTORIES = 60
SERIES = 2
RUNS = 24


def test_few_growing_histories_without_a_change_ever_show_one() -> None:
    """The level of one analysis is 1 %; this is over all analyses of a history with 10 to 24 runs."""
    generator = np.random.default_rng(5)
    ever = 0
    for number in range(HISTORIES):
        common = 0.7 * generator.normal(size=RUNS)
        values = (common + generator.normal(size=(SERIES, RUNS))).tolist()
        ever += any(
            any(change_points([series[:runs] for series in values], seed=number).of_series)
            for runs in range(FEWEST_RUNS, RUNS + 1)
        )
    # With 5 % over all analyses, 9 or more of 60 come with a chance of 0.3 %.
    assert ever < 9
