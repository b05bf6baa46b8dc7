"""Figures that cannot be true beside the others of their report are left out; genuine reports have none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from backend.core.errors import Unparseable
from backend.core.sample.parsers import PARSERS
from backend.core.sample.result import ToolResult
from tests.core.imported_runs import text
from tests.core.sample.made_reports import MADE, Made

FIXTURES = Path(__file__).parents[2] / "fixtures"
CANNOT_BE = re.compile(
    "with which|above the longest|in a run of|below (?:50|99) %|a time per request of|hold no|fewer segments"
)
"""What every sentence on a contradiction between figures has."""
REPORTS = [
    path
    for folder in ("pgbench", "wrk", "ab", "iperf3", "versions", "logs")
    for path in sorted((FIXTURES / folder).rglob("*"))
    if path.suffix in (".stdout", ".json", ".log")
]


def left_out(result: ToolResult) -> str:
    return "\n".join(notice.figures for notice in result.notices if notice.kind == "figures left out")


def pgbench(latency: float, tps: float, clients: int, *, end: str = "duration: 10 s", more: str = "") -> str:
    done = round(10 * tps)
    processed = f"{done}/{done}" if "per client" in end else str(done)
    return (
        f"transaction type: <builtin: select only>\nscaling factor: 1\nquery mode: simple\n"
        f"number of clients: {clients}\nnumber of threads: 1\n{end}\n"
        f"number of transactions actually processed: {processed}\n{more}"
        f"latency average = {latency:.3f} ms\nlatency stddev = 0.100 ms\n"
        f"initial connection time = 5.000 ms\ntps = {tps:.6f} (without initial connection time)\n"
    )


@pytest.mark.parametrize(
    ("latency", "tps", "clients", "sentence"),
    [
        (0.001, 100.0, 10, "0.001 ms, with which 10 clients would do 10,000,000 a second and not 100"),
        (5.0, 100.0, 10, "5 ms, with which 10 clients would do 2,000 a second and not 100"),
        (151.0, 100.0, 10, "151 ms, with which 10 clients would do 66.2252 a second and not 100"),
        (1e6, 0.1, 1, "1e+06 ms, with which 1 clients would do 0.001 a second and not 0.1"),
    ],
)
def test_pgbench_a_mean_latency_that_its_rate_and_clients_exclude(
    latency: float, tps: float, clients: int, sentence: str
) -> None:
    result = PARSERS["pgbench"].parse(pgbench(latency, tps, clients), "")
    assert result.metrics == {"tps": tps} and not result.latency_measured
    assert sentence in left_out(result)


@pytest.mark.parametrize(
    "printed",
    [
        pgbench(100.0, 100.0, 10),
        pgbench(11.0, 100.0, 10),
        pgbench(149.0, 100.0, 10),
        pgbench(0.001, 1e6, 1),
        pgbench(10.0, 100.0, 10, end="number of transactions per client: 100"),
        pgbench(1.0, 100.0, 10, more="number of failed transactions: 900 (47.368%)\n"),
    ],
)
def test_pgbench_a_mean_latency_that_can_be(printed: str) -> None:
    """Also of a last client of -t, and beside transactions that failed, whose time is in no latency."""
    result = PARSERS["pgbench"].parse(printed, "")
    assert "latency_avg_ms" in result.metrics and not left_out(result)


def wrk(change: Callable[[str], str]) -> ToolResult:
    """wrk-around/json.log: 489.60 a second; mean 81.20, longest 201.11, 50 % 80.11, 99 % 99.31 ms."""
    return PARSERS["wrk"].parse(change(text("wrk-around/json.log")), "")


@pytest.mark.parametrize(
    ("printed", "instead", "sentence"),
    [
        ("81.20ms", "501.20ms", "501.2 ms above the longest, 201.11 ms"),
        ("81.20ms", " 0.50us", "0.0005 ms below 50 % of 80.11 ms"),
        ("81.20ms", "38.20ms", "38.2 ms below 50 % of 80.11 ms"),
        ("201.11ms", "  3.11h ", "in a run of"),
    ],
)
def test_wrk_latencies_that_contradict_each_other_or_the_rate(
    printed: str, instead: str, sentence: str
) -> None:
    assert wrk(str).metrics.keys() >= {"latency_avg_ms", "latency_p50_ms", "latency_p99_ms"}
    result = wrk(lambda log: log.replace(printed, instead, 1))
    assert result.metrics.keys() == {"rps"}
    assert sentence in left_out(result)


def test_wrk_a_mean_latency_that_its_rate_and_connections_exclude() -> None:
    log = text("wrk-around/time-after.log")
    assert PARSERS["wrk"].parse(log, "").metrics["latency_avg_ms"] == 0.21
    result = PARSERS["wrk"].parse(re.sub(r"(Latency +)[0-9.]+us", r"\g<1>0.01us", log), "")
    assert result.metrics.keys() == {"rps"}
    assert re.search("a mean latency of 1e-05 ms, with which [0-9]+ clients would do", left_out(result))


def ab(change: Callable[[str], str]) -> ToolResult:
    return PARSERS["ab"].parse(change((FIXTURES / "ab/ab-2.3-c4-k.stdout").read_text()), "")


@pytest.mark.parametrize(
    ("share", "milliseconds", "sentence"),
    [("50%", 900, "50 % of 900 ms"), ("100%", 90_000, "a longest latency of 90000 ms in a run of")],
)
def test_ab_percentiles_that_its_rate_and_connections_exclude(
    share: str, milliseconds: int, sentence: str
) -> None:
    def change(log: str) -> str:
        """All from this percentage on."""
        at = log.index(f" {share}")
        return log[:at] + re.sub(r"(%\s+)\d+", rf"\g<1>{milliseconds}", log[at:])

    result = ab(change)
    assert result.metrics.keys() == {"rps"} and sentence in left_out(result)


def test_ab_a_time_per_request_that_is_not_divided_out_of_the_rate() -> None:
    assert "time_per_request_ms" in ab(str).facts
    result = ab(lambda log: re.sub(r"(Time per request: +)[0-9.]+( \[ms\] \(mean\))", r"\g<1>77.000\2", log))
    assert "time_per_request_ms" not in result.facts
    assert "a time per request of 77 ms, where 4 connections" in left_out(result)


def iperf3(name: str, change: Callable[[Any], object]) -> ToolResult:
    report = json.loads((FIXTURES / f"iperf3/iperf3-{name}.json").read_text())
    change(report)
    return PARSERS["iperf3"].parse(json.dumps(report), "")


def test_iperf3_more_retransmits_than_segments() -> None:
    result = iperf3("3.12-tcp", lambda r: r["end"]["sum_sent"].update(retransmits=60_000_000))
    assert result.metrics.keys() == {"throughput_gbit_s"}
    assert "retransmits is 60000000, but 4609802240 bytes are fewer" in left_out(result)
    few = iperf3("3.12-tcp", lambda r: r["end"]["sum_sent"].update(retransmits=1_000_000))
    assert few.metrics["retransmits"] == 1_000_000


def test_iperf3_packets_that_do_not_hold_the_bytes() -> None:
    def few(report: Any) -> None:
        report["end"]["sum_received"].update(packets=1_000, lost_packets=0)

    result = iperf3("3.12-udp", few)
    assert "lost_percent" not in result.metrics
    assert "1000 packets of 32768 bytes hold no 75005952 bytes" in left_out(result)
    with pytest.raises(Unparseable, match="hold no"):
        iperf3("3.9-udp-loss", lambda r: r["end"]["sum"].update(packets=60_000))


def test_iperf3_more_lost_than_there_were() -> None:
    def more(report: Any) -> None:
        report["end"]["sum_received"].update(lost_packets=3_000, lost_percent=50)

    result = iperf3("3.12-udp", more)
    assert "lost_percent" not in result.metrics and "3000 of 2289 packets" in left_out(result)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_no_genuine_report_has_a_contradiction(path: Path) -> None:
    tool = next((name for name in PARSERS if name in path.parts), None)
    beside = path.with_suffix(".stderr")
    stderr = beside.read_text() if beside.exists() else ""
    for parser in [PARSERS[tool]] if tool else PARSERS.values():
        try:
            result = parser.parse(path.read_bytes().decode(errors="replace"), stderr)
        except Unparseable as refused:
            assert not CANNOT_BE.search(str(refused))
            continue
        assert not CANNOT_BE.search(left_out(result)), left_out(result)


@settings(max_examples=100)
@given(MADE["pgbench"])
def test_pgbench_a_latency_in_another_unit_is_left_out(made: Made) -> None:
    if "latency_avg_ms" not in made.metrics:
        return
    latency = made.metrics["latency_avg_ms"]
    wrong = made.stdout.replace(f"average = {latency:.3f} ms", f"average = {1e3 * latency:.3f} ms")
    assert "latency_avg_ms" not in PARSERS["pgbench"].parse(wrong, made.stderr).metrics
