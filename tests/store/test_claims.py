"""Claim, heartbeat and lease: who holds a trial."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy.exc import DBAPIError

from backend.core.errors import NotFound
from backend.store import invariants
from backend.store.repositories import hosts, runs, trial_rows, trials
from backend.store.session import session_scope
from tests.store.book import Book


def test_claims_follow_the_plan_and_the_older_run_first(book: Book) -> None:
    book.another_run()
    order = [book.must_claim() for _ in range(8)]
    assert [(c.cell_id, c.round) for c in order[:4]] == [("c1", 1), ("c2", 1), ("c1", 2), ("c2", 2)]
    assert [c.run_id == book.run_id for c in order] == [True] * 4 + [False] * 4
    assert book.claim() is None


def test_a_claim_says_what_to_run(book: Book) -> None:
    claimed = book.must_claim("host/1")
    assert claimed.levels == {"path": "same_container", "userland_proxy": True}
    assert claimed.experiment["factors"]["clients"] == [5]
    assert (claimed.fence, claimed.attempts) == (1, 1)
    run = book.run()
    assert run["state"] == "running"
    assert run["current"] == {
        "trial_id": claimed.trial_id, "cell_id": "c1", "label": "same container", "round": 1,
    }  # fmt: skip


def test_another_host_gets_nothing(book: Book) -> None:
    other = book.call(hosts.announce, "bench-2", {}, {})
    assert book.call(trials.claim, other, "w") is None
    assert book.call(trials.claimable, other) == 0
    assert book.call(trials.claimable, book.host_id) == 4


def test_of_two_sessions_one_wins_the_last_trial(book: Book) -> None:
    for _ in range(3):
        book.must_claim()
    with session_scope(book.settings) as first:
        mine = trials.claim(first, book.host_id, "w1")
        theirs: list[object] = []
        rival = threading.Thread(target=lambda: theirs.append(book.claim("w2")))
        rival.start()
        rival.join(0.3)
        assert rival.is_alive(), "the rival waits for the run's lock"
    rival.join(10)
    assert mine is not None
    assert theirs == [None]


def test_many_claims_at_once_never_share_a_trial(book: Book) -> None:
    book.another_run()
    won: list[str] = []

    def take_all(worker: str) -> None:
        while (claimed := book.claim(worker)) is not None:
            won.append(claimed.trial_id)

    threads = [threading.Thread(target=take_all, args=(f"w{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(won) == len(set(won)) == 8
    assert book.call(invariants.violations) == []


def test_the_lease_is_set_by_the_claim_and_moved_by_the_heartbeat(book: Book) -> None:
    claimed = book.must_claim()
    lease = "SELECT extract(epoch FROM lease_until - clock_timestamp())::float8 FROM trial WHERE id = :id"
    assert 55 < book.sql(lease, id=claimed.trial_id)[0][0] <= 60
    book.sql("UPDATE trial SET lease_until = clock_timestamp() + interval '5 s' WHERE state = 'running'")
    assert book.call(trials.heartbeat, claimed.trial_id, 1) == "ok"
    assert 55 < book.sql(lease, id=claimed.trial_id)[0][0] <= 60


def test_a_new_worker_that_is_alone_on_its_host_need_not_wait_for_the_lease(book: Book) -> None:
    first = book.must_claim("w1")
    assert book.call(trials.end_leases, book.host_id) == 1
    second = book.must_claim("w2")
    assert (second.trial_id, second.fence) == (first.trial_id, 2)


def test_an_early_second_claim_gets_the_next_trial(book: Book) -> None:
    assert book.must_claim().trial_id != book.must_claim("w2").trial_id


def test_a_lost_trial_is_taken_over_with_a_higher_fence(book: Book) -> None:
    first = book.must_claim("w1")
    book.expire_leases()
    assert book.call(trials.claimable, book.host_id) == 4
    second = book.must_claim("w2")
    assert (second.trial_id, second.fence, second.attempts) == (first.trial_id, 2, 2)
    assert book.call(trials.heartbeat, first.trial_id, 1) == "stale"
    assert book.call(trials.heartbeat, second.trial_id, 2) == "ok"
    history = book.call(trial_rows.history, first.trial_id)
    assert [(a.fence, a.worker, a.outcome) for a in history] == [(1, "w1", "lost"), (2, "w2", None)]
    assert book.call(invariants.violations) == []


def test_a_late_heartbeat_keeps_a_trial_that_nobody_took(book: Book) -> None:
    claimed = book.must_claim()
    book.expire_leases()
    assert book.call(trials.heartbeat, claimed.trial_id, 1) == "ok"
    assert book.must_claim("w2").trial_id != claimed.trial_id


def test_the_third_lost_attempt_is_poison_and_the_run_goes_on(book: Book) -> None:
    poisoned = book.must_claim().trial_id
    for fence in (2, 3):
        book.expire_leases()
        assert book.must_claim().fence == fence
    book.expire_leases()
    assert book.must_claim().trial_id != poisoned
    row = book.call(trial_rows.get, poisoned)
    assert (row.state, row.failure_code, row.attempts) == ("failed", "poison", 3)
    assert [a.outcome for a in book.call(trial_rows.history, poisoned)] == ["lost"] * 3
    assert book.call(invariants.violations) == []


def test_poison_of_the_last_trial_ends_the_run(book: Book) -> None:
    for _ in range(4):
        claimed = book.must_claim()
        book.call(trials.fail, claimed.trial_id, 1, "tool_failed", "x") if claimed.cell_id == "c1" else None
    for _ in range(3):
        book.expire_leases()
        while book.claim() is not None:
            pass
    book.expire_leases()
    assert book.claim() is None
    assert book.run()["state"] == "incomplete"
    assert book.call(invariants.violations) == []


def test_the_attempt_log_is_append_only(book: Book) -> None:
    book.must_claim()
    for statement in ("UPDATE attempt SET worker = 'x'", "DELETE FROM attempt", "TRUNCATE attempt"):
        with pytest.raises(DBAPIError, match="append-only"):
            book.sql(statement)


def test_an_unknown_trial_is_not_found(book: Book) -> None:
    with pytest.raises(NotFound):
        book.call(trials.fail, "trl_0000000000000000", 1, "x", "x")
    with pytest.raises(NotFound):
        book.call(runs.view, "run_' OR 1=1 --")


def test_trials_that_are_to_be_claimed_last_are_taken_where_there_is_no_other(book: Book) -> None:
    def claim(*last: str) -> str:
        claimed = book.call(trials.claim, book.host_id, "w", last)
        assert book.call(trials.requeue, claimed.trial_id, claimed.fence, "engine_lost", "gone", False)
        return str(claimed.trial_id)

    first = claim()
    assert claim() == first, "the order of the plan"
    second = claim(first)
    assert second != first
    third, fourth = claim(first, second), None
    fourth = claim(first, second, third)
    assert len({first, second, third, fourth}) == 4
    assert claim(first, second, third, fourth) == first


def test_an_attempt_that_does_not_count_is_in_the_log_and_poisons_no_trial(book: Book) -> None:
    for _ in range(trials.MAX_ATTEMPTS + 2):
        claimed = book.must_claim()
        assert book.call(trials.requeue, claimed.trial_id, claimed.fence, "server_lost", "ended", False)
    history = book.sql("SELECT outcome FROM attempt WHERE entry = 'ended'")
    assert history == [("server_lost",)] * (trials.MAX_ATTEMPTS + 2)
    assert book.must_claim().attempts == 1
    assert book.call(invariants.violations) == []
