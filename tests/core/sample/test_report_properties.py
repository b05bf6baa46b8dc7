"""Reports made from figures are read as these figures or refused: none is wrong, none missing unsaid."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.errors import Unparseable
from backend.core.sample.parsers import PARSERS
from backend.core.sample.report_notices import of_result
from backend.core.sample.result import ToolResult
from tests.core.sample.made_reports import MADE, Made

SAID = frozenset(("latency", "figures left out", "received bytes"))
"""The kinds of notices that say that a printed figure is not in the sample."""
BEFORE = ("", "$ wrk -t2 -c10 http://10.0.0.5\n", "warning: clock skew\n\n", "first 12 % of 34 s: 5.6 ms\n")
BEHIND = (
    "",
    "\nreal\t0m10.034s\nuser\t0m2.110s\n",
    "\nJSON Output\n-----------\n\n  requests: 12,\n",
    "50%,171\n99.999%,8890\n",
    "Total: 5 files\nduration: 30 minutes\nmode: fast\nRequests: 12\n  12% of 30 done\n",
    "iperf Done.\n",
    "$ \n",
)
ENCODINGS: dict[str, Any] = {
    "as it is": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR CR LF": lambda text: text.replace("\n", "\r\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "byte order mark": lambda text: "\ufeff" + text,
    "UTF-16 read as UTF-8": lambda text: text.encode("utf-16").decode("utf-8", errors="replace"),
    "UTF-16 without its mark": lambda text: text.encode("utf-16-le").decode("utf-8", errors="replace"),
    "blanks at line ends": lambda text: text.replace("\n", "  \n"),
    "no last line end": lambda text: text.rstrip("\n"),
}
made = st.sampled_from(sorted(MADE)).flatmap(MADE.__getitem__)


def agrees(made: Made, result: ToolResult, *, whole: bool) -> None:
    """No figure is wrong; of a whole report none is missing, of another none without a notice."""
    missing = made.metrics.keys() - result.metrics.keys()
    assert result.metrics.keys() <= made.metrics.keys()
    for name, value in result.metrics.items():
        assert value == pytest.approx(made.metrics[name], rel=made.coarse, abs=1e-6), name
    assert not missing or (not whole and SAID & {notice.kind for notice in of_result(result)}), missing
    assert (result.operations, result.failed) == (made.operations, made.failed)


@settings(max_examples=300)
@given(made, st.sampled_from(BEFORE), st.sampled_from(BEHIND), st.sampled_from(sorted(ENCODINGS)))
def test_a_whole_report_is_read_with_every_figure(
    made: Made, before: str, behind: str, encoding: str
) -> None:
    stdout, stderr = (ENCODINGS[encoding](text) for text in (before + made.stdout + behind, made.stderr))
    result = PARSERS[made.tool].parse(stdout, stderr)
    agrees(made, result, whole=True)
    if made.series:
        found = [(point.t, point.rate, point.latency_ms) for point in result.per_second]
        assert found == made.series


@settings(max_examples=200)
@given(made, st.data())
def test_a_report_that_is_cut_is_refused_or_whole(made: Made, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(made.stdout)))
    try:
        result = PARSERS[made.tool].parse(made.stdout[:cut], made.stderr)
    except Unparseable:
        return
    agrees(made, result, whole=False)


@pytest.mark.parametrize("tool", sorted(MADE))
@settings(max_examples=12)
@given(st.data())
def test_a_report_that_is_cut_at_every_byte_is_refused_or_whole(tool: str, data: st.DataObject) -> None:
    made = data.draw(MADE[tool])
    step = 1 + len(made.stdout) // 2_000
    for cut in range(0, len(made.stdout), step):
        try:
            result = PARSERS[tool].parse(made.stdout[:cut], made.stderr)
        except Unparseable:
            continue
        agrees(made, result, whole=False)


@settings(max_examples=200)
@given(made, st.data())
def test_a_cut_series_has_no_wrong_point(made: Made, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(made.stderr)))
    found = PARSERS[made.tool].progress("", made.stderr[:cut])
    known = made.series if made.tool == "pgbench" else []
    assert {(point.t, point.rate, point.latency_ms) for point in found} <= set(known)


@settings(max_examples=200)
@given(made, st.data())
def test_a_line_that_is_lost_or_damaged_makes_no_figure_wrong(made: Made, data: st.DataObject) -> None:
    """A missing optional line takes its own figure only; a letter in a line that is read refuses it."""
    if made.tool == "iperf3":
        return
    lines = made.stdout.splitlines(keepends=True)
    place = data.draw(st.integers(0, len(lines) - 1))
    damaged = data.draw(st.sampled_from(["", lines[place].replace("1", "l"), lines[place].replace(".", ",")]))
    try:
        result = PARSERS[made.tool].parse(
            "".join((*lines[:place], damaged, *lines[place + 1 :])), made.stderr
        )
    except Unparseable:
        return
    for name, value in result.metrics.items():
        if name in made.metrics:
            close = pytest.approx(made.metrics[name], rel=made.coarse, abs=1e-6)
            assert value == close or _counts_failures(lines[place]), name


def _counts_failures(line: str) -> bool:
    """Without its line a failure is none: the rate has no other trace of it."""
    return any(
        word in line for word in ("Socket errors", "Non-2xx", "failed", "Failed", "skipped", "stddev", "lag")
    )


@settings(max_examples=100)
@given(made, made)
def test_two_reports_are_refused(one: Made, other: Made) -> None:
    if one.tool != other.tool:
        return
    for both in (one.stdout + other.stdout, one.stdout + "\n$\n" + other.stdout):
        with pytest.raises(Unparseable, match=r"contains \d+ reports"):
            PARSERS[one.tool].parse(both, "")
