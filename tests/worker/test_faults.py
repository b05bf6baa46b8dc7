"""Every error of a trial keeps its reason; faults of the host are separated from faults of the trial."""

from __future__ import annotations

import errno
import logging
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy.exc import ProgrammingError

from backend.core.errors import (
    EngineUnavailable,
    HostFault,
    HostSlept,
    ServerLost,
    StorageFull,
    TrialFailed,
    Unavailable,
)
from tests.worker.conftest import Clock, FakeTestbed, FakeTrial, FakeTrialQueue
from tests.worker.test_execute import Live
from worker.host.processes import ProcessId, identify, parse
from worker.host.spool import Spool
from worker.trial import execute as execute_module
from worker.trial.breaker import FIRST_PAUSE_S, LONGEST_PAUSE_S, Breaker
from worker.trial.execute import execute_trial
from worker.trial.faults import fault_of
from worker.trial.measurement import Measurement


def run(testbed: FakeTestbed, queue: FakeTrialQueue, folder: Path, breaker: Breaker | None = None) -> str:
    return execute_trial(
        FakeTrial(), testbed, queue, Spool(folder / "spool"), Live(), threading.Event(), breaker
    )


@pytest.mark.parametrize(
    ("error", "code", "retry"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file", "/proc/1/net/dev"), "process_lost", True),
        (OSError(errno.ENODEV, "No such device"), "process_lost", True),
        (ProcessLookupError(errno.ESRCH, "No such process"), "process_lost", True),
        (OSError(errno.ENOSPC, "No space left on device"), "storage_full", False),
        (Unavailable("the database does not answer"), "store_away", True),
        (ProgrammingError("SELECT", {}, Exception("no such table")), "unexpected", True),
        (KeyError("path"), "unexpected", True),
        (EngineUnavailable("creating x: no space"), "engine_lost", True),
    ],
)
def test_every_error_is_mapped_and_keeps_its_text(error: Exception, code: str, retry: bool) -> None:
    fault = fault_of(error, None)
    assert isinstance(fault, HostFault)
    assert (fault.code, fault.retry) == (code, retry)
    assert str(error).splitlines()[0] in str(fault)


def test_what_is_missing_explains_any_other_error() -> None:
    gone = ServerLost("the postgres server has ended")
    fault = fault_of(TrialFailed("tool_failed", "server closed the connection"), gone)
    assert isinstance(fault, ServerLost) and fault.counts
    assert "has ended; seen as: server closed the connection" in str(fault)
    assert fault_of(ServerLost("before", before=True), gone).code == "server_lost"
    assert isinstance(fault_of(OSError("x"), EngineUnavailable("on does not answer")), EngineUnavailable)
    assert isinstance(fault_of(StorageFull("full"), gone), StorageFull)


def test_an_unexpected_error_keeps_its_reason_and_traceback(
    testbed: FakeTestbed,
    queue: FakeTrialQueue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(_self: Measurement) -> None:
        raise ZeroDivisionError("no such thing")

    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(Measurement, "run", broken)
        assert run(testbed, queue, tmp_path) == "requeued"
    assert queue.endings == [("requeue", "unexpected", "ZeroDivisionError: no such thing")]
    assert "Traceback" in caplog.text
    assert testbed.discarded == 1
    assert run(testbed, queue, tmp_path) in ("done", "failed")
    assert len(queue.records) == 1


def test_a_failed_clean_up_hides_no_reason(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_levels: object) -> None:
        raise OSError("the engine cannot be removed")

    monkeypatch.setattr(testbed, "discard", broken)
    testbed.engine.broken = "create"
    assert run(testbed, queue, tmp_path) == "requeued"
    assert queue.endings == [("requeue", "engine_lost", "create fails on request")]


def kill_server(testbed: FakeTestbed) -> None:
    """End the server's process, as the kernel's out-of-memory killer would."""
    assert testbed.made is not None
    pid = testbed.made.server.pid
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert identify(pid) is None


def test_a_server_that_ends_during_its_trial_is_replaced_and_the_trial_requeued(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    testbed.setup(FakeTrial().levels).close()
    begin = Measurement._window

    def ends_first(*arguments: object, **named: object) -> object:
        kill_server(testbed)
        return begin(*arguments, **named)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(Measurement, "_window", ends_first)
        assert run(testbed, queue, tmp_path) == "requeued"
    ((kind, code, detail),) = queue.endings
    assert (kind, code) == ("requeue", "server_lost")
    assert detail.startswith("the postgres server has ended; seen as: ")
    assert queue.counted == [True]
    assert (testbed.renewed, testbed.discarded) == (1, 0)
    run(testbed, queue, tmp_path)
    assert len(queue.records) == 1


def test_a_trial_across_a_suspension_is_requeued(
    testbed: FakeTestbed, queue: FakeTrialQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = iter((10.0, 3610.0))
    monkeypatch.setattr(execute_module, "suspended_s", lambda: next(readings))
    breaker = Breaker()
    assert run(testbed, queue, tmp_path, breaker) == "requeued"
    assert queue.endings == [
        ("requeue", "host_slept", "the host was suspended for 3600.0 s during the trial")
    ]
    assert queue.counted == [False]
    assert not queue.records and not breaker.avoid


STAT = "7 (a ) b) {state} 1 7 7 0 -1 {flags} 0 0 0 0 0 0 0 0 20 0 1 0 4711 1 1 1"


@pytest.mark.parametrize(
    ("state", "flags", "runs"),
    [("S", 0x400100, True), ("Z", 0x40010C, False), ("X", 0, False), ("S", 0x400104, False)],
    ids=["sleeps", "zombie", "dead", "exiting"],
)
def test_an_exiting_process_no_longer_runs(state: str, flags: int, runs: bool) -> None:
    found = parse(7, STAT.format(state=state, flags=flags))
    assert found == (ProcessId(7, 4711) if runs else None)


Fail = Callable[[str], bool]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(clock)


@pytest.fixture
def fail(breaker: Breaker) -> Fail:
    return lambda trial: breaker.failed(trial, EngineUnavailable("dockerd is gone"))


def test_faults_of_several_trials_in_a_row_stop_claiming(breaker: Breaker, clock: Clock, fail: Fail) -> None:
    assert fail("t1") and breaker.avoid == ()
    assert fail("t1") and breaker.avoid == ("t1",)
    assert not breaker.is_open
    assert not fail("t2"), "two trials met it: it is the host's, and counts against none"
    assert breaker.is_open and breaker.wait_s() == FIRST_PAUSE_S
    assert breaker.reason == "engine_lost: dockerd is gone"
    pauses = []
    for number in range(3, 12):
        clock.now += breaker.wait_s()
        assert breaker.wait_s() == 0
        assert not fail(f"t{number}")
        pauses.append(breaker.wait_s())
    assert pauses[:4] == [10, 20, 40, 80] and pauses[-1] == LONGEST_PAUSE_S
    breaker.succeeded()
    assert (breaker.is_open, breaker.wait_s(), breaker.avoid) == (False, 0, ())


def test_a_trial_that_is_itself_at_fault_does_not_open_the_breaker(breaker: Breaker, fail: Fail) -> None:
    assert fail("t1") and fail("t1")
    breaker.succeeded()  # another trial
    assert fail("t1"), "the third attempt counts: the trial ends as poison"
    assert not breaker.is_open


def test_the_only_trial_is_tried_until_its_attempts_are_used_up(breaker: Breaker, fail: Fail) -> None:
    assert [fail("t1") for _ in range(3)] == [True, True, True]
    assert not breaker.is_open


def test_a_suspension_is_no_fault_of_the_host(breaker: Breaker) -> None:
    for number in range(9):
        assert not breaker.failed(f"t{number}", HostSlept("for an hour"))
    assert not breaker.is_open and breaker.avoid == ()
