"""Holm's correction against golden values and statsmodels."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from backend.core.statistics.holm import holm


def test_holm_golden() -> None:
    assert holm([0.001, 0.02, 0.03, 0.04, 0.6]) == pytest.approx((0.005, 0.08, 0.09, 0.09, 0.6), abs=1e-12)
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    with patch("gc.collect"):  # it collects garbage at every call, which takes longer than the rest
        expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(tuple(expected), abs=1e-15)
