"""Reports of many versions of the tools, against figures read from their text without the parsers."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.parsers import PARSERS
from backend.core.sample.report_notices import of_result
from backend.core.sample.result import ToolResult

VERSIONS = Path(__file__).parents[2] / "fixtures" / "versions"
EXPECTED = {row["file"]: row for row in csv.DictReader((VERSIONS / "expected.csv").read_text().splitlines())}
REFUSED = {
    "pgbench/*-aborted.stdout": "^2 of 4 clients of pgbench aborted",
    "pgbench/*-exit-on-abort.stdout": "^pgbench says that its run was aborted, and printed no report",
    "wrk/*-missing.stdout": "no successful response: .* with a status above 399",
    "wrk/*-timeouts.stdout": "no successful response: 8 requests, .* 8 later than the timeout",
    "ab/*-missing.stdout": "no successful response: .* with a status other than 2xx",
    "ab/*-html*.stdout": "run ab without -w",
    "iperf3/*-bidir.json": "sent both ways at once",
    "iperf3/*-interrupted.json": "interrupt - the client has terminated",
    "iperf3/*-text.stdout": "run iperf3 with -J",
}
UNREAD = {
    str(path.relative_to(VERSIONS)): why for glob, why in REFUSED.items() for path in VERSIONS.glob(glob)
}


def read(name: str) -> ToolResult:
    file = VERSIONS / name
    beside = file.with_suffix(".stderr")
    return PARSERS[name.partition("/")[0]].parse(
        file.read_text(), beside.read_text() if beside.exists() else ""
    )


def test_every_captured_report_is_in_one_of_the_tables() -> None:
    reports = {
        str(path.relative_to(VERSIONS))
        for path in VERSIONS.rglob("*")
        if path.suffix in (".stdout", ".json") and path.is_file()
    }
    assert reports == {*EXPECTED, *UNREAD} and not {*EXPECTED} & {*UNREAD}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_report_of_any_version_has_the_figures_of_its_text(name: str) -> None:
    row, result = EXPECTED[name], read(name)
    printed = {
        key: float(value) for key, _, value in (part.partition("=") for part in row["metrics"].split())
    }
    assert result.metrics == pytest.approx(printed, rel=1e-5, abs=1e-9)
    found = (result.operations, result.failed, result.connections)
    assert found == (int(row["operations"]), int(row["failed"]), int(row["connections"]))
    if name.startswith("iperf3"):
        assert result.version == Path(name).name.partition("-")[0]


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_no_whole_run_is_refused_with_its_reason(name: str) -> None:
    with pytest.raises(Unparseable, match=UNREAD[name]):
        read(name)


@pytest.mark.parametrize("version", ["13", "15", "17", "18", "19"])
def test_every_interval_of_pgbench_is_a_point(version: str) -> None:
    for name in ("progress", "timestamp", "reconnect"):
        lines = (VERSIONS / f"pgbench/{version}-{name}.stderr").read_text().count("progress: ")
        points = read(f"pgbench/{version}-{name}.stdout").per_second
        assert len(points) == lines and all(0 < point.t < 10 for point in points)


def test_a_loss_that_contradicts_its_own_packets_is_left_out() -> None:
    """3.12 divides by what the sender counted when the receiver had 190 packets, 27 of them lost."""
    notices = [str(notice) for notice in of_result(read("iperf3/3.12-udp-reverse.json"))]
    assert "figures left out: lost_percent is 7.03125, but 27 of 190 packets are 14.21 %" in notices


@pytest.mark.parametrize(("name", "answers"), [("reset", 23), ("length", 500)])
def test_answers_of_another_length_are_counted_and_said(name: str, answers: int) -> None:
    """A connection that the server resets is an empty answer to ab: complete, and of another length."""
    notices = [str(notice) for notice in of_result(read(f"ab/2.4.62-{name}.stdout"))]
    assert any(text.startswith(f"failed requests: {answers} answers have another length") for text in notices)
