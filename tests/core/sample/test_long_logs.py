"""What reads long logs at once has the result of what reads them line by line."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.errors import Unparseable
from backend.core.sample import ab, pgbench, wrk_report
from backend.core.sample.pgbench_progress import _each_line as each_line
from backend.core.sample.pgbench_progress import _lines as lines_of
from backend.core.sample.report_lines import INDENT, QUOTED, Pasted, Rows
from backend.core.sample.report_notices import WARNING, warnings_in

PIECES = (
    *(
        "progress: 1.0 s, 10.5 tps, lat 0.100 ms stddev 0.010",
        "progress: 2.0 s, 0.0 tps, lat 0.000 ms stddev",
    ),
    *(
        " 0.000",
        "-nan",
        ", 0 failed",
        "progress: 3",
        "progress: x",
        "\n",
        "\n",
        " ",
        "\t",
        "4.5",
        "checkpoint",
    ),
)
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@settings(max_examples=500)
@given(texts, st.booleans())
def test_progress_lines(text: str, strict: bool) -> None:
    try:
        wanted = list(each_line(text, strict=strict))
    except Unparseable as refused:
        with pytest.raises(Unparseable, match=re.escape(str(refused))):
            list(lines_of(text, strict=strict))
        return
    assert list(lines_of(text, strict=strict)) == wanted


BEGINNINGS = (
    *(
        "number of clients: 4",
        "tps = 17.5 (without initial connection time)",
        "duration: 10 s",
        "duration: 10 m",
    ),
    *(
        "scaling factor: 1",
        "Concurrency Level:      4",
        "Requests/sec:   17.00",
        "  50%    1.00ms",
        " 99% 2.00s",
    ),
    *(
        "> ",
        "**",
        "\t",
        "  ",
        "x",
        "\n",
        "\n",
        "Total:          0    0   0.1      0       3",
        "  2 threads and 8 connections",
    ),
)


@settings(max_examples=500)
@given(st.lists(st.sampled_from(BEGINNINGS), max_size=25).map("".join))
def test_lines_of_a_report(text: str) -> None:
    """As each line by itself is tried against each beginning, in their order."""
    for rows in (pgbench.ROWS, ab.ROWS, wrk_report.FRAME, wrk_report.TEXT):
        assert begun(rows, text) == begun_line_by_line(rows, text)


def begun(rows: Rows, text: str) -> list[tuple[str, int, str]]:
    found = rows._begins.finditer(f"\n{text}")
    return [(str(match.lastgroup), match.start(), match.group()[1:]) for match in found]


def begun_line_by_line(rows: Rows, text: str) -> list[tuple[str, int, str]]:
    found, start = [], 0
    for line in text.split("\n"):
        for row in rows._rows:
            form = row.begins if row.begins.startswith(" ") else INDENT + row.begins
            if re.compile(form, re.M).match(line):
                found.append((row.name, start, line))
                break
        start += len(line) + 1
    return found


@given(st.lists(st.sampled_from(["> ", ">> ", "a | ", "{", "x", "\n", "\n"]), max_size=20).map("".join))
def test_what_precedes_each_line(text: str) -> None:
    pasted = Pasted(("{",), prefix=QUOTED)
    prefix = next(iter(filter(None, [pasted._before("{", text, QUOTED)])), "") or pasted._mark(text)
    wanted = "\n".join(line.removeprefix(prefix) for line in text.split("\n")) if prefix else text
    assert pasted.without_prefix(text) == wanted


@given(
    st.lists(
        st.sampled_from(["warning: a", "ERROR", "psql: error: b", "errors", " ", "\n", "x"]), max_size=20
    )
)
def test_warnings(parts: list[str]) -> None:
    text = "".join(parts)
    of_lines = re.compile(WARNING.pattern.removeprefix("\\n"), re.I)
    wanted = [match.group() for line in text.split("\n") if (match := of_lines.match(line))]
    assert warnings_in(text) == wanted
