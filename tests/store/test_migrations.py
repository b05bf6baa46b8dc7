"""The migrations lead to the models and back."""

from __future__ import annotations

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from backend.core.definition.load import canonical, experiment_from
from backend.core.sample.record import TrialRecord
from backend.settings import Settings
from backend.store.models import Base
from backend.store.repositories import trials
from tests.records import trial_record
from tests.services import alembic_config
from tests.store.book import DOCUMENT, Book


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


def test_stored_documents_and_records_of_the_first_version_stay_readable(book: Book) -> None:
    claimed = book.must_claim()
    record = trial_record(claimed)
    book.call(trials.record, claimed.trial_id, claimed.fence, record, "f", None)
    engine = create_engine(book.settings.database_url)
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
    ((definition, payload),) = book.sql("SELECT definition, payload FROM experiment, result")
    assert canonical(experiment_from(definition)) == canonical(experiment_from(DOCUMENT))
    assert TrialRecord.model_validate(payload).per_second[0].rate == record["per_second"][0]["rate"]
    assert {levels["tool"] for (levels,) in book.sql("SELECT levels FROM trial")} == {"pgbench"}


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
