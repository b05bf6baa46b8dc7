"""What a run stores is what its rows take on disk."""

from __future__ import annotations

from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import runs, trials, usage
from tests.records import trial_record
from tests.store.queued_run import QueuedRun

TABLES = ("run", "trial", "event", "result", "attempt")


def on_disk(queued: QueuedRun) -> int:
    ((found,),) = queued.sql("SELECT " + " + ".join(f"pg_total_relation_size('{name}')" for name in TABLES))
    return int(found)


def finish(queued: QueuedRun) -> None:
    while (claimed := queued.claim()) is not None:
        record = trial_record(claimed)
        queued.call(trials.record, claimed.trial_id, claimed.fence, record, claimed.trial_id, None)


def test_the_size_of_an_ended_run_is_kept(queued: QueuedRun) -> None:
    before = queued.call(usage.read, DEFAULT_TEAM).stored_bytes
    finish(queued)
    after = queued.call(usage.read, DEFAULT_TEAM).stored_bytes
    ((kept,),) = queued.sql("SELECT stored_bytes FROM run")
    ((experiment,),) = queued.sql("SELECT pg_column_size(definition) FROM experiment")
    assert after == kept + experiment + usage.ROW_BYTES > before


def test_the_computed_size_is_near_that_on_disk(queued: QueuedRun) -> None:
    with_one = on_disk(queued)
    for _ in range(60):
        queued.another_run()
    finish(queued)
    grown = on_disk(queued) - with_one
    computed = queued.call(usage.read, DEFAULT_TEAM).stored_bytes
    assert 0.5 < computed / grown < 1.5, (computed, grown)


def test_the_size_is_kept_whichever_way_a_run_ends(queued: QueuedRun) -> None:
    other = queued.another_run()
    queued.call(runs.cancel, other)
    ((kept,),) = queued.sql("SELECT stored_bytes FROM run WHERE id = :id", id=other)
    assert kept > 4 * usage.TRIAL_BYTES
