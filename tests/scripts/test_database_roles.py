"""The roles of the product's own PostgreSQL: passwords, ownership, and the upgrade of an earlier release."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, text

from backend.settings import Settings
from backend.store import grants
from backend.store.backup.backup import back_up
from backend.store.backup.programs import BackupFailed
from backend.store.backup.restore import restore
from scripts.starter import postgres as starter
from scripts.starter.database_roles import create_database, create_roles, hand_over
from tests.services import PostgresServer, migrate

PASSWORDS = {role: f"secret-of-{role}" for role in grants.ROLES}
DATABASE = starter.DATABASE


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL with the product's own rules of authentication."""
    if os.geteuid() != 0:
        pytest.skip("the starter runs as root")
    home = Path(tempfile.mkdtemp(prefix="plm-"))
    made = PostgresServer(home)
    for name, rules in (("pg_hba.conf", starter.HBA), ("pg_ident.conf", starter.IDENT)):
        (home / "data" / name).write_text(rules)
    made.start()
    yield made
    made.stop()
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="module")
def prepared(server: PostgresServer) -> PostgresServer:
    """The database of an earlier release with a table of its own, after two starts of this one."""
    with server.connect("postgres") as connection:
        connection.execute("CREATE ROLE plimsoll LOGIN")
        connection.execute(f"CREATE DATABASE {DATABASE} OWNER plimsoll")
    with server.connect(DATABASE) as connection:
        connection.execute("SET ROLE plimsoll")
        connection.execute("CREATE TABLE kept (a int)")
        connection.execute("INSERT INTO kept VALUES (7)")
    for _ in range(2):
        with server.connect("postgres") as connection:
            create_roles(connection, PASSWORDS)
            create_database(connection, DATABASE)
        with server.connect(DATABASE) as connection:
            hand_over(connection)
    migrate(url(server, grants.MIGRATE))
    return server


def url(server: PostgresServer, role: str) -> str:
    return f"postgresql+psycopg://{role}:{PASSWORDS[role]}@/{DATABASE}?host={server.home}"


def connect(
    server: PostgresServer, user: str, password: str | None, database: str = DATABASE
) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(host=str(server.home), user=user, password=password, dbname=database)


def test_a_password_opens_its_own_role_only(prepared: PostgresServer) -> None:
    for role in grants.ROLES:
        with connect(prepared, role, PASSWORDS[role]) as connection:
            assert connection.execute("SELECT current_user").fetchone() == (role,)
        for wrong in (None, "", "guess", PASSWORDS[next(r for r in grants.ROLES if r != role)]):
            with pytest.raises(psycopg.OperationalError):
                connect(prepared, role, wrong)


@pytest.mark.parametrize(("user", "database"), [("plimsoll", DATABASE), (grants.API, "postgres")])
def test_every_other_way_is_rejected(prepared: PostgresServer, user: str, database: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="rejects connection"):
        connect(prepared, user, PASSWORDS.get(user), database)


def test_only_root_and_the_server_itself_are_the_superuser(prepared: PostgresServer) -> None:
    with pytest.raises(psycopg.OperationalError, match="rejects connection"):
        connect(prepared, "root", None)
    with prepared.connect("postgres") as connection:
        users = connection.execute("SELECT rolname FROM pg_roles WHERE rolsuper").fetchall()
    assert users == [("postgres",)]


def test_passwords_are_stored_as_scram_verifiers(prepared: PostgresServer) -> None:
    with prepared.connect("postgres") as connection:
        query = "SELECT rolname, rolpassword FROM pg_authid WHERE rolname = ANY(%s)"
        rows = dict(connection.execute(query, (list(grants.ROLES),)).fetchall())
    assert set(rows) == set(grants.ROLES)
    assert all(stored.startswith("SCRAM-SHA-256$") for stored in rows.values())


def test_the_database_of_an_earlier_release_changes_hands_with_its_data(prepared: PostgresServer) -> None:
    engine = create_engine(url(prepared, grants.MIGRATE))
    with engine.connect() as connection:
        owners = connection.execute(
            text("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'")
        )
        assert list(owners.scalars()) == [grants.MIGRATE]
        assert connection.execute(text("SELECT a FROM kept")).scalar_one() == 7
        login = connection.execute(text("SELECT rolcanlogin FROM pg_roles WHERE rolname = 'plimsoll'"))
        assert login.scalar_one() is False
    engine.dispose()


@pytest.mark.parametrize("role", [grants.API, grants.WORKER, grants.READONLY])
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT lo_create(0)",
        "SELECT lo_creat(-1)",
        "SELECT lo_import('/etc/hostname')",
        "SELECT pg_logical_emit_message(false, 'x', 'x')",
        "CREATE TEMP TABLE mine (a int)",
    ],
)
def test_nobody_fills_the_disk_beside_the_tables(prepared: PostgresServer, role: str, statement: str) -> None:
    with (
        connect(prepared, role, PASSWORDS[role]) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement)


@pytest.mark.parametrize("role", [grants.WORKER, grants.READONLY])
@pytest.mark.parametrize("call", ["pg_advisory_lock(1)", "pg_try_advisory_xact_lock_shared(1, 2)"])
def test_only_who_uses_advisory_locks_may_hold_one(prepared: PostgresServer, role: str, call: str) -> None:
    with (
        connect(prepared, role, PASSWORDS[role]) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(f"SELECT {call}")
    for user in (grants.API, grants.MIGRATE):
        with connect(prepared, user, PASSWORDS[user]) as connection:
            connection.execute(f"SELECT {call}")


def test_the_owner_of_the_schema_backs_up_and_restores(prepared: PostgresServer, tmp_path: Path) -> None:
    settings = Settings(database_url=url(prepared, grants.MIGRATE))
    manifest = back_up(settings, tmp_path / "b.tar")
    assert manifest.rows["kept"] == 1
    with (
        connect(prepared, grants.API, PASSWORDS[grants.API]),
        pytest.raises(BackupFailed, match="stop API and worker"),
    ):
        restore(settings, tmp_path / "b.tar", replace=True)
    restore(settings, tmp_path / "b.tar", replace=True)
    with connect(prepared, grants.API, PASSWORDS[grants.API]) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE TABLE mine (a int)")
