"""Reports as they are pasted: indented, quoted, behind the name of a container, or with other blanks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.parsers import PARSERS
from backend.core.sample.report_lines import Pasted
from backend.core.sample.report_notices import of_result

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


def trimmed(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n"))


def squeezed(text: str) -> str:
    return "\n".join(" ".join(re.findall(r"^ +|\S+", line)).replace("   ", "  ") for line in text.split("\n"))


@pytest.mark.parametrize(
    "name", ["wrk/4.0.2-reset", "wrk/4.2.0-latency", "ab/2.4.62-slow", "ab/2.4.62-reset"]
)
@pytest.mark.parametrize("form", [trimmed, squeezed])
def test_a_report_without_the_blanks_of_its_columns_is_read(name: str, form: Callable[[str], str]) -> None:
    parse, text = PARSERS[name.partition("/")[0]].parse, whole(name)
    assert form(text) != text
    assert parse(form(text), "") == parse(text, "")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "stamp",
    [
        "2026-01-02T03:04:05.{n:07d}Z ",
        "2026-01-02T03:04:05Z ",
        "[pod/bench-7d9/pgbench] ",
        "2026-01-02T03:04:05.{n:09d}+08:00 ",
        "bench-1  | 2026-01-02T03:04:05.{n:09d}Z ",
        "bench_load.1.x7yz@node-1    | ",
        "[pod/bench-7d9/pgbench] 2026-01-02T03:04:05.{n:09d}Z ",
        "Nov 27 10:00:05 bench-1 pgbench[{n}]: ",
        "2026-01-02T03:04:05+0100 bench-1 run.sh[{n}]: ",
        "Nov  7 10:00:05 ",
        "[2026-01-02 03:04:05,{n:03d}] ",
        "bench\tRun the load\t2026-01-02T03:04:05.{n:07d}Z ",
        "# ",
        "+ ",
        "+",
        "- ",
        "// ",
        "│ ",
        "\u3000",
        "\u200b",
        "\x1b[?25h\x1b]0;bench\x07\x1b(B",
    ],
)
def test_a_report_in_the_log_of_another_system_is_read(name: str, stamp: str) -> None:
    parse, text = PARSERS[name.partition("/")[0]].parse, whole(name)
    logged = "\n".join(stamp.format(n=n) + line for n, line in enumerate(text.split("\n")))
    assert parse(logged, "") == parse(text, "")
    assert parse(f"Here is my result:\n{logged}", "") == parse(text, "")


def test_lines_of_a_list_are_not_the_report_that_is_above_them() -> None:
    text = whole("pgbench/15-plain")
    assert PARSERS["pgbench"].parse(f"{text}\n- tps = 12 (so it was before)\n", "") == PARSERS[
        "pgbench"
    ].parse(text, "")


@pytest.mark.parametrize("mark", ["**", "* ", "\x1b[31m", "`", "   ", "+"])
def test_a_marked_line_of_a_report_is_read_or_refused_and_never_lost(mark: str) -> None:
    text = whole("pgbench/15-failed")
    line = "number of failed transactions: 4090"
    assert PARSERS["pgbench"].parse(text.replace(line, mark + line), "").failed == 4090
    bold = text.replace(f"{line} (67.974%)", f"**{line} (67.974%)**")
    with pytest.raises(Unparseable, match=r"cannot be read, line 13: '\*\*number of failed"):
        PARSERS["pgbench"].parse(bold, "")


@pytest.mark.parametrize("mark", ["--> ", "- ", "<b>", "• ", "1. ", "│ ", "^[[31m", "the ", '"'])
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("wrk/4.0.2-reset", "Socket errors: connect"),
        ("wrk/4.2.0-timeouts", "Socket errors: connect"),
        ("ab/2.4.62-missing", "Non-2xx responses:"),
        ("ab/2.4.62-keep-alive", "Keep-Alive requests:"),
        ("pgbench/15-failed", "number of failed transactions: 4090"),
        ("pgbench/15-tries", "number of transactions retried: "),
        ("pgbench/15-rate-limit", "number of transactions skipped: "),
        ("pgbench/15-rate-limit", "rate limit schedule lag: "),
    ],
)
def test_a_line_that_says_what_failed_is_not_lost_behind_other_text(name: str, line: str, mark: str) -> None:
    text = whole(name)
    assert line in text
    marked = re.sub(rf"^ *(?={re.escape(line)})", mark, text, flags=re.M)
    with pytest.raises(
        Unparseable, match=rf"cannot be read, line [0-9]+: '{re.escape(mark + line.rstrip())}"
    ):
        PARSERS[name.partition("/")[0]].parse(marked, "")


def test_a_note_that_repeats_a_line_refuses_no_report() -> None:
    text, line = whole("pgbench/15-failed"), "number of failed transactions: 4090 (67.974%)"
    assert PARSERS["pgbench"].parse(f"{text}\nmind the {line}!\n", "").failed == 4090


def test_a_stamp_inside_a_line_remains() -> None:
    sign = Pasted(("number of",))
    stamp = "2026-01-02T03:04:05Z "
    assert sign.without_prefix(f"{stamp}a {stamp}b\nc {stamp}d") == f"a {stamp}b\nc {stamp}d"


def test_colours_of_a_terminal_are_taken_off() -> None:
    text = whole("pgbench/15-progress")
    coloured = text.replace("tps = ", "\x1b[1;32mtps = ").replace(" ms\n", " ms\x1b[0m\n")
    assert PARSERS["pgbench"].parse(coloured, "") == PARSERS["pgbench"].parse(text, "")


def test_a_count_that_is_not_known_is_said() -> None:
    """Forks of PostgreSQL count errors in lines of their own."""
    text = whole("pgbench/13-rate-limit")
    other = text.replace("latency average", "number of errors: 3000 (5.000 %)\nlatency average")
    notices = [str(notice) for notice in of_result(PARSERS["pgbench"].parse(other, ""))]
    assert any("“number of errors: 3000 (5.000 %)”" in notice for notice in notices)
    none = text.replace("latency average", "number of errors: 0 (0.000 %)\nlatency average")
    assert not any("number of errors" in str(one) for one in of_result(PARSERS["pgbench"].parse(none, "")))


def test_two_blanks_before_the_url_of_wrk_refuse_nothing() -> None:
    text = whole("wrk/4.2.0-plain")
    assert PARSERS["wrk"].parse(text.replace("@ http", "@  http"), "") == PARSERS["wrk"].parse(text, "")


@pytest.mark.parametrize("jitter", ["6.11273e+08", "2100"])
def test_a_jitter_longer_than_its_run_is_left_out(jitter: str) -> None:
    text = whole("iperf3/3.22-udp")
    odd = re.sub(r'("jitter_ms":\s*)[0-9.e-]+', rf"\g<1>{jitter}", text)
    result = PARSERS["iperf3"].parse(odd, "")
    assert set(result.metrics) == {"throughput_gbit_s", "lost_percent"}
    assert any("figures left out: jitter_ms is " in str(notice) for notice in of_result(result))


@pytest.mark.parametrize("bits", ["999999999999", "0"])
def test_a_rate_that_contradicts_its_own_bytes_is_refused(bits: str) -> None:
    text = whole("iperf3/3.22-tcp")
    odd = re.sub(r'("sum_received":\s*\{[^}]*"bits_per_second":\s*)[0-9.]+', rf"\g<1>{bits}", text)
    with pytest.raises(Unparseable, match=r"bits per second, but 5855903744 bytes in 2\.0023"):
        PARSERS["iperf3"].parse(odd, "")


@pytest.mark.parametrize(
    ("name", "printed", "odd"),
    [
        ("wrk/4.2.0-latency", "5778.72", "57787.20"),
        ("wrk/4.2.0-latency", "5971 requests", "59710 requests"),
        ("ab/2.4.62-slow", "117.19", "1171.90"),
        ("ab/2.4.62-slow", "Complete requests:      200", "Complete requests:      2000"),
        ("pgbench/15-progress", "tps = 31465", "tps = 3146500"),
        ("pgbench/15-progress", "processed: 62873", "processed: 6287"),
        ("pgbench/13-progress", "tps = 30108", "tps = 3010800"),
        ("pgbench/15-reconnect", "tps = ", "tps = 9"),
    ],
)
def test_a_rate_that_contradicts_its_own_requests_is_refused(name: str, printed: str, odd: str) -> None:
    text = whole(name)
    assert printed in text
    with pytest.raises(Unparseable, match=r"(requests|transactions) per second, but .* \1 in "):
        PARSERS[name.partition("/")[0]].parse(text.replace(printed, odd), "")
