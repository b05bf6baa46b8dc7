"""Open loop with the real pgbench: each latency from the scheduled start, in every client location."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from backend.core.definition.factors import Level
from backend.core.sample import histogram
from backend.core.sample.record import TrialRecord
from backend.core.topology.paths import PATHS
from tests.live.conftest import levels_of, measured
from tests.live.kinds import full_unless
from worker.topology.testbed import Testbed
from worker.trial.measurement import Measurement
from worker.trial.trial_record import TrialSpec
from worker.workload.command import run_in
from worker.workload.hooks import NoHooks, Stop, Stopped

RATE = 500
SECONDS = 2
VANTAGES = ("container_address", "same_container", "bare_host", "unix_socket", "published_remote")


def offered(path: str, **levels: Level) -> dict[str, Level]:
    return levels_of(path, **{"rate": RATE, "duration_s": SECONDS, **levels})


def record_of(testbed: Testbed, levels: Mapping[str, Level]) -> TrialRecord:
    record = measured(testbed, levels).record
    assert record is not None
    return record


def left_behind(testbed: Testbed, levels: Mapping[str, Level]) -> str:
    """The files in the client's /tmp."""
    setup = testbed.setup(levels)
    try:
        _, text = run_in(setup.client.engine, setup.client.container, ["sh", "-c", "ls -A /tmp"], 10.0)
    finally:
        setup.close()
    return "\n".join(line for line in text.splitlines() if "log" in line)


def printed(record: TrialRecord, pattern: str) -> float:
    """A value of pgbench's own report."""
    (command,) = [command for command in record.commands if command.purpose == "measure"]
    found = re.search(pattern, command.stdout)
    assert found is not None, command.stdout
    return float(found.group(1))


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=full_unless(path == VANTAGES[0])) for path in VANTAGES]
)
def test_the_histogram_holds_every_transaction_and_agrees_with_pgbench(testbed: Testbed, path: str) -> None:
    levels = offered(path)
    record = record_of(testbed, levels)
    assert record.evidence.verdict == "proven", record.evidence.sentence
    assert [command.purpose for command in record.commands] == ["measure", "collect"]
    assert sum(count for _, count in record.histogram) == record.transactions
    assert record.transactions == printed(record, r"actually processed: (\d+)")

    average_ms = printed(record, r"latency average = ([0-9.]+) ms")
    middle_us = sum((_lower(bound) + bound) / 2 * count for bound, count in record.histogram)
    assert middle_us / record.transactions / 1e3 == pytest.approx(average_ms, rel=0.01)
    # Both come from the same microseconds; pgbench prints three decimals.
    assert record.metrics["open_latency_avg_ms"] == pytest.approx(average_ms, abs=0.000_501)

    (collected,) = [command for command in record.commands if command.purpose == "collect"]
    latencies = histogram.parse(collected.stdout)
    lag_ms = printed(record, r"schedule lag: avg ([0-9.]+)")
    assert latencies.lag_total_us / latencies.transactions / 1e3 == pytest.approx(lag_ms, abs=0.000_501)
    assert latencies.lag_longest_us / 1e3 == pytest.approx(
        printed(record, r"max ([0-9.]+)\) ms"), abs=0.000_501
    )

    assert "latency_avg_ms" not in record.metrics, "nothing here is closed loop"
    ladder = [record.metrics[f"open_latency_{name}_ms"] for name in ("p50", "p90", "max")]
    assert ladder == sorted(ladder) and ladder[0] > 0
    assert left_behind(testbed, levels) == ""


def _lower(bound: int) -> int:
    """The lowest latency of the bucket that ends at this one."""
    below = next(b for b in range(bound, -1, -1) if histogram.bucket_of(b) != bound) if bound else -1
    return below + 1


@pytest.mark.full
def test_percentiles_need_enough_transactions_and_a_warning_replaces_them(testbed: Testbed) -> None:
    many = record_of(testbed, offered("container_address", rate=6000))
    names = [f"open_latency_{name}_ms" for name in ("p50", "p90", "p99", "p999", "max")]
    assert [many.metrics[name] for name in names] == sorted(many.metrics[name] for name in names)
    assert not [one for one in many.notices if one.kind.startswith("few transactions")]
    few = record_of(testbed, offered("container_address", rate=200))
    assert "open_latency_p99_ms" not in few.metrics and "open_latency_p90_ms" in few.metrics
    assert [one for one in few.notices if one.kind == "few transactions for a percentile"]


@pytest.mark.full
def test_a_rate_above_the_capacity_is_reported(testbed: Testbed) -> None:
    record = record_of(testbed, offered("published_loopback", rate=400_000))
    assert record.metrics["tps"] < 0.95 * 400_000
    assert [one for one in record.notices if one.kind == "the offered rate was not reached"]
    queued_ms = record.metrics["open_latency_p50_ms"]
    assert queued_ms > 100, "what waits behind the others waits for most of the window"


class _StopAtTheFirstSecond(NoHooks):
    """Cancels the trial after its first live value."""

    def __init__(self) -> None:
        self.seen = False

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        self.seen = True

    def stop_wanted(self) -> Stop | None:
        return "cancel" if self.seen else None


@pytest.mark.full
@pytest.mark.parametrize("path", ["container_address", "bare_host"])
def test_a_stopped_trial_leaves_no_log(testbed: Testbed, path: str) -> None:
    levels = offered(path, duration_s=20)
    setup = testbed.setup(levels)
    hooks = _StopAtTheFirstSecond()
    try:
        with pytest.raises(Stopped):
            Measurement(
                setup, TrialSpec("trl_00000000000000aa", 1, PATHS[path], levels), hooks, testbed.tools
            ).run()
    finally:
        setup.close()
    assert hooks.seen
    assert left_behind(testbed, levels) == ""
