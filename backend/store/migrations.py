"""The revision of the schema: of this program, and of a database."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

ROOT = Path(__file__).parents[2]


def config() -> Config:
    """Alembic as the project configures it."""
    return Config(str(ROOT / "alembic.ini"))


@cache
def head() -> str:
    """The revision that this program needs."""
    found = ScriptDirectory.from_config(config()).get_current_head()
    assert found is not None
    return found


@cache
def is_known(revision: str) -> bool:
    """Whether this program has the migration of that name, so that it can upgrade from there."""
    return any(
        script.revision == revision for script in ScriptDirectory.from_config(config()).walk_revisions()
    )


def applied(session: Session) -> str | None:
    """The revision of a database; None if it has none, or this role may not read it."""
    query = "SELECT has_table_privilege(to_regclass('alembic_version'), 'SELECT')"  # null: no such table
    readable = session.execute(text(query)).scalar()
    if not readable:
        return None
    return session.execute(text("SELECT version_num FROM alembic_version")).scalar()


def difference(revision: str | None) -> str | None:
    """What separates a database of this revision from the program; None if nothing, or if it is not known."""
    if revision is None or revision == head():
        return None
    if is_known(revision):
        return f"the database has revision {revision}, older than {head()}: run the migration"
    return (
        f"the database has revision {revision}, which this version does not know: install the newer version"
    )


def upgrade(database_url: str, revision: str = "head") -> None:
    """Migrate a database to a newer revision. Raises the driver's error."""
    _migrate(command.upgrade, database_url, revision)


def downgrade(database_url: str, revision: str) -> None:
    """Migrate a database back to an older revision. Raises the driver's error."""
    _migrate(command.downgrade, database_url, revision)


def _migrate(direction: Callable[[Config, str], None], database_url: str, revision: str) -> None:
    engine = create_engine(database_url, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            alembic = config()
            alembic.attributes["connection"] = connection
            direction(alembic, revision)
            connection.commit()
    finally:
        engine.dispose()
