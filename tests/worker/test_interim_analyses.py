"""The worker of a run with interim analyses, and its crashes before and during them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from backend.core.errors import Unavailable
from backend.core.plan.claimed import ClaimedTrial
from backend.settings import Settings
from backend.store import invariants
from backend.store.repositories import interim_analyses, runs
from backend.store.session import session_scope
from tests.records import trial_record
from tests.store.queued_run import QueuedRun
from tests.store.test_interim_analyses import open_run, skipped
from tests.worker.conftest import FakeTestbed
from worker import runtime as runtime_module
from worker import trial_queue as book_module
from worker.host.spool import Spool
from worker.runtime import WorkerRuntime
from worker.trial.execute import execute_trial as carry_out_on
from worker.trial.recording import drain


class Killed(BaseException):
    """The worker dies here."""


class RuntimeTestbed(FakeTestbed):
    """The fake testbed with the other methods that the runtime calls."""

    def engines(self) -> frozenset[str]:
        return frozenset()

    def environment(self) -> dict[str, str]:
        return {"kernel": "6.1"}

    def changing_environment(self) -> dict[str, str]:
        return {"kernel": "6.1"}


@pytest.fixture
def make_runtime(
    settings: Settings,
    owner_settings: Settings,
    testbed: FakeTestbed,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., tuple[QueuedRun, WorkerRuntime]]:
    """A queued run with interim analyses, and a runtime that records trials without measuring them."""

    def make(measured: bool = False, **stopping: Any) -> tuple[QueuedRun, WorkerRuntime]:
        queued = open_run(owner_settings, **stopping)
        if not measured:
            monkeypatch.setattr(runtime_module, "execute_trial", made_up)
        return queued, begin(settings, testbed)

    return make


def begin(settings: Settings, testbed: FakeTestbed) -> WorkerRuntime:
    """A runtime that has just started."""
    found = WorkerRuntime(settings, settings.var_dir)
    found._testbed = RuntimeTestbed(testbed.engine)  # type: ignore[assignment]  # stands in for the lab's
    found._queue.announce({}, {})
    found._queue.take_over()
    return found


def made_up(
    trial: ClaimedTrial,
    _benches: Any,
    queued: Any,
    spool: Spool,
    _live: Any,
    _aborting: threading.Event,
    _breaker: Any,
    _repeat_policy: Any,
    _sessions: Any,
    _phases: Any,
) -> str:
    """Spool and record values by which the second path is slower and the third one undecided."""
    path, round_ = str(trial.levels["path"]), trial.round
    factor = {"same_container": 1.0, "published_loopback": 0.6}.get(path, (0.8, 1.25)[round_ % 2])
    payload = trial_record(trial, 1e4 * factor * (1 + round_ / 1e4))
    spool.write(trial.trial_id, trial.fence, payload, None)
    drain(spool, queued)
    return "done"


def work(runtime: WorkerRuntime, until: Callable[[], bool] = lambda: False) -> int:
    """Execute one trial after the other; returns their number."""
    done = 0
    while not until() and runtime.one_trial() != "idle":
        done += 1
    return done


def test_the_worker_analyses_after_the_last_trial_of_a_round(
    make_runtime: Callable[..., tuple[QueuedRun, WorkerRuntime]],
) -> None:
    queued, runtime = make_runtime()
    for _ in range(32):
        assert skipped(queued) == {}
        runtime.one_trial()
    assert skipped(queued) == {"c2": [9, 10, 11, 12]}
    assert work(runtime) == 12
    assert (queued.run()["state"], queued.run()["progress"]["done"]) == ("done", 44)
    assert queued.call(invariants.violations) == []


def test_the_worker_ends_a_run_whose_budget_is_used_up(
    make_runtime: Callable[..., tuple[QueuedRun, WorkerRuntime]],
) -> None:
    queued, runtime = make_runtime(budget_minutes=7)
    assert work(runtime) == 32
    assert (queued.run()["state"], queued.run()["progress"]["skipped"]) == ("done", 16)
    assert queued.call(invariants.violations) == []


def test_a_worker_that_dies_before_its_analysis_leaves_it_to_the_next_one(
    make_runtime: Callable[..., tuple[QueuedRun, WorkerRuntime]],
    settings: Settings,
    testbed: FakeTestbed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queued, runtime = make_runtime()
    for _ in range(31):
        runtime.one_trial()

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(book_module, "interim_analyses", SimpleNamespace(run_due=die))
        runtime.one_trial()
    assert (skipped(queued), queued.run()["progress"]["done"]) == ({}, 32)
    begin(settings, testbed).one_trial()
    assert skipped(queued) == {"c2": [9, 10, 11, 12]}
    assert queued.run()["progress"]["done"] == 33
    assert queued.call(invariants.violations) == []


def test_a_worker_that_dies_during_an_analysis_leaves_nothing_incomplete(
    make_runtime: Callable[..., tuple[QueuedRun, WorkerRuntime]],
    settings: Settings,
    testbed: FakeTestbed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queued, runtime = make_runtime()
    for _ in range(31):
        runtime.one_trial()

    def die_after(*arguments: Any) -> None:
        interim_analyses.run_due(*arguments)
        raise Killed

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(book_module, "interim_analyses", SimpleNamespace(run_due=die_after))
        runtime.one_trial()
    assert skipped(queued) == {}, "the transaction was not committed"
    work(begin(settings, testbed))
    assert (queued.run()["state"], queued.run()["progress"]["done"]) == ("done", 44)
    assert queued.call(invariants.violations) == []


def test_without_the_database_at_the_analysis_nothing_is_lost(
    make_runtime: Callable[..., tuple[QueuedRun, WorkerRuntime]], monkeypatch: pytest.MonkeyPatch
) -> None:
    queued, runtime = make_runtime()
    for _ in range(31):
        runtime.one_trial()

    def away(*_: object) -> None:
        raise Unavailable("the database does not answer")

    with monkeypatch.context() as patched:
        patched.setattr(book_module, "interim_analyses", SimpleNamespace(run_due=away))
        assert runtime.one_trial() == "done"
    assert skipped(queued) == {}
    assert work(runtime) == 12
    assert queued.call(invariants.violations) == []


def test_a_cancelled_run_keeps_its_recorded_trials(
    make_runtime: Callable[..., tuple[QueuedRun, WorkerRuntime]], owner_settings: Settings
) -> None:
    queued, runtime = make_runtime()
    for _ in range(35):
        runtime.one_trial()
    with session_scope(owner_settings) as session:
        runs.cancel(session, queued.run_id)
    assert runtime.one_trial() == "idle"
    run = queued.run()
    assert (run["state"], run["progress"]["skipped"], run["progress"]["cancelled"]) == ("cancelled", 4, 9)
    assert queued.call(invariants.violations) == []


def test_on_the_fake_engine_a_run_that_proves_no_path_gets_no_further_rounds(
    make_runtime: Callable[..., tuple[QueuedRun, WorkerRuntime]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real measurements on the fake engine: its processes share one namespace, so no path can be proven."""
    queued, runtime = make_runtime(measured=True)
    queued.sql('UPDATE trial SET levels = levels || \'{"duration_s": 1, "warm_up_s": 0}\'')
    queued.sql('UPDATE trial SET levels = levels || \'{"path": "container_address"}\'')
    monkeypatch.setattr(runtime_module, "execute_trial", made_up)
    work(runtime, lambda: queued.sql("SELECT count(*) FROM trial WHERE state = 'done'")[0][0] == 30)
    queued.sql("UPDATE result SET evidence_verdict = 'not_proven'")
    monkeypatch.setattr(runtime_module, "execute_trial", carry_out_on)
    assert work(runtime) == 2
    run = queued.run()
    assert run["state"] in ("done", "incomplete") and run["progress"]["skipped"] == 16
    assert queued.call(invariants.violations) == []
