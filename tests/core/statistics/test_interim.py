"""Holm's p-values over several interim analyses."""

from __future__ import annotations

import pytest
from statsmodels.stats.multitest import multipletests

from backend.core.statistics.interim import adjust


def test_one_analysis_is_holm() -> None:
    p_values = [0.001, 0.02, 0.03, 0.04, 0.6]
    _, expected, _, _ = multipletests(p_values, method="holm")
    assert adjust(p_values, 1) == pytest.approx(tuple(expected))


def test_each_analysis_spends_its_share() -> None:
    assert adjust([0.001, 0.02], 3) == pytest.approx((0.006, 0.06))
    assert adjust([0.5, 0.4], 4) == (1.0, 1.0), "never above 1"


def test_what_was_rejected_before_passes_its_share_on() -> None:
    """Of five, two are rejected: the smallest of the rest is multiplied by three, whatever stood there."""
    p_values = [0.9, 0.01, 0.9, 0.02, 0.3]
    found = adjust(p_values, 2, rejected={0, 2})
    assert found[1] == pytest.approx(2 * 3 * 0.01)
    assert found[3] == pytest.approx(2 * 2 * 0.02)
    assert found[0] == found[2] == 0.0


def test_an_empty_family() -> None:
    assert adjust([], 3) == ()
