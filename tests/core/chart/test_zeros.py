"""A metric that is zero on one side has no ratio: it is compared by differences, in its own unit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.run_verdict import run_verdict
from backend.core.definition.experiment import Experiment
from backend.core.plan.model import Cell
from tests.core.chart.runs import Change, made_up, study_experiment

SENT_AGAIN = (1253.0, 914.0, 926.0, 1026.0, 1274.0, 1292.0, 1216.0, 902.0)
"""Retransmits of eight transfers through docker-proxy; the direct path had none."""


def tcp_experiment(**changes: object) -> Experiment:
    document: dict[str, object] = {
        "study": None,
        "factors": {
            "path": ["container_address", "published_loopback"],
            "tool": "iperf3",
            "service": "iperf3_server",
            "clients": 1,
        },
        "rounds": 8,
        "baseline": {"path": "container_address"},
        "metrics": ["throughput_gbit_s", "retransmits"],
    }
    return study_experiment(**{k: v for k, v in (document | changes).items() if v is not None})


def sends_again(row: TrialRow, cell: Cell) -> TrialRow:
    again = SENT_AGAIN[row.round - 1] if cell.levels["path"] == "published_loopback" else 0.0
    assert row.metrics is not None
    return replace(row, metrics={**row.metrics, "retransmits": again})


def never_again(row: TrialRow, _cell: Cell) -> TrialRow:
    assert row.metrics is not None
    return replace(row, metrics={**row.metrics, "retransmits": 0.0})


def result(change: Change, **changes: object) -> ChartModel:
    return build_chart(made_up(tcp_experiment(**changes), change))


def published(model: ChartModel) -> ChartCell:
    return next(cell for cell in model.cells if cell.levels["path"] == "published_loopback")


def test_retransmits_from_zero_are_judged_by_their_difference() -> None:
    model = result(sends_again)
    found = next(c for c in model.cells if c.levels["path"] == "published_loopback").comparisons[
        "retransmits"
    ]
    assert (found.verdict, found.ratio, found.p, found.n) == ("worse", None, 2 / 2**8, 8)
    assert found.p_adjusted == 2 / 2**8
    assert found.difference is not None
    assert found.difference.value == pytest.approx(1095.5)
    assert found.difference.interval is not None
    assert (found.difference.interval.low, found.difference.interval.high) == (914.0, 1272.5)
    assert found.sentence.endswith("segments higher (95 % CI +914 to +1,272 segments)")


def test_zero_in_every_trial_of_both_is_equivalent() -> None:
    model = result(never_again)
    found = next(c for c in model.cells if c.levels["path"] == "published_loopback").comparisons[
        "retransmits"
    ]
    assert (found.verdict, found.sentence) == ("equivalent", "Equal within 5 %")
    assert found.difference is not None
    assert found.difference.value == 0


def test_the_headline_and_the_run_verdict_name_a_difference() -> None:
    model = result(sends_again, metrics=["retransmits"])
    assert "segments higher" in model.headline
    verdict = run_verdict(model)
    assert (verdict.kind, verdict.without_ratio) == ("worse", 0)
    assert verdict.largest is not None
    assert verdict.largest.difference is not None
    assert verdict.largest.difference.unit == "segments"
