"""Logs of loops that try iperf3 again: the one run that came to its end is read, or all are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.iperf3 import parse
from backend.core.sample.result import ToolResult

FIXTURES = Path(__file__).parents[2] / "fixtures"


def text(name: str) -> str:
    return (FIXTURES / "iperf3" / f"iperf3-{name}.json").read_text()


WHOLE, NO_SERVER, DIED = text("3.12-tcp"), text("3.12-no-server"), text("3.12-server-died")
STREAM = (FIXTURES / "versions/iperf3/3.22-stream.json").read_text()
FULL = (FIXTURES / "versions/iperf3/3.22-full-stream.json").read_text()
REFUSED = "unable to connect to server: Connection refused"


def said(result: ToolResult) -> list[str]:
    return [notice.figures for notice in result.notices if notice.kind == "warning of the tool"]


@pytest.mark.parametrize(
    ("log", "failed"),
    [
        (NO_SERVER + WHOLE, 1),
        (NO_SERVER * 3 + WHOLE, 3),
        (WHOLE + NO_SERVER, 1),
        (DIED + WHOLE, 1),
        (NO_SERVER + "retrying in 5 s\n" + WHOLE + "done\n", 1),
        (NO_SERVER.rstrip() + WHOLE, 1),
        (json.dumps(json.loads(NO_SERVER)) + "\n" + json.dumps(json.loads(WHOLE)) + "\n", 1),
        (DIED[: len(DIED) // 2] + "\n" + WHOLE, 1),
    ],
)
def test_the_one_run_that_came_to_its_end_is_read(log: str, failed: int) -> None:
    result = parse(log, "")
    assert result.metrics == parse(WHOLE, "").metrics
    assert result.per_second == parse(WHOLE, "").per_second
    assert any(text.startswith(f"{failed} other runs in the log failed") for text in said(result))


def test_the_error_of_the_runs_before_is_said() -> None:
    assert said(parse(NO_SERVER + WHOLE, "")) == [
        f"1 other runs in the log failed, with the error: {REFUSED}"
    ]


@pytest.mark.parametrize("log", [WHOLE * 2, WHOLE + NO_SERVER + WHOLE, NO_SERVER + STREAM + WHOLE])
def test_two_runs_that_came_to_their_end_are_refused(log: str) -> None:
    with pytest.raises(Unparseable, match="contains 2 reports; give one log for each run"):
        parse(log, "")


def test_a_loop_without_any_run_is_refused_with_its_last_error() -> None:
    with pytest.raises(Unparseable) as refused:
        parse(DIED + NO_SERVER * 2, "")
    assert str(refused.value) == (f"iperf3 ended with an error in each of 3 runs, the last with: {REFUSED}")


def test_an_error_behind_intervals_refuses_the_run() -> None:
    """Also where totals were printed: they are of the time until then."""
    error = "iperf3 ended with the error: unable to write to stream socket: Connection reset by peer"
    with pytest.raises(Unparseable) as refused:
        parse(DIED, "")
    assert str(refused.value) == f"{error}; its figures are of a part of the run, repeat it"
    report: dict[str, Any] = json.loads(WHOLE)
    with pytest.raises(
        Unparseable, match=r"control socket has closed .*; its figures are of a part of the run"
    ):
        parse(json.dumps(report | {"error": "control socket has closed unexpectedly"}), "")
    with pytest.raises(Unparseable, match=f"ended with the error: {REFUSED}$"):
        parse(NO_SERVER, "")


def event(name: str, data: Any) -> str:
    return json.dumps({"event": name, "data": data}) + "\n"


FAILED_STREAM = event("error", REFUSED) + event("end", {})


@pytest.mark.parametrize("stream", [STREAM, FULL])
def test_a_stream_of_events_behind_streams_that_failed(stream: str) -> None:
    wanted = parse(stream, "")
    for log in (FAILED_STREAM + stream, FAILED_STREAM * 2 + stream):
        found = parse(log, "")
        assert (found.metrics, found.per_second) == (wanted.metrics, wanted.per_second)
    begun = "".join(line + "\n" for line in STREAM.splitlines()[:2])
    assert parse(begun + stream, "").metrics == wanted.metrics
    with pytest.raises(Unparseable, match="contains 2 reports"):
        parse(STREAM + STREAM, "")


def test_a_stream_that_failed_is_refused_with_its_error() -> None:
    with pytest.raises(Unparseable, match=REFUSED):
        parse(FAILED_STREAM, "")


def test_a_log_of_very_many_failures_is_refused_without_reading_each() -> None:
    with pytest.raises(Unparseable, match="contains 5000 reports"):
        parse('{"error":"a"}\n' * 5_000, "")
