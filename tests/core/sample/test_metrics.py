"""Metrics of a trial, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.core.definition.metrics import METRICS
from backend.core.sample.metrics import metrics
from backend.core.sample.pgbench import parse
from backend.core.sample.record import CpuByRole

FIXTURES = Path(__file__).parents[2] / "fixtures" / "pgbench"
SOURCES = dict.fromkeys(("client", "server", "proxy", "kernel", "other"), "test")
CPU = CpuByRole(
    roles={"client": 1.0, "server": 2.0, "proxy": 0.5, "kernel": 0.1, "other": 0.2},
    tasks_total=3.8,
    host_busy=4.0,
    unattributed=0.2,
    idle=2.0,
    steal=0.0,
    capacity=6.0,
    sources=SOURCES,
)


def result(version: str) -> dict[str, float]:
    parsed = parse((FIXTURES / f"{version}.stdout").read_text(), "")
    return metrics(parsed, CPU, 3.0, {"context_switches": 59_052 * 2})


def test_cpu_per_transaction_divides_core_seconds_by_transactions() -> None:
    found = result("15-live")
    assert found["tps"] == 19773.309448
    assert found["cpu_us_per_txn"] == pytest.approx(4.0e6 / 59_052, abs=1e-6)
    assert found["proxy_cpu_us_per_txn"] == pytest.approx(0.5e6 / 59_052, abs=1e-6)
    assert found["cpu_cores"] == pytest.approx(4 / 3, abs=1e-6)
    assert found["context_switches_per_txn"] == 2
    assert set(found) <= set(METRICS)


def test_latency_that_was_not_measured_is_absent() -> None:
    assert "latency_avg_ms" not in result("9.6")
    assert result("15-live")["latency_avg_ms"] == 0.247
