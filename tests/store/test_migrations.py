"""The migrations lead to the models and back."""

from __future__ import annotations

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect

from backend.settings import Settings
from backend.store.models import Base
from tests.services import alembic_config


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
