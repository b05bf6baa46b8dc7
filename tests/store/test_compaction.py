"""Compaction returns the space of deleted runs; no row that comes or goes meanwhile is lost or doubled."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

from backend.core.errors import Contended
from backend.settings import Settings
from backend.store import compaction, grants, invariants
from backend.store.backup.backup import back_up
from backend.store.backup.programs import BackupFailed
from backend.store.repositories import deletion, trials
from backend.store.session import session_scope
from tests.api.command import Command
from tests.records import trial_record
from tests.services import PostgresServer, as_role
from tests.store.queued_run import QueuedRun, create_run

pytestmark = pytest.mark.new_database  # it measures the files

RUNS = 24
FEW = 8
"""Runs where only their rows matter, not how much space they take."""
TRIALS = 4
SCHEMA = (
    """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid <> 0""",
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    """SELECT relname, reloptions::text, relacl::text, relowner FROM pg_class
        WHERE relnamespace = 'public'::regnamespace""",
    """SELECT table_name, column_name, data_type, column_default, is_nullable, is_identity
         FROM information_schema.columns WHERE table_schema = 'public'""",
    "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
)


@pytest.fixture
def owner(owner_settings: Settings) -> Settings:
    """The settings of the role that owns the tables."""
    return as_role(owner_settings, grants.MIGRATE)


def finish(queued: QueuedRun) -> None:
    """Record all open trials, with raw output that does not compress."""
    while (claimed := queued.claim()) is not None:
        record = trial_record(claimed)
        record["commands"][0]["stdout"] = os.urandom(5000).hex()
        queued.call(trials.record, claimed.trial_id, claimed.fence, record, claimed.trial_id, None)


def ended_runs(queued: QueuedRun, number: int = RUNS) -> list[str]:
    found = [queued.run_id, *(queued.another_run() for _ in range(number - 1))]
    finish(queued)
    return found


def rows(queued: QueuedRun) -> dict[str, list[Any]]:
    return {
        table: sorted(queued.sql(f"SELECT md5({table}::text) FROM {table}"))
        for table in (*compaction.TABLES, *compaction.REINDEXED)
    }


def schema(queued: QueuedRun) -> list[list[Any]]:
    return [sorted(queued.sql(query), key=repr) for query in SCHEMA]


def sizes(queued: QueuedRun) -> tuple[int, int]:
    """The bytes of the results, and of the whole database on the disk."""
    ((results, database),) = queued.sql(
        "SELECT pg_total_relation_size('result'), pg_database_size(current_database())"
    )
    return results, database


def test_space_of_deleted_runs_goes_back_to_the_system(
    queued: QueuedRun, owner: Settings, postgres: PostgresServer
) -> None:
    found = ended_runs(queued)
    for run_id in found[:-2]:
        queued.call(deletion.delete_run, run_id)
    with postgres.connect(str(owner.database_url).rpartition("/")[2].partition("?")[0]) as connection:
        connection.execute("VACUUM")
        connection.execute("CREATE TABLE of_somebody_else (id int)")
    before, kept, as_before = sizes(queued), rows(queued), schema(queued)
    done = compaction.compact(owner, lambda _text: None)
    after = sizes(queued)
    assert rows(queued) == kept and schema(queued) == as_before
    assert after[0] < before[0] / 4 and before[1] - after[1] > RUNS * TRIALS * 5000 / 2
    (of_results,) = [one for one in done if one.table == "result"]
    assert (of_results.before, of_results.after) == (before[0], after[0])
    assert queued.call(invariants.violations) == []
    queued.another_run()
    finish(queued)
    ((last, number),) = queued.sql("SELECT max(id), count(DISTINCT id) FROM event")
    assert last > number, "events go on where they were"
    queued.call(deletion.delete_run, found[-1])
    assert queued.call(invariants.violations) == []


def test_rows_that_come_and_go_meanwhile(
    queued: QueuedRun, owner: Settings, owner_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each batch a worker records a trial of a new run, and somebody deletes an old one."""
    found = ended_runs(queued)
    worker, api = as_role(owner_settings, grants.WORKER), as_role(owner_settings, grants.API)
    monkeypatch.setattr(compaction, "BATCH", 6)

    def call(settings: Settings, work: Callable[..., Any], *arguments: Any) -> Any:
        with session_scope(settings) as session:
            return work(session, *arguments)

    called = 0

    def meanwhile() -> None:
        nonlocal called
        called += 1
        call(api, deletion.delete_run, found.pop(0))
        call(api, deletion.delete_run, found.pop())
        call(api, create_run, queued.experiment_id, queued.host_id)
        claimed = call(worker, trials.claim, queued.host_id, "w1")
        record = trial_record(claimed)
        arguments = (claimed.trial_id, claimed.fence, record, claimed.trial_id, None)
        assert call(worker, trials.record, *arguments) == "recorded"

    after_each(monkeypatch, meanwhile)
    before = {table: len(of_table) for table, of_table in rows(queued).items()}
    compaction.compact(owner, lambda _text: None)
    after = {table: len(of_table) for table, of_table in rows(queued).items()}
    assert after["result"] == before["result"] + called - 2 * called * TRIALS
    assert called > 3
    assert queued.call(invariants.violations) == []
    finish(queued)
    assert queued.call(invariants.violations) == []


def after_each(monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]) -> None:
    """Do something after each batch of the copy was committed."""
    batches = compaction._batches

    def watched(engine: Any) -> Any:
        for runs in batches(engine):
            yield runs
            if runs:
                work()

    monkeypatch.setattr(compaction, "_batches", watched)


def test_an_interrupted_copy_leaves_nothing(
    queued: QueuedRun, owner: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_runs(queued, FEW)
    kept, as_before = rows(queued), schema(queued)

    def interrupt() -> None:
        raise KeyboardInterrupt

    after_each(monkeypatch, interrupt)
    with pytest.raises(KeyboardInterrupt):
        compaction.compact(owner, lambda _text: None)
    assert rows(queued) == kept and schema(queued) == as_before


def test_beside_a_backup_it_gives_up_and_the_next_one_succeeds(
    queued: QueuedRun, owner: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup reads all tables in one transaction. Others wait behind the exchange's lock for 20 ms here."""
    ended_runs(queued, FEW)
    kept, as_before = rows(queued), schema(queued)

    def compact_beside(session: Session) -> None:
        session.connection().exec_driver_sql("SELECT count(*) FROM result")
        with monkeypatch.context() as patched, pytest.raises(Contended, match="no backup"):
            patched.setattr(compaction, "TRIES", 2)
            patched.setattr(compaction, "LOCK_TIMEOUT_MS", 20)
            compaction.compact(owner, lambda _text: None)

    queued.call(compact_beside)
    assert rows(queued) == kept
    run_id = queued.another_run()
    finish(queued)
    queued.call(deletion.delete_run, run_id)
    compaction.compact(owner, lambda _text: None)
    assert rows(queued) == kept and schema(queued) == as_before


def test_the_command_says_what_it_gave_back(
    queued: QueuedRun, owner: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for run_id in ended_runs(queued, FEW)[:-1]:
        queued.call(deletion.delete_run, run_id)
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", owner.database_url)
    plimsoll = Command(capsys, monkeypatch)
    plimsoll("compact")
    lines = plimsoll.err.splitlines()
    assert [line.partition(":")[0] for line in lines if "now" in line] == [
        *compaction.TABLES,
        *compaction.REINDEXED,
    ]
    given = int(lines[-1].removesuffix(" bytes were given back").replace(",", ""))
    assert given > (FEW - 1) * TRIALS * 5000
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", as_role(owner, grants.READONLY).database_url)
    plimsoll("compact", code=1)
    assert "permission denied for table result" in plimsoll.err


def test_a_compaction_is_alone(
    queued: QueuedRun, owner: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another one would remove its copy, and a backup would contain it."""
    refused = []

    def meanwhile() -> None:
        with pytest.raises(Contended, match="another compaction"):
            compaction.compact(owner, lambda _text: None)
        with pytest.raises(BackupFailed, match="a compaction is under way"):
            back_up(owner, tmp_path / "backup.tar")
        refused.append(True)

    after_each(monkeypatch, meanwhile)
    compaction.compact(owner, lambda _text: None)
    assert len(refused) == len(compaction.TABLES)
    back_up(owner, tmp_path / "backup.tar")


def test_the_trigger_of_a_copy_searches_temporary_schemas_last(
    queued: QueuedRun, owner: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: set[str] = set()
    copy = compaction._copy

    def observe(connection: Connection, table: str, runs: list[str]) -> None:
        query = text("SELECT proconfig[1] FROM pg_proc WHERE prosecdef AND proname = :name")
        found.update(connection.execute(query, {"name": f"{table}{compaction._SUFFIX}"}).scalars())
        copy(connection, table, runs)

    monkeypatch.setattr(compaction, "_copy", observe)
    ended_runs(queued, FEW)
    compaction.compact(owner)
    assert found == {"search_path=pg_catalog, public, pg_temp"}
