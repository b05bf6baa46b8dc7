"""Drift of values so far apart that no number holds their change."""

from __future__ import annotations

import math
import warnings

import pytest

from backend.core.statistics.drift import drift


@pytest.mark.parametrize(("low", "high"), [(1e-300, 1e100), (5e-324, 1e100)])
def test_a_change_beyond_all_bounds_is_no_drift(low: float, high: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert drift({n: low if n < 4 else high for n in range(1, 7)}) is None


@pytest.mark.parametrize(("low", "high"), [(1e100, 1e-300), (1e-100, 1e100), (1.0, 2.0)])
def test_any_other_change_is_finite(low: float, high: float) -> None:
    found = drift({n: low if n < 4 else high for n in range(1, 7)})
    assert found is not None and math.isfinite(found.change) and found.p < 0.1
