"""Every way that a trial can end, with each stage failing once."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backend.core.plan.claimed import ClaimedTrial
from backend.core.plan.restarts import ServedCell
from backend.core.sample.record import TrialRecord
from tests.worker.conftest import FakeTestbed, FakeTrial, FakeTrialQueue
from worker.engine.fake import FakeEngine, FakeExecution, FakeTool
from worker.engine.protocol import Container
from worker.host import spool as spool_module
from worker.host.spool import Spool
from worker.trial import execute as execute_module
from worker.trial.execute import execute_trial
from worker.trial.recording import drain

HOSTILE = FakeTrial().levels
"""Levels that are valid until a test changes one."""


class Live:
    """Collects live samples."""

    def __init__(self) -> None:
        self.samples: list[tuple[float, float]] = []

    def __call__(self, trial: ClaimedTrial, t: float, tps: float, cores: Mapping[str, float] | None) -> None:
        self.samples.append((t, tps))


def run(
    testbed: FakeTestbed,
    queue: FakeTrialQueue,
    folder: Path,
    aborting: threading.Event | None = None,
    trial: FakeTrial | None = None,
) -> str:
    return execute_trial(
        trial or FakeTrial(), testbed, queue, Spool(folder / "spool"), Live(), aborting or threading.Event()
    )


def test_a_trial_is_spooled_recorded_and_forgotten(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    run(testbed, queue, tmp_path)
    assert testbed.prepared == [(FakeTrial().run_id, 0)]
    assert queue.windows == [(1, 1)]
    (spooled,) = queue.records
    record = TrialRecord.model_validate(spooled.payload)
    assert record.metrics["tps"] == 19773.309448
    assert record.transactions == 59_052
    assert [command.purpose for command in record.commands] == ["warm_up", "measure", "collect"]
    assert record.commands[0].argv[:3] == ("pgbench", "-n", "-S")
    assert record.commands[0].argv[record.commands[0].argv.index("-T") + 1] == "1"
    assert not list((tmp_path / "spool").iterdir())


def test_contradicted_evidence_fails_the_trial_and_is_kept(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    """On the fake engine all processes share one namespace, so that most paths are contradicted."""
    testbed.engine.tools["pgbench"].seconds = 0.9
    assert run(testbed, queue, tmp_path) == "failed"
    assert queue.records[0].failure is not None
    assert queue.records[0].failure[0] == "path_contradicted"
    assert queue.records[0].payload["evidence"]["verdict"] == "contradicted"


def test_the_server_is_filled_once(testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path) -> None:
    run(testbed, queue, tmp_path)
    run(testbed, queue, tmp_path)
    fills = [c for c in testbed.engine.commands if "-i" in c]
    assert len(fills) == 1


@pytest.mark.parametrize(
    ("tool", "code", "detail"),
    [
        (FakeTool(stderr="FATAL:  out of memory\n", exit_code=2), "tool_failed", "out of memory"),
        (FakeTool(stdout="pgbench (15.20)\nscaling factor: 5\n"), "unparseable", "transactions"),
        (FakeTool(stdout=""), "unparseable", "transactions"),
        (FakeTool(stdout="x" * 3_000_000), "too_much_output", "printed more"),
        (FakeTool(stdout="tps = NaN (without initial connection time)\n"), "unparseable", "transactions"),
    ],
    ids=["dies", "half", "nothing", "flood", "nan"],
)
def test_a_tool_that_misbehaves_fails_the_trial(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, tool: FakeTool, code: str, detail: str
) -> None:
    testbed.setup(FakeTrial().levels).close()
    testbed.engine.tools["pgbench"] = tool
    assert run(testbed, queue, tmp_path) == "failed"
    ((kind, found, text),) = queue.endings
    assert (kind, found) == ("fail", code)
    assert detail in text
    assert not queue.records
    assert testbed.renewed == 1, "a server that served a broken run is not used again"


def test_a_tool_that_hangs_is_ended(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    testbed.setup(FakeTrial().levels).close()
    monkeypatch.setattr("worker.workload.command.GRACE_S", 0.0)
    monkeypatch.setattr("worker.workload.command.KILL_GRACE_S", 0)
    testbed.engine.tools["pgbench"] = FakeTool(seconds=600)
    assert run(testbed, queue, tmp_path) == "failed"
    assert queue.endings[0][:2] == ("fail", "timeout")


@pytest.mark.parametrize("verb", ["ensure_network", "create", "execute"])
def test_an_engine_that_fails_is_discarded_and_the_trial_requeued(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, verb: str
) -> None:
    testbed.engine.broken = verb
    assert run(testbed, queue, tmp_path) == "requeued"
    assert queue.endings == [("requeue", "engine_lost", f"{verb} fails on request")]
    assert testbed.discarded == 1
    run(testbed, queue, tmp_path)
    assert len(queue.records) == 1


def test_a_latency_log_that_cannot_be_removed_is_reported(
    testbed: FakeTestbed,
    queue: FakeTrialQueue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The engine goes with the tool, so that the command that deletes the log cannot run."""
    original = FakeEngine.execute

    def execute(self: FakeEngine, container: Container, argv: Sequence[str]) -> FakeExecution:
        if not any(part.startswith("--log-prefix=") for part in argv):
            return original(self, container, argv)
        self.tools["pgbench"] = FakeTool(stderr="FATAL:  out of memory\n", exit_code=2)
        execution = original(self, container, argv)
        self.die()
        return execution

    monkeypatch.setattr(FakeEngine, "execute", execute)
    trial = FakeTrial(levels=FakeTrial().levels | {"rate": 100, "warm_up_s": 0})
    run(testbed, queue, tmp_path, trial=trial)
    (message,) = [record.message for record in caplog.records if "latency log" in record.message]
    assert trial.trial_id in message and "the daemon is gone" in message


def test_a_server_that_never_answers_fails_the_trial(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.topology.deployment.READY_LIMIT_S", 0.2)
    testbed.engine.tools["psql"] = FakeTool(stderr="could not connect", exit_code=2)
    assert run(testbed, queue, tmp_path) == "failed"
    assert queue.endings[0][1] == "server_not_ready"
    assert "could not connect" in queue.endings[0][2]


@pytest.mark.parametrize(
    ("answer", "endings", "word"), [("cancel", [("cancelled",)], "cancel"), ("stale", [], "stale")]
)
def test_a_heartbeat_can_stop_a_trial(
    testbed: FakeTestbed,
    queue: FakeTrialQueue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    endings: list[tuple[str, ...]],
    word: str,
) -> None:
    testbed.setup(FakeTrial().levels).close()
    monkeypatch.setattr(execute_module, "HEARTBEAT_S", 0.1)
    queue.answer = answer  # type: ignore[assignment]  # parametrised with its only values
    testbed.engine.tools["pgbench"] = FakeTool(seconds=20)
    assert run(testbed, queue, tmp_path) == word
    assert queue.endings == endings
    assert not queue.records


def test_a_stopping_worker_requeues_its_trial(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    aborting = threading.Event()
    aborting.set()
    assert run(testbed, queue, tmp_path, aborting) == "abort"
    assert queue.endings == [("requeue", "aborted", "the worker was stopped")]


def test_without_the_database_the_spool_keeps_the_record(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path
) -> None:
    queue.away = True
    run(testbed, queue, tmp_path)
    spool = Spool(tmp_path / "spool")
    assert len(list(spool.waiting())) == 1
    queue.away = False
    assert drain(spool, queue) == 0
    assert [record.fence for record in queue.records] == [1]
    assert not list(spool.waiting())


def test_a_full_disk_fails_the_trial_before_it_starts(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool_module, "LEAST_FREE_BYTES", 2**62)
    assert run(testbed, queue, tmp_path) == "failed"
    assert queue.endings[0][:2] == ("fail", "storage_full")
    assert testbed.made is None


def test_misuse_of_the_fake_engine_fails(engine: FakeEngine) -> None:
    testbed = FakeTestbed(engine)
    testbed.setup(FakeTrial().levels).close()
    assert testbed.made is not None
    from_nowhere = testbed.made.server
    engine.remove_everything()
    with pytest.raises(AssertionError, match="no container"):
        engine.execute(from_nowhere, ["psql"])


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"levels": HOSTILE | {"clients": "8; id"}}, "/clients: “8; id” is not allowed"),
        ({"levels": HOSTILE | {"path": "../../etc"}}, "/path: "),
        ({"levels": HOSTILE | {"network_mode": "host"}}, "/network_mode: unknown factor"),
        ({"levels": HOSTILE | {"service": "flask", "storage": "disk"}}, "/"),
        ({"levels": HOSTILE | {"engine": "host", "path": "macvlan"}}, "/engine: on the host's own Docker"),
        ({"levels": []}, "/: the levels of a cell are an object"),
        ({"levels": {}}, "/path: path is missing"),
        ({"trial_id": "../../../etc/cron.d/x"}, "is not an id"),
        ({"run_id": "run_"}, "is not an id"),
    ],
)
def test_a_hostile_row_fails_before_anything_is_built_from_it(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, change: dict[str, Any], detail: str
) -> None:
    trial = replace(FakeTrial(), **change)
    assert run(testbed, queue, tmp_path, trial=trial) == "failed"
    ((kind, code, reason),) = queue.endings
    assert (kind, code) == ("fail", "invalid_levels") and detail in reason
    assert testbed.engine.commands == [] and testbed.engine.containers == {}
    assert testbed.prepared == [] and testbed.renewed == testbed.discarded == 0
    assert not list((tmp_path / "spool").iterdir())


def test_servers_of_hostile_rows_of_the_run_are_not_prepared(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[ServedCell] = []
    cells = [ServedCell(HOSTILE | {"proxy_program": "../x"}), ServedCell(HOSTILE)]
    monkeypatch.setattr(queue, "cells", lambda _run: cells)
    monkeypatch.setattr(testbed, "prepare", lambda _run, _block, given, _hooks: seen.extend(given()))
    run(testbed, queue, tmp_path)
    assert seen == cells[1:]
