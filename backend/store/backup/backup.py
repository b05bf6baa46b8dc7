"""Makes a backup while Plimsoll runs: one snapshot of the database."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from backend.settings import Settings
from backend.store import compaction
from backend.store.backup import archive, programs
from backend.store.backup.archive import Manifest
from backend.store.backup.programs import BackupFailed
from backend.store.backup.work_folder import work_folder


def back_up(settings: Settings, path: Path) -> Manifest:
    """Write a backup of the database to a new file, with mode 0600. Raises BackupFailed.

    The dump and the counts of its manifest come from one snapshot, whatever API and worker do meanwhile.
    """
    if path.exists():
        raise BackupFailed(f"{path} exists; a backup never overwrites a file")
    if not path.parent.is_dir():
        raise BackupFailed(f"there is no folder {path.parent}")
    engine = create_engine(settings.database_url, poolclass=NullPool, isolation_level="REPEATABLE READ")
    try:
        with work_folder(path.parent, ".plimsoll-backup-") as folder:
            dump = folder / archive.DUMP
            dump.touch(mode=0o600)
            with engine.connect() as connection:
                _refuse_beside_compaction(connection)
                rows, revision = count_rows(connection), _revision(connection)
                snapshot = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
                _dump(settings.database_url, snapshot, dump)
            manifest = Manifest(
                program=version("plimsoll"),
                revision=revision,
                created_at=datetime.now(UTC),
                public_url=settings.base_url,
                rows=rows,
                dump_bytes=dump.stat().st_size,
                dump_sha256=archive.sha256_of(dump),
            )
            archive.write(path, manifest, dump)
    except SQLAlchemyError as error:
        raise BackupFailed(f"the database could not be read: {error.__cause__ or error}") from error
    return manifest


def _refuse_beside_compaction(connection: Connection) -> None:
    """Keep compactions away until the end of the transaction. Raises BackupFailed while one is under way."""
    query = f"SELECT pg_try_advisory_xact_lock_shared({compaction.ALONE})"
    if not connection.execute(text(query)).scalar_one():
        raise BackupFailed("a compaction is under way: make the backup afterwards")


def count_rows(connection: Connection) -> dict[str, int]:
    """The number of rows of every table of the schema."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    names = list(connection.execute(text(query)).scalars())
    return {name: connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one() for name in names}


def _revision(connection: Connection) -> str:
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if found is None:
        raise BackupFailed("the database was never migrated, so there is nothing to back up")
    return str(found)


def _dump(database_url: str, snapshot: str, target: Path) -> None:
    options = ("--format=custom", "--compress=6", "--no-owner", "--no-privileges", f"--snapshot={snapshot}")
    programs.run("pg_dump", *options, f"--file={target}", database_url=database_url)
