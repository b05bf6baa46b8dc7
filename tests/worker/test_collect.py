"""The log of an open-loop trial: awk's histogram, the commands of a trial, and the removal of the log."""

from __future__ import annotations

import random
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from backend.core.definition.factors import Level
from backend.core.sample.histogram import bucket_of, parse
from backend.core.sample.record import TrialRecord
from backend.core.workload.latency_log import pgbench_log
from tests.worker.conftest import FIXTURES, FakeTestbed, FakeTrial, FakeTrialQueue
from worker.engine.fake import FakeTool
from worker.host.spool import Spool
from worker.trial.execute import execute_trial
from worker.trial.measurement import LOG_PREFIX

# As pgbench 15.20 wrote them with --rate: client, number, latency, script, epoch, µs, schedule lag.
CAPTURED = """\
0 1 834 0 1795222820 833673 79
1 1 843 0 1795222820 834659 77
0 2 388 0 1795222820 835662 73
1 2 233 0 1795222820 837522 82
0 3 115 0 1795222820 837611 10
"""


def histogram_of(folder: Path, *logs: str) -> subprocess.CompletedProcess[str]:
    for number, text in enumerate(logs):
        name = "log.87" + (f".{number}" if number else "")
        (folder / name).write_text(text)
    return subprocess.run(pgbench_log(str(folder / "log")).collect, capture_output=True, text=True)


def lines(latencies: Sequence[int]) -> str:
    return "".join(f"0 {n} {v} 0 1795222820 1 {v // 2}\n" for n, v in enumerate(latencies))


def test_the_logs_of_all_threads_become_one_histogram_and_are_deleted(tmp_path: Path) -> None:
    first, second = CAPTURED.splitlines(keepends=True)[:3], CAPTURED.splitlines(keepends=True)[3:]
    done = histogram_of(tmp_path, "".join(first), "".join(second))
    assert (done.returncode, done.stderr) == (0, "")
    found = parse(done.stdout)
    assert (found.transactions, found.total_us) == (5, 834 + 843 + 388 + 233 + 115)
    assert (found.shortest_us, found.longest_us) == (115, 843)
    assert (found.lag_total_us, found.lag_longest_us) == (79 + 77 + 73 + 82 + 10, 82)
    assert found.buckets == ((115, 1), (233, 1), (389, 1), (835, 1), (843, 1))
    assert list(tmp_path.iterdir()) == []


def test_awk_computes_the_same_buckets_as_the_core(tmp_path: Path) -> None:
    generator = random.Random(5)
    latencies = [int(10 ** generator.uniform(0, 9.5)) for _ in range(5000)] + [0, 1, 255, 256, 257, 511, 512]
    found = parse(histogram_of(tmp_path, lines(latencies)).stdout)
    assert {bound for bound, _ in found.buckets} == {bucket_of(v) for v in latencies}
    assert (found.total_us, found.longest_us) == (sum(latencies), max(latencies))


def test_skipped_failed_and_incomplete_lines_are_counted_separately(tmp_path: Path) -> None:
    odd = "0 9 skipped 0 1795222820 1 5\n0 9 failed 0 1795222820 1 5\n0 9 deadlock 0 1795222820 1 5 3\n"
    done = histogram_of(tmp_path, CAPTURED + odd + "0 9 12")
    assert done.stdout.splitlines()[0] == "transactions 5 skipped 1 failed 2 unread 1"


def test_a_log_without_the_lag_of_a_schedule_is_not_open_loop(tmp_path: Path) -> None:
    closed = "".join(f"0 {n} 300 0 1795222820 1\n" for n in range(4))
    assert "unread 4" in histogram_of(tmp_path, closed).stdout


def test_a_sample_has_no_schedule_lag_and_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / "log.87").write_text("4 4 57 0 1795802554 489471\n3 6 52 0 1795802554 489659\n1 9 55\n")
    (tmp_path / "log.87.1").write_text("")
    command = pgbench_log(str(tmp_path / "log"), 0.1)
    assert "--sampling-rate=0.1" in command.options
    done = subprocess.run(command.collect, capture_output=True, text=True)
    assert "transactions 2 skipped 0 failed 0 unread 1" in done.stdout
    (tmp_path / "log.87").write_text("")
    empty = parse(subprocess.run(command.collect, capture_output=True, text=True).stdout)
    assert (empty.transactions, empty.buckets) == (0, ())


def test_without_a_log_the_command_fails(tmp_path: Path) -> None:
    assert histogram_of(tmp_path).returncode != 0


# --- within a trial ---------------------------------------------------------------------------


def trial(**levels: Level) -> FakeTrial:
    plain = FakeTrial()
    return replace(plain, levels={**plain.levels, "rate": 3000, **levels})


@pytest.fixture
def offering(testbed: FakeTestbed) -> FakeTestbed:
    """A testbed with filled tables, whose pgbench and awk print captured output."""
    testbed.setup(trial().levels).close()
    testbed.engine.tools["pgbench"] = FakeTool(
        stdout=(FIXTURES / "15-open-loop.stdout").read_text(),
        stderr=(FIXTURES / "15-open-loop.stderr").read_text(),
    )
    testbed.engine.tools["sh"] = FakeTool(stdout=(FIXTURES / "15-open-loop.histogram").read_text())
    return testbed


def run(
    testbed: FakeTestbed, queue: FakeTrialQueue, folder: Path, aborting: threading.Event | None = None
) -> str:
    return execute_trial(
        trial(), testbed, queue, Spool(folder), lambda *_: None, aborting or threading.Event()
    )


def removals(testbed: FakeTestbed) -> list[tuple[str, ...]]:
    wanted = pgbench_log(LOG_PREFIX + FakeTrial().trial_id).remove
    return [argv for argv in testbed.engine.commands if argv[4:] == wanted]


def test_the_measured_command_logs_and_its_histogram_is_recorded(
    offering: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    run(offering, queue, tmp_path)
    record = TrialRecord.model_validate(queue.records[0].payload)
    warm_up, measure, collect = record.commands
    assert (warm_up.purpose, measure.purpose, collect.purpose) == ("warm_up", "measure", "collect")
    prefix = f"/tmp/plimsoll-log-{FakeTrial().trial_id}"
    assert measure.argv[:3] == ("pgbench", "--log", f"--log-prefix={prefix}")
    assert "--rate=3000" in measure.argv
    assert "--log" not in warm_up.argv and "--rate=3000" in warm_up.argv
    assert collect.argv[:2] == ("sh", "-c") and prefix in collect.argv
    assert collect.argv == pgbench_log(prefix).collect
    assert sum(count for _, count in record.histogram) == record.transactions == 2948
    assert record.metrics["open_latency_p99_ms"] == 0.309
    assert any(one.kind == "few transactions for a percentile" for one in record.notices)
    assert removals(offering) == [], "the collecting command itself removes the log"


def test_a_closed_loop_logs_a_sample_and_records_its_percentiles(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    execute_trial(FakeTrial(), testbed, queue, Spool(tmp_path), lambda *_: None, threading.Event())
    record = TrialRecord.model_validate(queue.records[0].payload)
    measure = next(command for command in record.commands if command.purpose == "measure")
    assert measure.argv[3] == "--sampling-rate=0.1"
    assert (record.metrics["latency_p50_ms"], record.metrics["latency_p99_ms"]) == (0.083, 1.623)
    assert record.facts["sampled_transactions"] == "9384"
    assert record.histogram == ()
    assert not any(name.startswith("open_") for name in record.metrics)


@pytest.mark.parametrize(
    ("tool", "answer", "code"),
    [
        ("pgbench", FakeTool(stderr="FATAL:  out of memory\n", exit_code=2), "tool_failed"),
        ("sh", FakeTool(stderr="awk: no memory\n", exit_code=2), "tool_failed"),
        ("sh", FakeTool(stdout="x" * 3_000_000), "too_much_output"),
    ],
    ids=["pgbench dies", "awk dies", "flood"],
)
def test_a_failed_trial_has_its_log_removed(
    offering: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, tool: str, answer: FakeTool, code: str
) -> None:
    offering.engine.tools[tool] = answer
    assert run(offering, queue, tmp_path) == "failed"
    assert queue.endings[0][:2] == ("fail", code)
    assert len(removals(offering)) == 1


def test_a_histogram_that_does_not_hold_every_transaction_fails_the_trial(
    offering: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    whole = offering.engine.tools["sh"].stdout
    offering.engine.tools["sh"] = FakeTool(stdout=whole.replace("unread 0", "unread 7"))
    assert run(offering, queue, tmp_path) == "failed"
    assert queue.endings[0][:2] == ("fail", "unparseable")
    assert "is the client's /tmp full" in queue.endings[0][2]


def test_a_stopped_trial_has_its_log_removed(
    offering: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    aborting = threading.Event()
    aborting.set()
    assert run(offering, queue, tmp_path, aborting) == "abort"
    assert len(removals(offering)) == 1


def test_an_engine_that_fails_while_the_log_is_removed_hides_no_error(
    offering: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offering.engine.tools["pgbench"] = FakeTool(stderr="FATAL:  out of memory\n", exit_code=2)
    execute = offering.engine.execute

    def breaking(container, argv):  # type: ignore[no-untyped-def]  # as the fake's own
        if "rm -f" in " ".join(argv):
            offering.engine.broken = "execute"
        return execute(container, argv)

    monkeypatch.setattr(offering.engine, "execute", breaking)
    assert run(offering, queue, tmp_path) == "failed"
    assert "out of memory" in queue.endings[0][2]
