"""Claim, heartbeat and lease: who holds a trial."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy.exc import DBAPIError

from backend.core.errors import NotFound
from backend.store import invariants
from backend.store.repositories import hosts, runs, trial_rows, trials
from backend.store.session import session_scope
from tests.store.queued_run import QueuedRun


def test_claims_follow_the_plan_and_the_older_run_first(queued: QueuedRun) -> None:
    queued.another_run()
    order = [queued.must_claim() for _ in range(8)]
    assert [(c.cell_id, c.round) for c in order[:4]] == [("c1", 1), ("c2", 1), ("c1", 2), ("c2", 2)]
    assert [c.run_id == queued.run_id for c in order] == [True] * 4 + [False] * 4
    assert queued.claim() is None


def test_a_claim_has_what_to_run(queued: QueuedRun) -> None:
    claimed = queued.must_claim("host/1")
    assert claimed.levels == {
        "path": "same_container", "userland_proxy": True, "tool": "pgbench", "service": "postgres",
    }  # fmt: skip
    assert claimed.experiment["factors"]["clients"] == [5]
    assert (claimed.fence, claimed.attempts) == (1, 1)
    run = queued.run()
    assert run["state"] == "running"
    assert run["current"] == {
        "trial_id": claimed.trial_id, "cell_id": "c1", "label": "same container", "round": 1,
    }  # fmt: skip


def test_another_host_gets_nothing(queued: QueuedRun) -> None:
    other = queued.call(hosts.announce, "bench-2", {}, {})
    assert queued.call(trials.claim, other, "w") is None
    assert queued.call(trials.claimable, other) == 0
    assert queued.call(trials.claimable, queued.host_id) == 4


def test_of_two_sessions_one_wins_the_last_trial(queued: QueuedRun) -> None:
    for _ in range(3):
        queued.must_claim()
    with session_scope(queued.settings) as first:
        mine = trials.claim(first, queued.host_id, "w1")
        theirs: list[object] = []
        rival = threading.Thread(target=lambda: theirs.append(queued.claim("w2")))
        rival.start()
        rival.join(0.3)
        assert rival.is_alive(), "the rival waits for the run's lock"
    rival.join(60)
    assert mine is not None
    assert theirs == [None]


def test_many_claims_at_once_never_share_a_trial(queued: QueuedRun) -> None:
    queued.another_run()
    won: list[str] = []

    def take_all(worker: str) -> None:
        while (claimed := queued.claim(worker)) is not None:
            won.append(claimed.trial_id)

    threads = [threading.Thread(target=take_all, args=(f"w{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(won) == len(set(won)) == 8
    assert queued.call(invariants.violations) == []


def test_the_lease_is_set_by_the_claim_and_moved_by_the_heartbeat(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    lease = "SELECT extract(epoch FROM lease_until - clock_timestamp())::float8 FROM trial WHERE id = :id"
    assert 55 < queued.sql(lease, id=claimed.trial_id)[0][0] <= 60
    queued.sql("UPDATE trial SET lease_until = clock_timestamp() + interval '5 s' WHERE state = 'running'")
    assert queued.call(trials.heartbeat, claimed.trial_id, 1) == "ok"
    assert 55 < queued.sql(lease, id=claimed.trial_id)[0][0] <= 60


def test_a_new_worker_that_is_alone_on_its_host_need_not_wait_for_the_lease(queued: QueuedRun) -> None:
    first = queued.must_claim("w1")
    assert queued.call(trials.end_leases, queued.host_id) == 1
    second = queued.must_claim("w2")
    assert (second.trial_id, second.fence) == (first.trial_id, 2)


def test_an_early_second_claim_gets_the_next_trial(queued: QueuedRun) -> None:
    assert queued.must_claim().trial_id != queued.must_claim("w2").trial_id


def test_a_lost_trial_is_taken_over_with_a_higher_fence(queued: QueuedRun) -> None:
    first = queued.must_claim("w1")
    queued.expire_leases()
    assert queued.call(trials.claimable, queued.host_id) == 4
    second = queued.must_claim("w2")
    assert (second.trial_id, second.fence, second.attempts) == (first.trial_id, 2, 2)
    assert queued.call(trials.heartbeat, first.trial_id, 1) == "stale"
    assert queued.call(trials.heartbeat, second.trial_id, 2) == "ok"
    history = queued.call(trial_rows.history, first.trial_id)
    assert [(a.fence, a.worker, a.outcome) for a in history] == [(1, "w1", "lost"), (2, "w2", None)]
    assert queued.call(invariants.violations) == []


def test_a_late_heartbeat_keeps_a_trial_that_nobody_took(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    queued.expire_leases()
    assert queued.call(trials.heartbeat, claimed.trial_id, 1) == "ok"
    assert queued.must_claim("w2").trial_id != claimed.trial_id


def test_the_third_lost_attempt_is_poison_and_the_run_goes_on(queued: QueuedRun) -> None:
    poisoned = queued.must_claim().trial_id
    for fence in (2, 3):
        queued.expire_leases()
        assert queued.must_claim().fence == fence
    queued.expire_leases()
    assert queued.must_claim().trial_id != poisoned
    row = queued.call(trial_rows.get, poisoned)
    assert (row.state, row.failure_code, row.attempts) == ("failed", "poison", 3)
    assert [a.outcome for a in queued.call(trial_rows.history, poisoned)] == ["lost"] * 3
    assert queued.call(invariants.violations) == []


def test_poison_of_the_last_trial_ends_the_run(queued: QueuedRun) -> None:
    for _ in range(4):
        claimed = queued.must_claim()
        queued.call(trials.fail, claimed.trial_id, 1, "tool_failed", "x") if claimed.cell_id == "c1" else None
    for _ in range(3):
        queued.expire_leases()
        while queued.claim() is not None:
            pass
    queued.expire_leases()
    assert queued.claim() is None
    assert queued.run()["state"] == "incomplete"
    assert queued.call(invariants.violations) == []


def test_the_attempt_log_is_append_only(queued: QueuedRun) -> None:
    queued.must_claim()
    for statement in ("UPDATE attempt SET worker = 'x'", "DELETE FROM attempt", "TRUNCATE attempt"):
        with pytest.raises(DBAPIError, match="append-only"):
            queued.sql(statement)


def test_an_unknown_trial_is_not_found(queued: QueuedRun) -> None:
    with pytest.raises(NotFound):
        queued.call(trials.fail, "trl_0000000000000000", 1, "x", "x")
    with pytest.raises(NotFound):
        queued.call(runs.view, "run_' OR 1=1 --")


def test_trials_that_are_to_be_claimed_last_are_taken_where_there_is_no_other(queued: QueuedRun) -> None:
    def claim(*last: str) -> str:
        claimed = queued.call(trials.claim, queued.host_id, "w", last)
        assert queued.call(trials.requeue, claimed.trial_id, claimed.fence, "engine_lost", "gone", False)
        return str(claimed.trial_id)

    first = claim()
    assert claim() == first, "the order of the plan"
    second = claim(first)
    assert second != first
    third, fourth = claim(first, second), None
    fourth = claim(first, second, third)
    assert len({first, second, third, fourth}) == 4
    assert claim(first, second, third, fourth) == first


def test_an_attempt_that_does_not_count_is_in_the_log_and_poisons_no_trial(queued: QueuedRun) -> None:
    for _ in range(trials.MAX_ATTEMPTS + 2):
        claimed = queued.must_claim()
        assert queued.call(trials.requeue, claimed.trial_id, claimed.fence, "server_lost", "ended", False)
    history = queued.sql("SELECT outcome FROM attempt WHERE entry = 'ended'")
    assert history == [("server_lost",)] * (trials.MAX_ATTEMPTS + 2)
    assert queued.must_claim().attempts == 1
    assert queued.call(invariants.violations) == []
