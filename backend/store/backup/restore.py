"""Restores a backup into a database that nothing uses, and migrates it.

The earlier tables stay under another schema's name until the restored ones are complete, so that a failure
leaves the database as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from backend.settings import Settings
from backend.store import invariants, migrations
from backend.store.backup import archive, programs, revocations
from backend.store.backup.archive import Manifest
from backend.store.backup.backup import count_rows
from backend.store.backup.programs import BackupFailed
from backend.store.backup.revocations import Access
from backend.store.backup.work_folder import work_folder
from backend.store.models import Base
from backend.store.repositories import audit
from backend.store.repositories.audit import Audited

EARLIER: Final = "plimsoll_before_restore"
"""The schema that has the earlier tables while a restore runs."""
SIGNED_IN: Final = ("browser_session", "one_time_link", "device_authorization")
"""Tables that are emptied: a backup must not bring back a session that was ended, or a link that was used."""

CLOSING_S: Final = 5.0
"""How long a process of PostgreSQL may take to end after its client, which has stopped."""


@dataclass(frozen=True)
class Restored:
    """What was restored: the manifest, the trials that were running, the hosts with queued trials.

    `violations` are those of `backend.store.invariants`, `access` is what opens the restored data.
    """

    manifest: Manifest
    interrupted: int
    waiting: dict[str, int]
    violations: list[str]
    access: Access


def restore(
    settings: Settings, path: Path, *, replace: bool = False, revoke_tokens: bool = False
) -> Restored:
    """Restore a backup and migrate it to this version. Raises BackupFailed.

    Refuses a damaged file, a backup of a newer version, a database that is in use, and one with data unless
    `replace`. Trials that were running are queued again; nobody is signed in afterwards. What the replaced
    data know as revoked stays so; with `revoke_tokens`, no token of a host or an account works afterwards.
    """
    engine = create_engine(settings.database_url, poolclass=NullPool)
    with work_folder(path.parent, ".plimsoll-restore-") as folder:
        dump = folder / archive.DUMP
        manifest = archive.read(path, dump)
        if not migrations.is_known(manifest.revision):
            raise BackupFailed(
                f"the backup was made by a newer version ({manifest.program}, revision {manifest.revision}): "
                f"install that version first"
            )
        try:
            with engine.connect() as connection:
                _refuse_if_used(connection, replace)
                with _in_place_of_earlier(connection):
                    programs.run(
                        "pg_restore", "--no-owner", "--no-privileges", "--single-transaction",
                        "--exit-on-error", "--dbname", engine.url.database or "", str(dump),
                        database_url=settings.database_url,
                    )  # fmt: skip
                    _compare(connection, manifest)
                    migrations.upgrade(settings.database_url)
                    kept_ended = revocations.keep_ended(connection, EARLIER)
                    if revoke_tokens:
                        revocations.revoke_tokens(connection)
                    interrupted = _settle(connection)
                waiting = _waiting(connection)
                access = revocations.access(connection, kept_ended)
            with Session(engine) as session:
                audit.add(session, _entry(manifest))
                session.commit()
                violations = invariants.violations(session)
        except SQLAlchemyError as error:
            raise BackupFailed(f"the database could not be written: {error.__cause__ or error}") from error
        finally:
            engine.dispose()
    return Restored(manifest, interrupted, waiting, violations, access)


def _others(connection: Connection) -> int:
    """How many other clients are connected; waits CLOSING_S for those that are closing their connection."""
    end = monotonic() + CLOSING_S
    while True:
        others = connection.execute(
            text(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND usesysid IS NOT NULL"  # null: PostgreSQL's own processes
            )
        ).scalar_one()
        if not others or monotonic() > end:
            return int(others)
        connection.rollback()  # pg_stat_activity is the same until the end of a transaction
        sleep(0.1)


def _refuse_if_used(connection: Connection, replace: bool) -> None:
    if others := _others(connection):
        raise BackupFailed(f"the database has {others} other connections: stop API and worker first")
    tables = set(Base.metadata.tables)
    stored = {name: n for name, n in count_rows(connection).items() if n and name in tables}
    if stored.keys() - {"team"} and not replace:  # a migration makes the default team
        found = ", ".join(f"{n} rows in {name}" for name, n in sorted(stored.items()))
        raise BackupFailed(f"the database has data ({found}); --replace replaces it")
    connection.rollback()


@contextmanager
def _in_place_of_earlier(connection: Connection) -> Iterator[None]:
    """Set the earlier tables aside; afterwards they are dropped, or put back after an error."""
    _execute(connection, f"DROP SCHEMA IF EXISTS {EARLIER} CASCADE")
    _execute(connection, f"ALTER SCHEMA public RENAME TO {EARLIER}", "CREATE SCHEMA public")
    try:
        yield
    except BaseException:
        connection.rollback()
        _execute(connection, "DROP SCHEMA public CASCADE", f"ALTER SCHEMA {EARLIER} RENAME TO public")
        raise
    _execute(connection, f"DROP SCHEMA {EARLIER} CASCADE")


def _execute(connection: Connection, *statements: str) -> None:
    for statement in statements:
        connection.execute(text(statement))
    connection.commit()


def _compare(connection: Connection, manifest: Manifest) -> None:
    """Raise BackupFailed if a table does not have the rows that the manifest counts."""
    found = count_rows(connection)
    connection.rollback()
    if wrong := [name for name, rows in manifest.rows.items() if found.get(name) != rows]:
        raise BackupFailed(f"the restored database is incomplete: table {wrong[0]}")


def _settle(connection: Connection) -> int:
    """Expire the leases of all running trials, so that they are claimed again; end sessions."""
    expired = "UPDATE trial SET lease_until = clock_timestamp() WHERE state = 'running'"
    interrupted = connection.execute(text(expired)).rowcount
    for table in SIGNED_IN:
        connection.execute(text(f'DELETE FROM "{table}"'))
    revocations.revoke_enrolments(connection)
    connection.commit()
    return interrupted


def _entry(manifest: Manifest) -> Audited:
    return Audited(
        team_id=None,
        account_id=None,
        actor="command on the server",
        token_prefix=None,
        action="restoreBackup",
        object=f"backup of {manifest.created_at:%Y-%m-%d %H:%M} UTC",
        status=0,
        code=None,
        address="",
        request_id="",
    )


def _waiting(connection: Connection) -> dict[str, int]:
    """The number of open trials by host."""
    rows = connection.execute(
        text(
            "SELECT h.name, count(*) AS open FROM trial t JOIN host h ON h.id = t.host_id "
            "WHERE t.state IN ('queued', 'running') GROUP BY h.name ORDER BY h.name"
        )
    )
    return {row.name: row.open for row in rows}
