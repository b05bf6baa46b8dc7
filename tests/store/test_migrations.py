"""The migrations lead to the models and back."""

from __future__ import annotations

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, text

from backend.core.definition.canonical import canonical
from backend.core.definition.submitted import validate_document
from backend.core.plan.model import Cell
from backend.core.sample.imported import Log, read_logs
from backend.core.sample.record import TrialRecord
from backend.settings import Settings
from backend.store.models import Base
from backend.store.repositories import hosts, imports, interim_analyses, runs, trials
from backend.store.session import session_scope
from tests.records import trial_record
from tests.services import ROOT, alembic_config
from tests.store.queued_run import DOCUMENT, QueuedRun

pytestmark = pytest.mark.new_database  # it migrates


def test_upgrade_downgrade_upgrade(settings: Settings) -> None:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        assert inspect(connection).get_table_names() == ["alembic_version"]
        command.upgrade(config, "head")
        assert set(Base.metadata.tables) < set(inspect(connection).get_table_names())
    engine.dispose()


def schema_of(connection: Connection) -> list[tuple[str, ...]]:
    """Columns, indexes, constraints and triggers of the schema, each in words."""
    query = text("""
        SELECT 'column', table_name || '.' || column_name,
               concat_ws(' ', data_type, is_nullable, column_default, identity_generation)
          FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid)
          FROM pg_constraint WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
        ORDER BY 1, 2, 3
    """)
    return [tuple(row) for row in connection.execute(query)]


def test_new_results_are_compressed_with_lz4_where_it_is_known(settings: Settings) -> None:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        known = connection.scalar(
            text("SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'")
        )
        method = connection.scalar(
            text(
                "SELECT attcompression::text FROM pg_attribute "
                "WHERE attrelid = 'result'::regclass AND attname = 'payload'"
            )
        )
    engine.dispose()
    assert method == ("l" if known else "")


@pytest.mark.full
def test_each_migration_is_undone_by_its_way_back(settings: Settings) -> None:
    config = alembic_config()
    revisions = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()][::-1]
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        before = schema_of(connection)
        for revision in revisions:
            command.upgrade(config, revision)
            after = schema_of(connection)
            command.downgrade(config, "-1")
            assert schema_of(connection) == before, f"the way back of {revision}"
            command.upgrade(config, revision)
            assert schema_of(connection) == after, f"the second way of {revision}"
            before = after
    engine.dispose()


def test_stored_documents_and_records_of_the_first_version_stay_readable(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    record = trial_record(claimed)
    queued.call(trials.record, claimed.trial_id, claimed.fence, record, "f", None)
    engine = create_engine(queued.settings.database_url)
    with engine.connect() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "aca65f14825b")
        (old,) = connection.execute(text("SELECT definition FROM experiment")).scalars()
        assert old["workload"] == {"tool": "pgbench", "service": "postgres", "script": "select_only"}
        assert "tool" not in old["factors"] and "exclude" not in old
        (points,) = connection.execute(text("SELECT payload -> 'per_second' FROM result")).scalars()
        assert points[0]["tps"] == record["per_second"][0]["rate"] and "rate" not in points[0]
        connection.commit()
        command.upgrade(config, "head")
        connection.commit()
    engine.dispose()
    ((definition, payload),) = queued.sql("SELECT definition, payload FROM experiment, result")
    assert canonical(validate_document(definition)) == canonical(validate_document(DOCUMENT))
    assert TrialRecord.model_validate(payload).per_second[0].rate == record["per_second"][0]["rate"]
    assert {levels["tool"] for (levels,) in queued.sql("SELECT levels FROM trial")} == {"pgbench"}


def test_spared_trials_and_imported_runs_have_a_way_back(queued: QueuedRun) -> None:
    claimed = queued.must_claim()
    with session_scope(queued.settings) as session:
        runs.lock(session, queued.run_id)
        assert interim_analyses.skip_trials(session, queued.run_id, {("c2", 2)}) == 1
        host_id = hosts.imported_host(session, "old-laptop")
        levels = {"path": "same_container", "tool": "pgbench", "clients": 5}
        cell = Cell("c1", "same container", levels, True, False, None, None)
        stdout = (ROOT / "tests" / "fixtures" / "pgbench" / "15-live.stdout").read_text()
        read = read_logs([cell], [Log({}, 1, stdout)])
        imports.add(session, queued.experiment_id, host_id, {"cells": []}, {}, read)
    engine = create_engine(queued.settings.database_url)
    with engine.connect() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "5d0c1f7a92be")
        states = connection.execute(text("SELECT state FROM trial ORDER BY seq")).scalars()
        assert list(states) == ["running", "queued", "queued", "cancelled"]
        assert list(connection.execute(text("SELECT name FROM host")).scalars()) == ["bench-1"]
        assert connection.execute(text("SELECT count(*) FROM result")).scalar_one() == 0
        connection.commit()
        command.upgrade(config, "head")
        connection.commit()
    engine.dispose()
    assert queued.call(trials.heartbeat, claimed.trial_id, claimed.fence) == "ok"


def test_words_of_verdicts_and_changes_without_a_ratio_have_a_way_back(queued: QueuedRun) -> None:
    words = ["host:bench-1", "verdict:equal", "verdict:no-answer", "verdict:worse"]
    queued.sql("UPDATE run_entry SET terms = :words", words=words)
    queued.sql(
        """
        INSERT INTO history_change (team_id, experiment_id, host_id, cell_id, label, metric, basis, direction,
                                    ratio, difference, p_adjusted, after_time, until_time, run_id)
        SELECT team_id, experiment_id, host_id, cell, cell, 'retransmits', 'values', 'worse', ratio,
               CAST(difference AS jsonb), 0.01, now(), now(), id
          FROM run, (VALUES ('c1', 1.5, NULL), ('c2', NULL, '{"value": 12, "unit": "segments"}'))
                    changes (cell, ratio, difference)
        """
    )
    engine = create_engine(queued.settings.database_url)
    with engine.connect() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "a94e5c17d3b2")
        earlier = connection.execute(text("SELECT terms FROM run_entry")).scalar_one()
        assert earlier == ["host:bench-1", "verdict:equivalent", "verdict:unclear", "verdict:worse"]
        assert list(connection.execute(text("SELECT cell_id, ratio FROM history_change"))) == [("c1", 1.5)]
        connection.commit()
        command.upgrade(config, "head")
        connection.commit()
    engine.dispose()
    assert queued.sql("SELECT terms FROM run_entry") == [(words,)]
    assert queued.sql("SELECT cell_id, ratio, difference FROM history_change") == [("c1", 1.5, None)]


def test_autogenerate_finds_nothing(settings: Settings) -> None:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_every_constraint_has_the_name_of_the_convention() -> None:
    for table in Base.metadata.tables.values():
        for constraint in table.constraints:
            assert constraint.name, constraint
            assert str(constraint.name)[:3] in ("pk_", "fk_", "uq_", "ck_")
