"""A server restored from a backup that is older than a worker's spool: nothing lost, nothing twice."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.errors import NotFound
from backend.core.plan.claimed import ClaimedTrial
from backend.store import invariants
from backend.store.repositories import trials
from backend.store.repositories.restored_claims import MAX_AHEAD
from tests.records import trial_record
from tests.store.queued_run import QueuedRun

pytestmark = pytest.mark.new_database  # a restore wants nobody connected

TABLES = ("run", "trial", "attempt", "event", "result", "host")


@pytest.fixture(autouse=True)
def sound(queued: QueuedRun) -> Any:
    """After each test, no trial is lost or doubled, and the log of attempts is complete."""
    yield
    assert queued.call(invariants.violations) == []


def back_up(queued: QueuedRun) -> None:
    """Keep the rows as they are now; `restore` brings them back."""
    for table in TABLES:
        queued.sql(f"CREATE TABLE kept_{table} AS SELECT * FROM {table}")


def restore(queued: QueuedRun) -> None:
    queued.sql("SET session_replication_role = replica; " + "".join(f"DELETE FROM {one};" for one in TABLES))
    for table in TABLES:
        override = "OVERRIDING SYSTEM VALUE" if table == "event" else ""
        queued.sql(
            "SET session_replication_role = replica;"
            f"INSERT INTO {table} {override} SELECT * FROM kept_{table}; DROP TABLE kept_{table}"
        )


def record(queued: QueuedRun, claimed: ClaimedTrial, sha: str) -> str:
    return str(queued.call(trials.record, claimed.trial_id, claimed.fence, trial_record(claimed), sha, None))


def state_of(queued: QueuedRun, trial_id: str) -> tuple[Any, ...]:
    (row,) = queued.sql("SELECT state, fence FROM trial WHERE id = :id", id=trial_id)
    return tuple(row)


def results(queued: QueuedRun) -> list[tuple[Any, ...]]:
    return queued.sql("SELECT trial_id, fence, sha256 FROM result")


def test_a_trial_that_is_queued_again_takes_the_record(queued: QueuedRun) -> None:
    back_up(queued)
    claimed = queued.must_claim()
    restore(queued)
    assert state_of(queued, claimed.trial_id) == ("queued", 0)
    assert record(queued, claimed, "a") == "recorded"
    assert record(queued, claimed, "a") == "already"
    assert results(queued) == [(claimed.trial_id, 1, "a")]
    assert queued.run()["state"] == "running"
    assert queued.must_claim().trial_id != claimed.trial_id


def test_the_last_trial_ends_its_run(queued: QueuedRun) -> None:
    for _ in range(3):
        record(queued, queued.must_claim(), "x")
    back_up(queued)
    claimed = queued.must_claim()
    restore(queued)
    assert record(queued, claimed, "a") == "recorded"
    assert queued.run()["state"] == "done"


def test_a_record_of_a_later_attempt_ends_the_one_of_the_backup(queued: QueuedRun) -> None:
    old = queued.must_claim()
    back_up(queued)
    for _ in range(2):
        queued.expire_leases()
        new = queued.must_claim()
    restore(queued)
    assert (old.fence, new.fence, state_of(queued, old.trial_id)) == (1, 3, ("running", 1))
    assert record(queued, new, "new") == "recorded"
    assert record(queued, old, "old") == "superseded"
    assert results(queued) == [(old.trial_id, 3, "new")]
    log = queued.sql("SELECT fence, entry, outcome FROM attempt ORDER BY fence, entry")
    assert log == [
        (1, "claimed", None),
        (1, "ended", "lost"),
        (2, "claimed", None),
        (2, "ended", "lost"),
        (3, "claimed", None),
        (3, "ended", "recorded"),
    ]


def test_a_record_of_the_attempt_of_the_backup_counts_as_ever(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    back_up(queued)
    record(queued, claimed, "a")
    restore(queued)
    assert state_of(queued, claimed.trial_id) == ("running", 1)
    assert record(queued, claimed, "a") == "recorded"


def test_a_trial_claimed_again_since_the_restore_gets_one_result(queued: QueuedRun) -> None:
    """Both attempts have fence 1: the first record counts, and its attempt's other one is superseded."""
    back_up(queued)
    before = queued.must_claim()
    restore(queued)
    after = queued.must_claim()
    assert (before.trial_id, before.fence) == (after.trial_id, after.fence)
    assert record(queued, before, "before") == "recorded"
    assert queued.call(trials.heartbeat, after.trial_id, after.fence) == "stale"
    assert record(queued, after, "after") == "superseded"
    assert results(queued) == [(before.trial_id, 1, "before")]


def test_a_trial_that_has_ended_keeps_its_end(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    queued.call(trials.fail, claimed.trial_id, 1, "tool_failed", "exit code 1")
    ahead = ClaimedTrial(**{**vars(claimed), "fence": 2})
    assert record(queued, ahead, "a") == "superseded"
    assert state_of(queued, claimed.trial_id) == ("failed", 1)


def test_a_fence_that_this_server_never_gave_is_superseded(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    ahead = ClaimedTrial(**{**vars(claimed), "fence": 2 + MAX_AHEAD})
    assert record(queued, ahead, "a") == "superseded"
    assert queued.call(trials.heartbeat, claimed.trial_id, 1) == "ok"


def test_a_round_behind_a_due_interim_analysis_is_measured_again(queued: QueuedRun) -> None:
    back_up(queued)
    for _ in range(2):
        record(queued, queued.must_claim(), "x")
    claimed = queued.must_claim()
    assert claimed.round == 2
    restore(queued)
    queued.sql("UPDATE run SET next_look = 1")
    assert record(queued, claimed, "a") == "superseded"
    assert state_of(queued, claimed.trial_id) == ("queued", 0)
    queued.sql("UPDATE run SET next_look = NULL")


def test_a_trial_of_a_run_that_the_backup_does_not_have(queued: QueuedRun) -> None:
    back_up(queued)
    later = queued.another_run()
    queued.sql("UPDATE trial SET state = 'cancelled', finished_at = now() WHERE run_id <> :id", id=later)
    claimed = queued.must_claim()
    assert claimed.run_id == later
    restore(queued)
    with pytest.raises(NotFound):
        record(queued, claimed, "a")
