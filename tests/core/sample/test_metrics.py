"""Metrics of a trial, by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from backend.core.definition.metrics import METRICS
from backend.core.sample.metrics import metrics, with_costs
from backend.core.sample.parsers import PARSERS
from backend.core.sample.record import CpuByRole, Role
from backend.core.sample.result import ToolResult

FIXTURES = Path(__file__).parents[2] / "fixtures"
CPU = CpuByRole(
    roles={"client": 1.0, "server": 2.0, "proxy": 0.5, "kernel": 0.1, "other": 0.2},
    tasks_total=3.8,
    host_busy=4.0,
    unattributed=0.2,
    idle=2.0,
    steal=0.0,
    capacity=6.0,
    sources={"client": "test", "server": "test", "proxy": "test", "kernel": "test", "other": "test"},
)
COUNTERS = {"context_switches": 59_052 * 2}
SWITCHES: dict[Role, int] = {"server": 59_052, "client": 29_526, "proxy": 7}


def result(
    file: str,
    cpu: CpuByRole = CPU,
    counters: dict[str, int] = COUNTERS,
    switches: dict[Role, int] = SWITCHES,
) -> dict[str, float]:
    path = FIXTURES / file
    return metrics(PARSERS[path.parent.name].parse(path.read_text(), ""), cpu, 4.0, counters, switches)


def test_figures_per_transaction_divide_by_transactions_and_cores_by_seconds() -> None:
    found = result("pgbench/15-live.stdout")
    assert found["tps"] == 19773.309448
    assert found["cpu_us_per_txn"] == pytest.approx(3.6e6 / 59_052, abs=1e-6), (
        "client, server, proxy and kernel"
    )
    assert found["host_cpu_us_per_txn"] == pytest.approx(3.8e6 / 59_052, abs=1e-6)
    assert found["proxy_cpu_us_per_txn"] == pytest.approx(0.5e6 / 59_052, abs=1e-6)
    assert found["server_cpu_us_per_txn"] == pytest.approx(2.0e6 / 59_052, abs=1e-6)
    assert found["client_cpu_us_per_txn"] == pytest.approx(1.0e6 / 59_052, abs=1e-6)
    assert (found["cpu_cores"], found["host_cpu_cores"], found["other_cpu_cores"]) == (0.9, 0.95, 0.05)
    assert found["server_cpu_cores"] == 0.5
    assert found["client_cpu_cores"] == 0.25
    assert found["proxy_cpu_cores"] == 0.125
    assert found["context_switches_per_txn"] == 2
    assert found["server_switches_per_txn"] == 1
    assert found["client_switches_per_txn"] == 0.5


@pytest.mark.parametrize(
    ("file", "own"),
    [
        ("pgbench/15-live.stdout", {"tps", "latency_avg_ms"}),
        ("pgbench/9.6.stdout", {"tps"}),
        (
            "wrk/wrk-4.1.0-c4-t2.stdout",
            {"rps", "latency_avg_ms", "latency_p50_ms", "latency_p99_ms", "latency_max_ms"},
        ),
        ("ab/ab-2.3-e-stdout.stdout", {"rps", "latency_p50_ms", "latency_p99_ms", "latency_max_ms"}),
        ("iperf3/iperf3-3.12-tcp.json", {"throughput_gbit_s", "retransmits"}),
        ("iperf3/iperf3-3.12-udp.json", {"throughput_gbit_s", "jitter_ms", "lost_percent"}),
    ],
)
def test_each_tool_has_its_own_metrics_and_those_of_all(file: str, own: set[str]) -> None:
    shared = {name for name in METRICS if "cpu" in name or "switches" in name}
    found = result(file)
    assert set(found) == own | shared
    assert list(found) == [name for name in METRICS if name in found]


def test_a_megabyte_is_a_transaction_of_iperf3() -> None:
    assert result("iperf3/iperf3-3.12-tcp.json")["cpu_us_per_txn"] == pytest.approx(3.6e6 / 4610, abs=1e-6)


def test_what_was_not_observed_is_absent() -> None:
    without = CPU.model_copy(update={"roles": {"client": 1.0, "server": 2.0}})
    found = result("pgbench/15-live.stdout", without, {}, {"client": 3})
    gone = {"proxy_cpu_us_per_txn", "proxy_cpu_cores", "context_switches_per_txn", "server_switches_per_txn"}
    assert gone.isdisjoint(found)
    assert "client_switches_per_txn" in found


def test_no_transaction_and_no_time_give_no_figure_per_transaction_or_second() -> None:
    none = ToolResult("pgbench", None, 0, 0, 1, True, {"tps": 0.0, "latency_avg_ms": math.nan})
    assert metrics(none, CPU, 0.0, COUNTERS, SWITCHES) == {"tps": 0.0}


def test_other_processes_do_not_move_the_cost_of_a_transaction() -> None:
    busy = CPU.model_copy(update={"roles": {**CPU.roles, "other": 3.0}})
    quiet, beside = result("pgbench/15-live.stdout"), result("pgbench/15-live.stdout", busy)
    assert beside["cpu_us_per_txn"] == quiet["cpu_us_per_txn"]
    assert beside["cpu_cores"] == quiet["cpu_cores"]
    assert beside["host_cpu_us_per_txn"] > quiet["host_cpu_us_per_txn"]
    assert beside["other_cpu_cores"] == 0.75


def test_a_record_of_any_age_has_the_cost_by_the_same_definition() -> None:
    today = result("pgbench/15-live.stdout")
    older = {n: v for n, v in today.items() if not n.startswith("host_cpu") and n != "other_cpu_cores"}
    older |= {"cpu_us_per_txn": 4.0e6 / 59_052, "cpu_cores": 1.0}
    assert with_costs(older, CPU.roles, 59_052, 4.0) == today
    assert with_costs(today, CPU.roles, 59_052, 4.0) == today
    assert with_costs({"tps": 1.0}, CPU.roles, 59_052, 4.0) == {"tps": 1.0}, "an imported one has no cost"
