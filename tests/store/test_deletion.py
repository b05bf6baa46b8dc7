"""A deleted run takes everything with it, and nothing that runs at the same time is left half."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from backend.core.errors import Conflict, Contended, NotFound
from backend.store import invariants
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import (
    audit,
    deletion,
    experiments,
    idempotency,
    retention,
    runs,
    trials,
    usage,
)
from backend.store.repositories.audit import Audited
from backend.store.session import dispose, session_scope
from tests.records import trial_record
from tests.store.queued_run import QueuedRun

TABLES = ("run", "trial", "result", "attempt", "event", "share", "idempotency_key")

TO_10000_TRIALS = (
    """INSERT INTO trial (id, run_id, host_id, cell_id, round, position, seq, levels, state, fence,
                          finished_at)
       SELECT 'trl_' || left(md5(n::text), 16), run_id, host_id, cell_id, n, position, n, levels, state, 1,
              finished_at
         FROM trial, generate_series(5, 10000) n WHERE seq = 1""",
    """INSERT INTO attempt (trial_id, fence, entry, worker, outcome)
       SELECT id, 1, entry, 'w1', CASE entry WHEN 'ended' THEN 'recorded' END
         FROM trial, (VALUES ('claimed'), ('ended')) e (entry) WHERE seq > 4""",
    """INSERT INTO result (run_id, cell_id, round, trial_id, fence, sha256, metrics, payload)
       SELECT t.run_id, t.cell_id, t.round, t.id, 1, t.id, e.metrics, e.payload
         FROM trial t, result e WHERE t.seq > 4 AND e.trial_id = (SELECT id FROM trial WHERE seq = 1)""",
    """INSERT INTO event (run_id, kind, data)
       SELECT run_id, 'trial', '{}' FROM trial WHERE seq > 4""",
    """UPDATE run SET plan = jsonb_set(plan, '{estimate,trials}', '10000')""",
)
ENTRY: dict[str, Any] = {
    "account_id": None, "actor": "x", "token_prefix": None, "action": "startRun", "object": "", "status": 202,
    "code": None, "address": "", "request_id": "",
}  # fmt: skip


def rows(queued: QueuedRun) -> dict[str, int]:
    return {name: queued.sql(f"SELECT count(*) FROM {name}")[0][0] for name in TABLES}


def finish(queued: QueuedRun) -> None:
    while (claimed := queued.claim()) is not None:
        record = trial_record(claimed)
        queued.call(trials.record, claimed.trial_id, claimed.fence, record, claimed.trial_id, None)


def outcome(work: Callable[[], Any]) -> str:
    try:
        work()
    except (NotFound, Conflict) as error:
        return type(error).__name__
    return "done"


def test_everything_of_a_run_is_deleted_and_nothing_else(queued: QueuedRun) -> None:
    queued.call(idempotency.reserve, DEFAULT_TEAM, "key", "f")
    queued.call(idempotency.keep, DEFAULT_TEAM, "key", queued.run_id, "{}")
    finish(queued)
    before = rows(queued)
    other = queued.another_run()
    queued.call(runs.cancel, other)
    queued.sql(
        "INSERT INTO share (id, run_id, token_sha256, expires_at) VALUES ('shr_1', :run, 'x', now())",
        run=queued.run_id,
    )
    both = rows(queued)
    queued.call(deletion.delete_run, queued.run_id)
    left = {name: both[name] - before[name] for name in TABLES}
    assert rows(queued) == left | {"share": 0, "idempotency_key": 0}
    assert queued.call(invariants.violations) == []
    with pytest.raises(NotFound):
        queued.call(deletion.delete_run, queued.run_id)
    assert queued.call(runs.view, other).state == "cancelled"


@pytest.mark.parametrize("claimed", [False, True])
def test_a_run_that_has_not_ended_is_kept(queued: QueuedRun, claimed: bool) -> None:
    if claimed:
        queued.must_claim()
    before = rows(queued)
    with pytest.raises(Conflict, match="cancel it"):
        queued.call(deletion.delete_run, queued.run_id)
    with pytest.raises(Conflict, match="1 runs of the experiment have not ended"):
        queued.call(deletion.runs_of_experiment, queued.experiment_id)
    assert rows(queued) == before


def test_the_attempt_log_is_deleted_with_its_trial_only(queued: QueuedRun) -> None:
    finish(queued)
    for statement in ("DELETE FROM attempt", "UPDATE attempt SET worker = 'x'", "TRUNCATE attempt"):
        with pytest.raises(DBAPIError, match="append-only"):
            queued.sql(statement)
    queued.call(deletion.delete_run, queued.run_id)
    assert rows(queued)["attempt"] == 0


def test_two_deletions_at_once(queued: QueuedRun) -> None:
    finish(queued)
    barrier = threading.Barrier(4)

    def delete() -> str:
        barrier.wait(60)
        return outcome(lambda: queued.call(deletion.delete_run, queued.run_id))

    with ThreadPoolExecutor(4) as pool:
        found = Counter(future.result() for future in [pool.submit(delete) for _ in range(4)])
    assert found == {"done": 1, "NotFound": 3}


@pytest.mark.parametrize("round_", range(5))
def test_cancel_record_and_two_deletions_race_for_one_run(queued: QueuedRun, round_: int) -> None:
    """Whatever comes first, the run ends in one state and is then whole or gone."""
    for _ in range(3):
        claimed = queued.must_claim()
        queued.call(trials.record, claimed.trial_id, claimed.fence, trial_record(claimed), "a", None)
    last = queued.must_claim()
    barrier = threading.Barrier(4)

    def after_the_others(work: Callable[[], Any]) -> str:
        barrier.wait(60)
        return outcome(work)

    record = trial_record(last)
    works = [
        lambda: queued.call(runs.cancel, queued.run_id),
        lambda: queued.call(trials.record, last.trial_id, last.fence, record, "b", None),
        lambda: queued.call(deletion.delete_run, queued.run_id),
        lambda: queued.call(deletion.delete_run, queued.run_id),
    ]
    with ThreadPoolExecutor(4) as pool:
        order = works[round_ % 4 :] + works[: round_ % 4]
        found = [future.result() for future in [pool.submit(after_the_others, work) for work in order]]
    assert len(found) == 4
    assert queued.call(invariants.violations) == []
    left = rows(queued)
    if left["run"]:
        assert left["trial"] == 4
        assert queued.run()["state"] in ("done", "cancelled")
    else:
        assert left == dict.fromkeys(TABLES, 0)


def test_a_worker_whose_run_was_deleted_goes_on(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    queued.call(runs.cancel, queued.run_id)
    queued.call(trials.cancel_running, claimed.trial_id, claimed.fence)
    queued.call(deletion.delete_run, queued.run_id)
    assert queued.call(trials.heartbeat, claimed.trial_id, claimed.fence) == "stale"
    with pytest.raises(NotFound):
        queued.call(trials.record, claimed.trial_id, claimed.fence, trial_record(claimed), "a", None)
    assert queued.claim() is None


@pytest.mark.parametrize("by", ["request", "retention"])
def test_others_do_not_wait_for_a_deletion_of_10000_trials(queued: QueuedRun, by: str) -> None:
    """Another connection claims, records and starts runs of the same team while it is under way."""
    finish(queued)
    for statement in TO_10000_TRIALS:
        queued.sql(statement)
    queued.sql("UPDATE team SET retention_days = 1")
    queued.sql("UPDATE run SET finished_at = finished_at - interval '2 days'")
    queued.sql(
        "ALTER DATABASE " + queued.sql("SELECT current_database()")[0][0] + " SET lock_timeout = '1ms'"
    )
    dispose(queued.settings)
    work = deletion.delete_run if by == "request" else retention.delete_due
    with session_scope(queued.settings) as deleting:
        work(deleting, queued.run_id)
        other = queued.another_run()
        queued.call(usage.lock, DEFAULT_TEAM)
        claimed = queued.must_claim()
        assert claimed.run_id == other
        assert queued.call(trials.heartbeat, claimed.trial_id, claimed.fence) == "ok"
        record = trial_record(claimed)
        assert queued.call(trials.record, claimed.trial_id, claimed.fence, record, "s", None) == "recorded"
        queued.call(audit.add, Audited(team_id=DEFAULT_TEAM, **ENTRY))
        assert queued.call(runs.view, queued.run_id).progress.total == 10_000, "until the deletion's commit"
    with pytest.raises(NotFound):
        queued.call(runs.view, queued.run_id)
    assert queued.call(invariants.violations) == []


def test_an_experiment_is_deleted_after_its_runs(queued: QueuedRun) -> None:
    queued.call(runs.cancel, queued.run_id)
    with pytest.raises(Conflict, match="started meanwhile"):
        queued.call(deletion.delete_experiment, queued.experiment_id)
    assert queued.call(deletion.runs_of_experiment, queued.experiment_id) == [queued.run_id]
    queued.call(deletion.delete_run, queued.run_id)
    queued.call(deletion.delete_experiment, queued.experiment_id)
    with pytest.raises(NotFound):
        queued.call(experiments.get, queued.experiment_id)
    with pytest.raises(Contended, match="deleted meanwhile"):
        queued.another_run()
