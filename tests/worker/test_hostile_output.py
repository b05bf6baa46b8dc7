"""What a container may print in place of a result: bounded, refused by the parser, and never stored."""

from __future__ import annotations

import json
import re
import threading
import tracemalloc
from pathlib import Path
from typing import Final

import pytest

from backend.core.errors import TrialFailed, Unparseable
from backend.core.sample.parsers import PARSERS
from backend.core.sample.result import MOST_POINTS
from tests.worker.conftest import FIXTURES, FakeTestbed, FakeTrial, FakeTrialQueue
from worker.engine.child import ChildExecution
from worker.engine.fake import FakeTool
from worker.host.spool import Spool
from worker.trial.execute import execute_trial
from worker.workload.command import OUTPUT_LIMIT, CommandReader
from worker.workload.hooks import NO_HOOKS

WHOLE: Final = (FIXTURES / "15-live.stdout").read_text()
IPERF3: Final = json.loads((FIXTURES.parent / "iperf3" / "iperf3-3.12-tcp.json").read_text())


def with_rate(rate: str) -> str:
    """pgbench's report with another rate."""
    changed, times = re.subn(r"tps = \S+", f"tps = {rate}", WHOLE)
    assert times == 1
    return changed


OUTPUTS: Final = {
    "too large a number": (with_rate("1e400"), "unparseable"),
    "no number": (with_rate("NaN"), "unparseable"),
    "negative": (with_rate("-1"), "unparseable"),
    "ten thousand digits": (with_rate("9" * 10_000), "unparseable"),
    "a second report": (WHOLE + WHOLE, "unparseable"),
    "a second report that is better": (WHOLE + with_rate("999999.0"), "unparseable"),
    "JSON behind it": (WHOLE + '{"tps": 999999}\n' + WHOLE, "unparseable"),
    "a MiB of lines": (WHOLE + "progress: 1.0 s, 1.0 tps, lat 1 ms stddev 1\n" * 30_000, "too_much_output"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_forged_report_fails_its_trial_and_leaves_no_record(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, name: str
) -> None:
    output, code = OUTPUTS[name]
    testbed.setup(FakeTrial().levels).close()
    testbed.engine.tools["pgbench"] = FakeTool(stdout=output)
    spool = Spool(tmp_path / "spool")
    ended = execute_trial(FakeTrial(), testbed, queue, spool, lambda *_: None, threading.Event())
    assert ended == "failed" and queue.endings[0][:2] == ("fail", code), queue.endings
    assert queue.records == [] and not list((tmp_path / "spool").iterdir())


def test_fifty_megabytes_are_not_kept() -> None:
    argv = ("head", "-c", "50000000", "/dev/zero")
    execution = ChildExecution(["sh", "-c", f"read -r _; {' '.join(argv)}"])
    execution.release()
    reader = CommandReader(execution, argv, "client", 60)
    tracemalloc.start()
    with pytest.raises(TrialFailed, match="printed more than 1,048,576 bytes") as refused:
        reader.run(NO_HOOKS)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refused.value.code == "too_much_output"
    assert peak < 8 * OUTPUT_LIMIT, f"{peak:,} bytes"


def iperf3_with(**changes: object) -> str:
    return json.dumps(IPERF3 | changes)


@pytest.mark.parametrize(
    "text",
    [
        iperf3_with() + iperf3_with(),
        iperf3_with().replace('"bits_per_second": ', '"bits_per_second": 1e400, "x": '),
        iperf3_with().replace('"seconds": ', '"seconds": NaN, "x": '),
        iperf3_with(intervals=IPERF3["intervals"][:1] * (MOST_POINTS + 1)),
        "[" * 100_000 + "]" * 100_000,
        '{"end":' * 50_000,
        iperf3_with()[:-2] + ',"end":{}}',
    ],
    ids=["twice", "1e400", "NaN", "long", "deep", "deep objects", "a second end"],
)
def test_a_forged_report_of_iperf3_is_refused(text: str) -> None:
    with pytest.raises(Unparseable):
        PARSERS["iperf3"].parse(text, "")


def test_a_million_wrong_intervals_are_one_error() -> None:
    """Without a limit each costs an error of 900 bytes and 7 microseconds."""
    text = iperf3_with(intervals=0).replace('"intervals": 0', f'"intervals": [{"0," * 999_999}0]')
    tracemalloc.start()
    with pytest.raises(Unparseable, match=r"iperf3: intervals\.0: Input should be an object"):
        PARSERS["iperf3"].parse(text, "")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * len(text), f"{peak:,} bytes"
