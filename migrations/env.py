"""Runs the migrations on the database of the settings, or on a connection that the caller provides."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, create_engine, pool

from backend.settings import Settings
from backend.store import grants
from backend.store.models import Base


def migrate(connection: Connection) -> None:
    """Run the migrations and give the roles their privileges, in one transaction."""
    context.configure(connection=connection, target_metadata=Base.metadata, compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()
        grants.apply(connection)


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    engine = create_engine(Settings().database_url, poolclass=pool.NullPool)
    with engine.connect() as opened:
        migrate(opened)
