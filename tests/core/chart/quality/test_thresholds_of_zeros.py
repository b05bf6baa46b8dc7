"""Thresholds on a ratio that does not exist, because a value is zero: the cell against bound × baseline."""

from __future__ import annotations

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.model.quality_models import ThresholdCell
from tests.core.chart.runs import Change, made_up
from tests.core.chart.test_zeros import never_again, sends_again, tcp_experiment


def threshold_cell(change: Change, threshold: str) -> ThresholdCell:
    model = build_chart(made_up(tcp_experiment(thresholds=[threshold]), change))
    assert model.gate is not None
    return model.gate.rules[0].cells[0]


def test_more_than_a_baseline_of_zero_fails_with_its_difference() -> None:
    found = threshold_cell(sends_again, "ratio(retransmits, baseline) <= 1.05")
    assert (found.outcome, found.value, found.interval) == ("fail", None, None)
    assert found.difference is not None
    assert found.difference.value == 1095.5
    assert found.sentence.endswith(
        "is +1,096 segments (95 % CI +914 to +1,272 segments) from 1.05 times its baseline: above 0 segments."
    )


@pytest.mark.parametrize("operator", ["<= 1.05", "< 1.05", ">= 0.95", "> 0.95"])
def test_zero_against_zero_passes(operator: str) -> None:
    found = threshold_cell(never_again, f"ratio(retransmits, baseline) {operator}")
    assert found.outcome == "pass"
    assert "equal to its baseline" in found.sentence


def test_a_threshold_in_the_metrics_unit_is_tested_as_ever() -> None:
    assert threshold_cell(never_again, "retransmits <= 0 for path=published_loopback").outcome == "pass"
    assert threshold_cell(sends_again, "retransmits <= 0 for path=published_loopback").outcome == "fail"
