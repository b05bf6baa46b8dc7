"""The ab parser on captured output of 2.3, on older and newer forms, and on output that is no report."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.ab import parse, progress
from backend.core.sample.figures import MAX_OUTPUT
from backend.core.sample.result import ToolResult
from tests.core.sample.notices import texts

FIXTURES = Path(__file__).parents[2] / "fixtures" / "ab"


def text(name: str) -> str:
    return (FIXTURES / f"ab-{name}.stdout").read_text()


def captured(name: str) -> ToolResult:
    return parse(text(name), "")


def with_table(name: str) -> str:
    """The run as it would have been with `-e /dev/stdout`: ab's buffers put the table there."""
    table = (FIXTURES / f"ab-{name}.csv").read_text()
    return text(name).replace("(be patient).....done", f"(be patient)...{table}..done")


@pytest.mark.parametrize(
    ("stdout", "requests", "connections", "rps", "p50", "p99", "longest"),
    [
        (with_table("2.3-c4"), 5_000, 4, 17_662.73, 0.158, 0.638, 3.170),
        (with_table("2.3-c4-k"), 20_000, 4, 73_075.11, 0.040, 0.150, 8.059),
        (with_table("2.3-c4-k-t2"), 130_323, 4, 65_161.17, 0.045, 0.187, 10.092),
        (text("2.3-e-stdout"), 11_652, 2, 11651.79, 0.138, 0.350, 4.297),
        (text("2.3-k-e-stdout"), 133_412, 4, 66705.90, 0.043, 0.217, 11.002),
    ],
)
def test_percentiles_have_microseconds_from_the_table(
    stdout: str, requests: int, connections: int, rps: float, p50: float, p99: float, longest: float
) -> None:
    result = parse(stdout, "")
    assert (result.tool, result.version) == ("ab", "2.3")
    assert (result.operations, result.failed, result.connections) == (requests, 0, connections)
    assert result.metrics["rps"] == pytest.approx(rps, rel=1e-6)
    assert result.metrics["latency_p50_ms"] == p50
    assert result.metrics["latency_p99_ms"] == p99
    assert result.metrics["latency_max_ms"] == longest
    assert result.latency_measured
    assert texts(result) == ()


def test_the_mean_is_divided_out_of_the_rate_so_it_is_no_metric() -> None:
    result = captured("2.3-e-stdout")
    assert "latency_avg_ms" not in result.metrics
    assert result.facts["time_per_request_ms"].startswith("0.172 ")


def test_whole_milliseconds_are_no_observation_of_a_fast_path() -> None:
    result = captured("2.3-progress")
    assert set(result.metrics) == {"rps"}
    assert not result.latency_measured
    assert "whole milliseconds" in texts(result)[0]


def test_an_old_slow_run_has_its_milliseconds_and_its_failures() -> None:
    result = captured("2.0-slow")
    assert result.version == "2.0.40"
    assert (result.operations, result.failed) == (4_997, 5)
    assert result.metrics["rps"] == pytest.approx(399.74 * 4_997 / 5_000)
    assert result.metrics["latency_p50_ms"] == 46
    assert result.metrics["latency_p99_ms"] == 117
    assert result.metrics["latency_max_ms"] == 203
    assert "connect 2, receive 0, exceptions 3" in texts(result)[0]


def test_the_lines_of_workers_are_let_pass() -> None:
    assert captured("trunk-workers").metrics["rps"] == captured("2.3-c4").metrics["rps"]


def test_bodies_of_another_length_are_no_failures() -> None:
    result = captured("2.3-length")
    assert (result.operations, result.failed) == (500, 0)


def test_bad_statuses_are_not_in_the_rate() -> None:
    half = with_table("2.3-c4-k").replace("Keep-Alive", "Non-2xx responses:      5000\nKeep-Alive")
    result = parse(half, "")
    assert (result.operations, result.failed) == (15_000, 5_000)
    assert result.metrics["rps"] == pytest.approx(73_075.11 * 0.75, rel=1e-6)
    assert texts(result)[0].startswith("failed requests: 5000 with a status other than 2xx")


def test_a_server_that_does_not_keep_connections_is_texted() -> None:
    dropped = with_table("2.3-c4-k").replace("Keep-Alive requests:    20000", "Keep-Alive requests:    0")
    result = parse(dropped, "")
    assert result.facts["keep_alive_requests"] == "0"
    assert "in 0 of 20000 requests" in texts(result)[0]


def test_ab_has_no_progress() -> None:
    stderr = (FIXTURES / "ab-2.3-progress.stderr").read_text()
    assert progress(text("2.3-progress"), stderr) == []


WHOLE = text("2.3-e-stdout")


@pytest.mark.parametrize(
    ("stdout", "missing"),
    [
        ("", "Concurrency Level"),
        (text("2.3-refused"), "Concurrency Level"),
        (text("2.3-timeout"), "Concurrency Level"),
        (text("2.3-non-2xx"), "500 with a status other than 2xx"),
        (
            WHOLE.replace("Complete requests:      11652", "Complete requests:      0"),
            "no successful response",
        ),
        (WHOLE.replace("Complete requests:      11652", "Complete requests:      nan"), "Complete requests"),
        (WHOLE.replace("Complete requests:      11652", "Complete requests:      200100"), "ended early"),
        (WHOLE.replace("Failed requests:        0", "Failed requests:        3"), "Connect: …"),
        (
            WHOLE.replace("Requests per second:    11651.79", "Requests per second:    inf"),
            "Requests per second",
        ),
        (WHOLE.split(" 100%")[0], "longest request"),
        (WHOLE.replace("\n73,", "\n74,"), "73 of 101 rows"),
        (WHOLE.replace("\n50,0.138", "\n50,9.138"), "in order"),
        (WHOLE.replace("\n50,0.138", "\n50,-nan"), "50 of 101 rows"),
        (WHOLE + " " * MAX_OUTPUT, "more than"),
    ],
)
def test_what_is_no_whole_report_is_refused(stdout: str, missing: str) -> None:
    with pytest.raises(Unparseable, match=missing):
        parse(stdout, "")
