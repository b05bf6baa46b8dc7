"""What a run stores is what its rows take on disk; what is added to it later counts too."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import (
    accounts,
    annotation_rows,
    exclusions,
    runs,
    shares,
    trials,
    usage,
    webhooks,
)
from tests.records import trial_record
from tests.store.queued_run import QueuedRun

pytestmark = pytest.mark.new_database  # it measures the files

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
    ((notes,),) = queued.sql("SELECT sum(pg_column_size(note) + pg_column_size(tags)) FROM experiment")
    assert after == kept + experiment + notes + usage.ROW_BYTES > before


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


def stored_bytes(queued: QueuedRun) -> int:
    used: int = queued.call(usage.read, DEFAULT_TEAM).stored_bytes
    return used


def add_link(queued: QueuedRun, snapshot: bytes | None) -> str:
    account = queued.call(accounts.add, "Ada", None, False)
    new = shares.NewShare(
        run_id=queued.run_id,
        token_sha256=os.urandom(8).hex(),
        kind="private",
        mode="live" if snapshot is None else "snapshot",
        title=None,
        created_by=account,
        expires_at=datetime(2100, 1, 1, tzinfo=UTC),
        snapshot=snapshot,
    )
    found: str = queued.call(shares.create, new)
    return found


def test_a_link_stores_its_result_until_it_is_revoked(queued: QueuedRun) -> None:
    before = stored_bytes(queued)
    share_id = add_link(queued, os.urandom(50_000))
    assert 50_000 < stored_bytes(queued) - before < 50_000 + 2 * usage.ROW_BYTES
    queued.call(shares.revoke, share_id)
    assert 0 < stored_bytes(queued) - before < 2 * usage.ROW_BYTES


def exclude(queued: QueuedRun) -> None:
    ((trial_id,),) = queued.sql("SELECT id FROM trial ORDER BY seq LIMIT 1")
    queued.call(exclusions.exclude, trial_id, os.urandom(100).hex(), "Ada")


def annotate(queued: QueuedRun) -> None:
    queued.call(annotation_rows.update_fields, "run", queued.run_id, os.urandom(100).hex(), None)


def send_message(queued: QueuedRun) -> None:
    hook = queued.call(webhooks.create, DEFAULT_TEAM, "https://example.org/", "", ["run.completed"], "x")
    queued.call(webhooks.add_message, hook.id, "webhook.test", None, os.urandom(100).hex())


@pytest.mark.parametrize("add", [exclude, annotate, send_message])
def test_what_is_added_to_an_ended_run_counts(queued: QueuedRun, add: Callable[[QueuedRun], Any]) -> None:
    finish(queued)
    before = stored_bytes(queued)
    add(queued)
    assert 200 <= stored_bytes(queued) - before < 200 + 3 * usage.ROW_BYTES
