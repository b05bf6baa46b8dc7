"""Record, fail, requeue and cancel: how a trial ends, once."""

from __future__ import annotations

import threading
from dataclasses import asdict
from typing import Any

import pytest

from backend.core.errors import Conflict
from backend.core.plan.claimed import ClaimedTrial
from backend.store import invariants
from backend.store.repositories import events, runs, trial_rows, trials
from backend.store.repositories.trials import RELEASED
from tests.records import trial_record
from tests.store.queued_run import QueuedRun


def record(queued: QueuedRun, trial: ClaimedTrial, sha: str = "a", failure: Any = None, **values: Any) -> str:
    return queued.call(
        trials.record, trial.trial_id, trial.fence, trial_record(trial, **values), sha, failure
    )


def row(queued: QueuedRun, trial: ClaimedTrial) -> Any:
    return queued.call(trial_rows.get, trial.trial_id)


@pytest.fixture(autouse=True)
def check_invariants(queued: QueuedRun) -> Any:
    """Every story here ends with nothing lost, nothing duplicated, history complete."""
    yield
    assert queued.call(invariants.violations) == []


def test_a_record_ends_its_trial(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    assert record(queued, claimed, tps=123.0) == "recorded"
    found = row(queued, claimed)
    assert (found.state, found.metrics["tps"], found.evidence_verdict) == ("done", 123.0, "proven")
    assert queued.call(trial_rows.record, claimed.trial_id) == trial_record(claimed, tps=123.0)
    assert [a.outcome for a in queued.call(trial_rows.history, claimed.trial_id)] == ["recorded"]


def test_a_replay_is_already_recorded_and_another_file_superseded(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    assert [record(queued, claimed, sha) for sha in ("a", "a", "b")] == ["recorded", "already", "superseded"]


def test_a_stale_fence_records_nothing(queued: QueuedRun) -> None:
    first = queued.must_claim("w1")
    queued.expire_leases()
    second = queued.must_claim("w2")
    assert record(queued, first, "a") == "superseded"
    assert record(queued, second, "b") == "recorded"
    assert record(queued, first, "a") == "superseded"
    assert queued.sql("SELECT fence, sha256 FROM result") == [(2, "b")]


def test_a_late_record_counts_while_nobody_took_the_trial(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    queued.expire_leases()
    assert record(queued, claimed) == "recorded"


def test_records_at_once_leave_one_row(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    answers: list[str] = []
    threads = [threading.Thread(target=lambda: answers.append(record(queued, claimed))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == ["already"] * 4 + ["recorded"]


def test_a_record_with_a_failure_keeps_the_evidence(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    failure = ("path_contradicted", "no proxy seen")
    assert record(queued, claimed, failure=failure, verdict="contradicted") == "recorded"
    found = row(queued, claimed)
    assert (found.state, found.failure_code, found.evidence_verdict) == (
        "failed", "path_contradicted", "contradicted",
    )  # fmt: skip


def test_output_with_a_nul_byte_is_kept_readable(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    payload = trial_record(claimed)
    payload["commands"][0]["stdout"] = "a\x00b"
    assert queued.call(trials.record, claimed.trial_id, 1, payload, "a", None) == "recorded"
    assert queued.call(trial_rows.record, claimed.trial_id)["commands"][0]["stdout"] == "a�b"


def test_a_whole_run_is_done(queued: QueuedRun) -> None:
    while (claimed := queued.claim()) is not None:
        record(queued, claimed)
    run = queued.run()
    assert (run["state"], run["progress"]["done"], run["progress"]["eta_s"]) == ("done", 4, None)
    assert run["finished_at"] is not None
    assert not queued.call(runs.end_if_complete, queued.run_id), "calling it again changes nothing"


def test_a_failed_trial_makes_the_run_incomplete(queued: QueuedRun) -> None:
    first = queued.must_claim()
    assert queued.call(trials.fail, first.trial_id, 1, "tool_failed", "exit code 1\x00") is True
    assert queued.call(trials.fail, first.trial_id, 1, "tool_failed", "again") is False
    while (claimed := queued.claim()) is not None:
        record(queued, claimed)
    assert queued.run()["state"] == "incomplete"
    assert row(queued, first).failure_detail == "exit code 1�"


def test_a_requeued_trial_is_next_and_the_third_time_poison(queued: QueuedRun) -> None:
    for fence in (1, 2, 3):
        claimed = queued.must_claim()
        assert claimed.fence == fence
        assert queued.call(trials.requeue, claimed.trial_id, fence, "engine_lost", "dockerd went away")
    found = row(queued, claimed)
    assert (found.state, found.failure_code) == ("failed", "poison")
    assert "dockerd went away" in found.failure_detail
    assert [a.outcome for a in queued.call(trial_rows.history, claimed.trial_id)] == ["engine_lost"] * 3


def test_a_released_trial_is_not_counted(queued: QueuedRun) -> None:
    for fence in range(1, 6):
        claimed = queued.must_claim()
        assert (claimed.fence, claimed.attempts) == (fence, 1)
        assert queued.call(trials.requeue, claimed.trial_id, fence, RELEASED, "the worker stops")
    assert row(queued, claimed).state == "queued"
    assert not queued.call(trials.requeue, claimed.trial_id, 1, RELEASED, "stale")


def test_cancel_ends_what_is_queued_and_asks_the_worker(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    run = queued.call(runs.cancel, queued.run_id)
    assert (run.state, run.cancel_requested) == ("running", True)
    assert asdict(run.progress) | {"eta_s": 0} == {
        "total": 4, "done": 0, "failed": 0, "cancelled": 3, "skipped": 0, "running": 1, "eta_s": 0,
        "made_up": 0,
    }  # fmt: skip
    assert queued.claim() is None
    assert queued.call(trials.heartbeat, claimed.trial_id, 1) == "cancel"
    assert queued.call(trials.cancel_running, claimed.trial_id, 1) is True
    assert queued.run()["state"] == "cancelled"
    assert queued.call(runs.cancel, queued.run_id).state == "cancelled"


def test_cancel_of_a_run_that_did_not_begin_ends_it_at_once(queued: QueuedRun) -> None:
    assert queued.call(runs.cancel, queued.run_id).state == "cancelled"
    assert queued.call(trials.claimable, queued.host_id) == 0


def test_a_record_wins_over_a_cancel_that_came_too_late(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    queued.call(runs.cancel, queued.run_id)
    assert record(queued, claimed) == "recorded"
    assert queued.call(trials.cancel_running, claimed.trial_id, 1) is False
    assert queued.run()["state"] == "cancelled"
    assert row(queued, claimed).state == "done"


def test_cancel_takes_an_abandoned_trial_along(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    queued.expire_leases()
    assert queued.call(runs.cancel, queued.run_id).state == "cancelled"
    assert [a.outcome for a in queued.call(trial_rows.history, claimed.trial_id)] == ["lost"]


def test_a_trial_abandoned_after_the_cancel_is_cancelled_by_the_next_claim(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    queued.call(runs.cancel, queued.run_id)
    queued.expire_leases()
    assert queued.claim() is None
    assert row(queued, claimed).state == "cancelled"
    assert queued.run()["state"] == "cancelled"


def test_a_requeue_after_the_cancel_cancels(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    queued.call(runs.cancel, queued.run_id)
    assert queued.call(trials.requeue, claimed.trial_id, 1, "engine_lost", "x") is True
    assert queued.run()["state"] == "cancelled"


def test_a_done_run_cannot_be_cancelled(queued: QueuedRun) -> None:
    while (claimed := queued.claim()) is not None:
        record(queued, claimed)
    with pytest.raises(Conflict):
        queued.call(runs.cancel, queued.run_id)


def test_every_transition_has_its_events_in_order(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    record(queued, claimed)
    queued.call(runs.cancel, queued.run_id)
    found = queued.call(events.after, queued.run_id, 0)
    assert [event.id for event in found] == sorted(event.id for event in found)
    assert [(event.kind, event.data["state"]) for event in found] == [
        ("run", "queued"), ("trial", "running"), ("run", "running"), ("trial", "done"), ("run", "running"),
        ("trial", "cancelled"), ("trial", "cancelled"), ("trial", "cancelled"), ("run", "cancelled"),
    ]  # fmt: skip
    assert found[3].data["metrics"]["tps"] == 10_000.0
    assert [event.terminal for event in found] == [False] * 8 + [True]


def test_cancels_and_records_at_once_give_one_end(queued: QueuedRun) -> None:
    for _ in range(5):
        run_id = queued.another_run()
        while (claimed := queued.must_claim()).run_id != run_id:
            record(queued, claimed)
        threads = [
            threading.Thread(target=queued.call, args=(runs.cancel, run_id)),
            threading.Thread(target=record, args=(queued, claimed)),
            threading.Thread(target=queued.call, args=(trials.requeue, claimed.trial_id, 1, "x", "x")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert queued.call(runs.view, run_id).state == "cancelled"
        assert row(queued, claimed).state in ("done", "cancelled")
