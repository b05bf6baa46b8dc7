"""Record, fail, requeue and cancel: how a trial ends, once."""

from __future__ import annotations

import threading
from dataclasses import asdict
from typing import Any

import pytest

from backend.core.errors import Conflict
from backend.store import invariants
from backend.store.repositories import events, runs, trial_rows, trials
from backend.store.repositories.trials import RELEASED, ClaimedTrial
from tests.records import trial_record
from tests.store.book import Book


def record(book: Book, trial: ClaimedTrial, sha: str = "a", failure: Any = None, **values: Any) -> str:
    return book.call(trials.record, trial.trial_id, trial.fence, trial_record(trial, **values), sha, failure)


def row(book: Book, trial: ClaimedTrial) -> Any:
    return book.call(trial_rows.get, trial.trial_id)


@pytest.fixture(autouse=True)
def check_invariants(book: Book) -> Any:
    """Every story here ends with nothing lost, nothing duplicated, history complete."""
    yield
    assert book.call(invariants.violations) == []


def test_a_record_ends_its_trial(book: Book) -> None:
    claimed = book.must_claim()
    assert record(book, claimed, tps=123.0) == "recorded"
    found = row(book, claimed)
    assert (found.state, found.metrics["tps"], found.evidence_verdict) == ("done", 123.0, "proven")
    assert book.call(trial_rows.record, claimed.trial_id) == trial_record(claimed, tps=123.0)
    assert [a.outcome for a in book.call(trial_rows.history, claimed.trial_id)] == ["recorded"]


def test_a_replay_is_already_recorded_and_another_file_superseded(book: Book) -> None:
    claimed = book.must_claim()
    assert [record(book, claimed, sha) for sha in ("a", "a", "b")] == ["recorded", "already", "superseded"]


def test_a_stale_fence_records_nothing(book: Book) -> None:
    first = book.must_claim("w1")
    book.expire_leases()
    second = book.must_claim("w2")
    assert record(book, first, "a") == "superseded"
    assert record(book, second, "b") == "recorded"
    assert record(book, first, "a") == "superseded"
    assert book.sql("SELECT fence, sha256 FROM result") == [(2, "b")]


def test_a_late_record_counts_while_nobody_took_the_trial(book: Book) -> None:
    claimed = book.must_claim()
    book.expire_leases()
    assert record(book, claimed) == "recorded"


def test_records_at_once_leave_one_row(book: Book) -> None:
    claimed = book.must_claim()
    answers: list[str] = []
    threads = [threading.Thread(target=lambda: answers.append(record(book, claimed))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(answers) == ["already"] * 4 + ["recorded"]


def test_a_record_with_a_failure_keeps_the_evidence(book: Book) -> None:
    claimed = book.must_claim()
    failure = ("path_contradicted", "no proxy seen")
    assert record(book, claimed, failure=failure, verdict="contradicted") == "recorded"
    found = row(book, claimed)
    assert (found.state, found.failure_code, found.evidence_verdict) == (
        "failed", "path_contradicted", "contradicted",
    )  # fmt: skip


def test_output_with_a_nul_byte_is_kept_readable(book: Book) -> None:
    claimed = book.must_claim()
    payload = trial_record(claimed)
    payload["commands"][0]["stdout"] = "a\x00b"
    assert book.call(trials.record, claimed.trial_id, 1, payload, "a", None) == "recorded"
    assert book.call(trial_rows.record, claimed.trial_id)["commands"][0]["stdout"] == "a�b"


def test_a_whole_run_is_done(book: Book) -> None:
    while (claimed := book.claim()) is not None:
        record(book, claimed)
    run = book.run()
    assert (run["state"], run["progress"]["done"], run["progress"]["eta_s"]) == ("done", 4, None)
    assert run["finished_at"] is not None
    assert not book.call(runs.end_if_complete, book.run_id), "calling it again changes nothing"


def test_a_failed_trial_makes_the_run_incomplete(book: Book) -> None:
    first = book.must_claim()
    assert book.call(trials.fail, first.trial_id, 1, "tool_failed", "exit code 1\x00") is True
    assert book.call(trials.fail, first.trial_id, 1, "tool_failed", "again") is False
    while (claimed := book.claim()) is not None:
        record(book, claimed)
    assert book.run()["state"] == "incomplete"
    assert row(book, first).failure_detail == "exit code 1�"


def test_a_requeued_trial_is_next_and_the_third_time_poison(book: Book) -> None:
    for fence in (1, 2, 3):
        claimed = book.must_claim()
        assert claimed.fence == fence
        assert book.call(trials.requeue, claimed.trial_id, fence, "engine_lost", "dockerd went away")
    found = row(book, claimed)
    assert (found.state, found.failure_code) == ("failed", "poison")
    assert "dockerd went away" in found.failure_detail
    assert [a.outcome for a in book.call(trial_rows.history, claimed.trial_id)] == ["engine_lost"] * 3


def test_a_released_trial_is_not_counted(book: Book) -> None:
    for fence in range(1, 6):
        claimed = book.must_claim()
        assert (claimed.fence, claimed.attempts) == (fence, 1)
        assert book.call(trials.requeue, claimed.trial_id, fence, RELEASED, "the worker stops")
    assert row(book, claimed).state == "queued"
    assert not book.call(trials.requeue, claimed.trial_id, 1, RELEASED, "stale")


def test_cancel_ends_what_is_queued_and_asks_the_worker(book: Book) -> None:
    claimed = book.must_claim()
    run = book.call(runs.cancel, book.run_id)
    assert (run.state, run.cancel_requested) == ("running", True)
    assert asdict(run.progress) | {"eta_s": 0} == {
        "total": 4, "done": 0, "failed": 0, "cancelled": 3, "skipped": 0, "running": 1, "eta_s": 0,
    }  # fmt: skip
    assert book.claim() is None
    assert book.call(trials.heartbeat, claimed.trial_id, 1) == "cancel"
    assert book.call(trials.cancel_running, claimed.trial_id, 1) is True
    assert book.run()["state"] == "cancelled"
    assert book.call(runs.cancel, book.run_id).state == "cancelled"


def test_cancel_of_a_run_that_did_not_begin_ends_it_at_once(book: Book) -> None:
    assert book.call(runs.cancel, book.run_id).state == "cancelled"
    assert book.call(trials.claimable, book.host_id) == 0


def test_a_record_wins_over_a_cancel_that_came_too_late(book: Book) -> None:
    claimed = book.must_claim()
    book.call(runs.cancel, book.run_id)
    assert record(book, claimed) == "recorded"
    assert book.call(trials.cancel_running, claimed.trial_id, 1) is False
    assert book.run()["state"] == "cancelled"
    assert row(book, claimed).state == "done"


def test_cancel_takes_an_abandoned_trial_along(book: Book) -> None:
    claimed = book.must_claim()
    book.expire_leases()
    assert book.call(runs.cancel, book.run_id).state == "cancelled"
    assert [a.outcome for a in book.call(trial_rows.history, claimed.trial_id)] == ["lost"]


def test_a_trial_abandoned_after_the_cancel_is_cancelled_by_the_next_claim(book: Book) -> None:
    claimed = book.must_claim()
    book.call(runs.cancel, book.run_id)
    book.expire_leases()
    assert book.claim() is None
    assert row(book, claimed).state == "cancelled"
    assert book.run()["state"] == "cancelled"


def test_a_requeue_after_the_cancel_cancels(book: Book) -> None:
    claimed = book.must_claim()
    book.call(runs.cancel, book.run_id)
    assert book.call(trials.requeue, claimed.trial_id, 1, "engine_lost", "x") is True
    assert book.run()["state"] == "cancelled"


def test_a_done_run_cannot_be_cancelled(book: Book) -> None:
    while (claimed := book.claim()) is not None:
        record(book, claimed)
    with pytest.raises(Conflict):
        book.call(runs.cancel, book.run_id)


def test_every_transition_has_its_events_in_order(book: Book) -> None:
    claimed = book.must_claim()
    record(book, claimed)
    book.call(runs.cancel, book.run_id)
    found = book.call(events.after, book.run_id, 0)
    assert [event.id for event in found] == sorted(event.id for event in found)
    assert [(event.kind, event.data["state"]) for event in found] == [
        ("run", "queued"), ("trial", "running"), ("run", "running"), ("trial", "done"), ("run", "running"),
        ("trial", "cancelled"), ("trial", "cancelled"), ("trial", "cancelled"), ("run", "cancelled"),
    ]  # fmt: skip
    assert found[3].data["metrics"]["tps"] == 10_000.0
    assert [event.terminal for event in found] == [False] * 8 + [True]


def test_cancels_and_records_at_once_give_one_end(book: Book) -> None:
    for _ in range(5):
        run_id = book.another_run()
        while (claimed := book.must_claim()).run_id != run_id:
            record(book, claimed)
        threads = [
            threading.Thread(target=book.call, args=(runs.cancel, run_id)),
            threading.Thread(target=record, args=(book, claimed)),
            threading.Thread(target=book.call, args=(trials.requeue, claimed.trial_id, 1, "x", "x")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert book.call(runs.view, run_id).state == "cancelled"
        assert row(book, claimed).state in ("done", "cancelled")
