"""The wrk parser on captured output of 4.1.0, on the text of 4.0 and 4.2, and on output that is no report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT
from backend.core.sample.result import ToolResult
from backend.core.sample.wrk import parse, progress
from tests.core.sample.notices import texts

FIXTURES = Path(__file__).parents[2] / "fixtures" / "wrk"


def text(name: str) -> str:
    return (FIXTURES / f"wrk-{name}.stdout").read_text()


def captured(name: str) -> ToolResult:
    return parse(text(name), "")


@pytest.mark.parametrize(
    ("name", "requests", "connections", "rps", "mean", "p50", "p99", "longest", "bins"),
    [
        ("4.1.0-c1-t1", 31_993, 1, 31_993 / 2.099642, 0.071928, 0.063, 0.140, 4.381, 356),
        ("4.1.0-c4-t2", 187_137, 4, 187_137 / 3.099305, 0.156037, 0.052, 2.535, 12.285, 1377),
        ("4.1.0-c64-t2", 251_705, 64, 251_705 / 3.022645, 1.323443, 0.594, 8.928, 36.160, 1443),
        ("4.1.0-merged-bins", 60_227, 64, 60_227 / 6.008481, 12.644285, 4.802, 117.656, 562.191, 1778),
        ("4.1.0-no-script", 136_658, 4, 68_303.15, 0.19156, 0.048, 2.90, 7.05, 0),
    ],
)
def test_the_scripts_line_counts_and_else_the_text(
    name: str,
    requests: int,
    connections: int,
    rps: float,
    mean: float,
    p50: float,
    p99: float,
    longest: float,
    bins: int,
) -> None:
    result = captured(name)
    assert (result.tool, result.operations, result.failed) == ("wrk", requests, 0)
    assert result.connections == connections
    assert result.metrics["rps"] == pytest.approx(rps, rel=1e-6)
    assert result.metrics["latency_avg_ms"] == pytest.approx(mean)
    assert result.metrics["latency_p50_ms"] == pytest.approx(p50)
    assert result.metrics["latency_p99_ms"] == pytest.approx(p99)
    assert result.metrics["latency_max_ms"] == pytest.approx(longest)
    assert result.latency_measured
    assert len(result.histogram) == bins
    assert result.facts["source"] == ("report.lua" if bins else "text")


def test_the_histogram_is_pairs_of_microseconds_and_counts() -> None:
    histogram = captured("4.1.0-c1-t1").histogram
    assert histogram[0] == (20, 70)
    assert [value for value, _ in histogram] == sorted(value for value, _ in histogram)


def test_samples_that_wrk_added_are_counted_and_texted() -> None:
    few, many = captured("4.1.0-c1-t1"), captured("4.1.0-c4-t2")
    assert few.facts["latency_samples_added"] == "426"
    assert texts(few) == ()
    assert many.facts["latency_samples_added"] == "29628"
    assert [text.split(":")[0] for text in texts(many)] == ["latency"]
    assert "29628 samples to 187137" in texts(many)[0]


def test_socket_errors_are_failures_beside_the_requests() -> None:
    result = captured("4.1.0-read-errors")
    assert (result.operations, result.failed) == (92_815, 4883)
    assert "read 4883" in texts(result)[0]


def test_bad_statuses_and_late_answers_are_not_in_the_rate() -> None:
    whole = text("4.1.0-c4-t2").replace('"status":0,"timeout":0', '"status":37137,"timeout":50000')
    result = parse(whole, "")
    assert (result.operations, result.failed) == (100_000, 87_137)
    assert result.metrics["rps"] == pytest.approx(100_000 / 3.099305)


def test_a_minute_of_4_0_is_read_from_its_rate_because_the_time_is_coarse() -> None:
    result = captured("4.0.0-text")
    good = 5_759_616 - 11 - 2
    assert (result.operations, result.failed, result.connections) == (good, 16, 100)
    assert result.metrics["rps"] == pytest.approx(95_897.04 * good / 5_759_616, rel=1e-6)
    assert result.metrics["latency_p50_ms"] == pytest.approx(0.913)
    assert result.metrics["latency_p99_ms"] == pytest.approx(9.87)
    assert result.metrics["latency_max_ms"] == pytest.approx(1090)


def test_without_percentiles_mean_and_maximum_are_read_and_dropped_connections_are_texted() -> None:
    result = captured("4.2.0-text")
    assert set(result.metrics) == {"rps", "latency_avg_ms", "latency_max_ms"}
    assert (result.metrics["latency_avg_ms"], result.metrics["latency_max_ms"]) == (0.1672, 11.02)
    assert result.connections == 9
    assert "wrk opened 9 of 10" in texts(result)[0]


def test_a_duration_beyond_all_measure_is_no_error() -> None:
    long = PLAIN.replace("136658 requests in 2.00s", "100000000000000 requests in 2777777777777.78h")
    assert parse(long.replace("68303.15", "    0.01"), "").metrics["rps"] == pytest.approx(0.01)


def test_wrk_has_no_progress() -> None:
    assert progress(text("4.1.0-c4-t2"), "") == []


LUA = text("4.1.0-c4-t2")
PLAIN = text("4.1.0-no-script")
MEAN = '"mean":156.037'


@pytest.mark.parametrize(
    ("stdout", "missing"),
    [
        ("", "threads and"),
        (text("4.1.0-mute"), "no successful response: 0 requests"),
        (text("4.1.0-nothing-answers"), "read 28461, write 53403"),
        (text("4.1.0-status"), "118431 with a status above 399"),
        (text("4.1.0-timeouts"), "12 later than the timeout"),
        (LUA[: LUA.index("PLIMSOLL") + 4], "half a line"),
        (LUA[: LUA.index("histogram")], "half a line"),
        (LUA.rstrip("\n"), "half a line"),
        (LUA.replace('"requests":187137', '"requests":-1'), "requests"),
        (LUA.replace('"requests":187137', '"requests":NaN'), "requests"),
        (LUA.replace('"connect":0', '"connect":-1'), "errors.connect"),
        (LUA.replace('"requests":187137,', ""), "requests"),
        (LUA.replace(MEAN, '"mean":null'), "latency_us.mean"),
        (LUA.replace(MEAN, '"mean":1e999'), "latency_us.mean|JSON"),
        (LUA.replace(MEAN, '"mean":-1'), "latency_us.mean"),
        (LUA.replace("[14,250]", "[14]"), "histogram.0"),
        (re.sub(r"PLIMSOLL .*", "PLIMSOLL " + "[" * 5000, LUA), "JSON"),
        (PLAIN.replace("68303.15", "nan"), "Requests/sec"),
        (PLAIN.replace("7.82MB", "7.8"), "Transfer/sec"),
        (PLAIN.replace("136658 requests", "0 requests"), "0 requests"),
        (PLAIN.replace("2 threads", "0 threads"), "over 0 threads"),
        (LUA + " " * MAX_OUTPUT, "more than"),
    ],
)
def test_what_is_no_whole_report_is_refused(stdout: str, missing: str) -> None:
    with pytest.raises(Unparseable, match=missing):
        parse(stdout, "")
