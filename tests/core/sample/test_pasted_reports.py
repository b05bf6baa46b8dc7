"""Reports as they are pasted: indented, quoted, behind the name of a container, or with other blanks."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.parsers import PARSERS

VERSIONS = Path(__file__).parents[2] / "fixtures" / "versions"
REPORTS = {
    "pgbench": ["15-progress", "15-tries", "13-reconnect", "19-two-scripts", "13-rate-limit"],
    "wrk": ["4.0.0-latency", "4.0.2-reset", "4.2.0-plain"],
    "ab": ["2.4.62-keep-alive", "2.4.62-slow", "2.4.62-no-percentiles", "2.4.62-interrupted"],
    "iperf3": ["3.22-tcp", "3.9-udp", "3.18-stream"],
}
NAMES = [f"{tool}/{name}" for tool, names in REPORTS.items() for name in names]
PREFIXES = ["    ", "\t", "> ", "  >  ", "bench-1  | ", "\u00a0\u00a0", " "]


def whole(name: str) -> str:
    """The report with its progress before it, as `2>&1` writes it."""
    file = VERSIONS / name
    if name.startswith("iperf3"):
        return Path(f"{file}.json").read_text()
    beside = Path(f"{file}.stderr")
    return (beside.read_text() if beside.exists() else "") + Path(f"{file}.stdout").read_text()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prefix", PREFIXES)
def test_an_indented_report_reads_as_it_was_printed(name: str, prefix: str) -> None:
    parse, text = PARSERS[name.partition("/")[0]].parse, whole(name)
    pasted = textwrap.indent(text, prefix, lambda _: True)
    assert parse(pasted, "") == parse(text, "")
    assert parse(f"Here is my result:\n\n{pasted}\nand some words\n", "") == parse(text, "")
    if not name.startswith("iperf3"):  # whose document begins with a line that says nothing of the others
        assert parse(pasted.removeprefix(prefix), "") == parse(text, "")


@pytest.mark.parametrize("name", NAMES)
def test_blanks_that_do_not_break_are_blanks(name: str) -> None:
    parse, text = PARSERS[name.partition("/")[0]].parse, whole(name)
    assert parse(text.replace("  ", "\u00a0 "), "") == parse(text, "")


@pytest.mark.parametrize("tool", PARSERS)
def test_two_reports_of_which_one_is_indented_are_two(tool: str) -> None:
    text = whole(f"{tool}/{REPORTS[tool][0]}")
    with pytest.raises(Unparseable, match="contains 2 reports"):
        PARSERS[tool].parse(f"{text}\n{textwrap.indent(text, '    ')}", "")


def test_a_line_of_other_indentation_than_its_report_is_not_lost() -> None:
    text = whole("pgbench/15-failed")
    line = "number of failed transactions: 4090"
    result = PARSERS["pgbench"].parse(text.replace(line, f"   {line}"), "")
    assert result.failed == 4090


def test_the_warnings_and_aborted_clients_of_an_indented_report_are_seen() -> None:
    with pytest.raises(Unparseable, match=r"^2 of 4 clients"):
        PARSERS["pgbench"].parse(textwrap.indent(whole("pgbench/15-aborted"), "    "), "")
