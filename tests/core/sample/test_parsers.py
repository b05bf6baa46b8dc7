"""The registry of parsers, and what holds for each of them: Unparseable or a whole result, nothing else."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.core.definition.metrics import METRICS, RATES
from backend.core.errors import Unparseable
from backend.core.sample.parsers import OUTPUT_LIMITS, PARSERS
from backend.core.sample.result import ToolResult
from backend.core.workload.tools import TOOLS

FIXTURES = Path(__file__).parents[2] / "fixtures"
REPORTS = {
    tool: [
        path.read_text()
        for path in sorted((FIXTURES / tool).iterdir())
        if path.suffix in (".stdout", ".json")
    ]
    for tool in PARSERS
}
ENDED = {
    "pgbench": "pgbench/15-live.stdout",
    "wrk": "wrk/wrk-4.1.0-c4-t2.stdout",
    "ab": "ab/ab-2.3-e-stdout.stdout",
    "iperf3": "iperf3/iperf3-3.12-tcp.json",
}


def attempt(tool: str, stdout: str, stderr: str = "") -> ToolResult | None:
    """The result, None where it was Unparseable; anything else is a failure of the test."""
    try:
        result = PARSERS[tool].parse(stdout, stderr)
    except Unparseable as refusal:
        assert str(refusal)
        return None
    assert result.operations >= 1
    assert result.failed >= 0
    assert all(math.isfinite(value) and value >= 0 for value in result.metrics.values())
    assert all(tool in METRICS[name].tools for name in result.metrics)
    assert result.metrics[RATES[tool]] > 0
    return result


@pytest.mark.parametrize("tool", PARSERS)
def test_a_log_of_two_runs_is_refused_and_every_report_holds_one(tool: str) -> None:
    told = f"the output of {tool} contains 2 reports; give one"
    whole = (FIXTURES / ENDED[tool]).read_text()
    for other in REPORTS[tool]:
        if attempt(tool, other) is not None:
            with pytest.raises(Unparseable, match=told):
                PARSERS[tool].parse(whole + other, "")


@pytest.mark.parametrize("tool", ["pgbench", "wrk", "ab"])
def test_the_end_of_another_report_before_a_whole_one_is_refused(tool: str) -> None:
    """What was lost with the beginning must not let the rest be read."""
    whole = (FIXTURES / ENDED[tool]).read_text()
    lost = {"pgbench": "latency average", "wrk": "Transfer/sec", "ab": "Requests per second"}[tool]
    with pytest.raises(Unparseable, match="contains 2 reports"):
        PARSERS[tool].parse(whole[whole.index(lost) :] + whole, "")


def test_every_tool_has_a_parser() -> None:
    assert tuple(PARSERS) == tuple(TOOLS)


@pytest.mark.parametrize("tool", PARSERS)
def test_output_is_read_up_to_its_limit_and_refused_beyond(tool: str) -> None:
    whole = (FIXTURES / ENDED[tool]).read_text()
    filled = whole + "\n" * (OUTPUT_LIMITS[tool] - len(whole))
    assert attempt(tool, filled) is not None
    with pytest.raises(Unparseable, match=f"more than {OUTPUT_LIMITS[tool]} characters"):
        PARSERS[tool].parse(filled + "\n", "")


@pytest.mark.parametrize("tool", PARSERS)
def test_captured_output_is_read_or_refused(tool: str) -> None:
    read = [result for text in REPORTS[tool] if (result := attempt(tool, text))]
    assert len(read) >= 5
    assert {result.tool for result in read} == {tool}


@pytest.mark.parametrize("tool", PARSERS)
def test_no_tool_reads_what_another_printed(tool: str) -> None:
    foreign = [text for other, texts in REPORTS.items() if other != tool for text in texts]
    assert [attempt(tool, text) for text in foreign] == [None] * len(foreign)


@pytest.mark.parametrize("tool", PARSERS)
def test_half_a_report_is_refused_wherever_it_ends(tool: str) -> None:
    whole = (FIXTURES / ENDED[tool]).read_text()
    # wrk's text without the script's line is a report of its own, so cuts there are looked at elsewhere.
    start = whole.index("PLIMSOLL") + 1 if tool == "wrk" else 0
    last = len(whole.rstrip()) if tool != "wrk" else len(whole)
    cuts = {*range(start, last, 97), *range(max(start, last - 40), last)}
    assert attempt(tool, whole) is not None
    assert [cut for cut in sorted(cuts) if attempt(tool, whole[:cut]) is not None] == []


@given(tool=st.sampled_from(tuple(PARSERS)), stdout=st.text(max_size=300), stderr=st.text(max_size=300))
@example(tool="iperf3", stdout='{"start":1e999,"error":null}', stderr="")
@example(tool="iperf3", stdout="9" * 10_000, stderr="")
@example(tool="wrk", stdout="Transfer/sec:  1.0B\nPLIMSOLL \x00", stderr="\x00")
def test_any_text_is_refused_and_nothing_else_happens(tool: str, stdout: str, stderr: str) -> None:
    assert attempt(tool, stdout, stderr) is None
    assert PARSERS[tool].progress(stdout, stderr) == []


@given(
    tool=st.sampled_from(tuple(PARSERS)),
    which=st.integers(0, 10**6),
    at=st.integers(0, 10**6),
    length=st.integers(0, 40),
    instead=st.one_of(
        st.text(max_size=20),
        st.sampled_from(["NaN", "-1", "1e999", "inf", "null", "9" * 5000, "{", "\n", "0"]),
    ),
)
def test_a_damaged_report_is_refused_or_still_whole(
    tool: str, which: int, at: int, length: int, instead: str
) -> None:
    whole = REPORTS[tool][which % len(REPORTS[tool])]
    place = at % (len(whole) + 1)
    damaged = whole[:place] + instead + whole[place + length :]
    attempt(tool, damaged, damaged)
    for point in PARSERS[tool].progress(damaged, damaged):
        assert math.isfinite(point.rate)
