"""What PostgreSQL's errors become: each with its own code and remedy, from a real server."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from backend.api.app import create_app
from backend.core.errors import (
    Contended,
    DatabaseBusy,
    DatabaseFull,
    DatabaseReadOnly,
    Invalid,
    NotMigrated,
    PlimsollError,
    QueryTimedOut,
    Unavailable,
)
from backend.settings import Settings
from backend.store import session as store
from backend.store.repositories import health
from backend.store.session import session_scope, transaction
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE, problem_of
from tests.services import PostgresServer

RAISE = "DO $$ BEGIN RAISE EXCEPTION 'made by a test' USING ERRCODE = '{state}'; END $$"


def run(settings: Settings, statement: str) -> None:
    with session_scope(settings) as session:
        session.execute(text(statement))


@pytest.mark.parametrize(
    ("statement", "kind", "message"),
    [
        ("SET LOCAL statement_timeout = 20; SELECT pg_sleep(60)", QueryTimedOut, "took too long"),
        ("SET TRANSACTION READ ONLY; CREATE TABLE a (b int)", DatabaseReadOnly, "read-only"),
        ("SELECT 1 FROM no_such_table", NotMigrated, "alembic upgrade head"),
        ("SELECT no_such_column FROM run", NotMigrated, "alembic upgrade head"),
        (RAISE.format(state="53100"), DatabaseFull, "free space on its disk"),
        (RAISE.format(state="53300"), DatabaseBusy, "max_connections"),
        (RAISE.format(state="53200"), Unavailable, "out of memory"),
        (RAISE.format(state="40001"), Contended, "conflict"),
        (RAISE.format(state="57P01"), Unavailable, "does not answer"),
        ("SELECT pg_terminate_backend(pg_backend_pid())", Unavailable, "database"),
    ],
)
def test_each_fault_has_its_own_kind(
    settings: Settings, statement: str, kind: type[PlimsollError], message: str
) -> None:
    with pytest.raises(kind) as raised:
        run(settings, statement)
    assert type(raised.value) is kind and message in str(raised.value)
    assert raised.value.__cause__ is not None
    run(settings, "SELECT 1")


@pytest.fixture
def small_disk(server_home: Path, postgres: PostgresServer) -> Iterator[Path]:
    """A file system of 8 MiB that belongs to PostgreSQL."""
    place = server_home / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m,mode=0700", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system takes root with CAP_SYS_ADMIN")
    try:
        shutil.chown(place, "postgres", "postgres")
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_really_full(settings: Settings, postgres: PostgresServer, small_disk: Path) -> None:
    with postgres.connect("postgres") as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
    try:
        run(settings, "CREATE TABLE much (a text) TABLESPACE small")
        run(settings, "ALTER TABLE much ALTER a SET STORAGE EXTERNAL")
        with pytest.raises(DatabaseFull, match="free space"):
            run(settings, "INSERT INTO much SELECT repeat('x', 1000000) FROM generate_series(1, 20)")
        run(settings, "INSERT INTO much VALUES ('fits')")
    finally:
        run(settings, "DROP TABLE much")
        with postgres.connect("postgres") as connection:
            connection.execute("DROP TABLESPACE small")


def test_a_text_that_cannot_be_stored_is_refused(settings: Settings) -> None:
    with pytest.raises(Invalid, match="cannot be stored"), session_scope(settings) as session:
        session.execute(text("SELECT CAST(:value AS text)"), {"value": "a\x00b"})
    with pytest.raises(Invalid, match="cannot be stored"), session_scope(settings) as session:
        session.execute(text("SELECT CAST(:value AS jsonb) ->> 0"), {"value": '["\\u0000"]'})


def test_a_defect_stays_a_defect(settings: Settings) -> None:
    with pytest.raises(ProgrammingError):
        run(settings, "SELEC 1")


def test_no_parameter_is_in_the_text_of_an_error(settings: Settings) -> None:
    with pytest.raises(ProgrammingError) as raised, session_scope(settings) as session:
        session.execute(text("SELEC :secret"), {"secret": "do-not-log-me"})
    assert "do-not-log-me" not in str(raised.value)


@pytest.fixture
def rows(settings: Settings) -> Iterator[Settings]:
    """Two rows that two transactions lock in opposite order."""
    run(settings, "CREATE TABLE pair (id int PRIMARY KEY, n int); INSERT INTO pair VALUES (1, 0), (2, 0)")
    yield settings


def test_a_deadlock_is_repeated_until_it_is_gone(rows: Settings) -> None:
    """Two sessions lock two rows in opposite order: PostgreSQL ends one of them, and it is tried again."""
    both, tries = threading.Barrier(2, timeout=60), []

    def in_order(first: int, second: int) -> None:
        mine: list[int] = []

        def work(session: Session) -> None:
            mine.append(first)
            tries.append(first)
            session.execute(text("SET LOCAL deadlock_timeout = '50ms'"))
            session.execute(text("UPDATE pair SET n = n + 1 WHERE id = :id"), {"id": first})
            if len(mine) == 1:
                both.wait()
            session.execute(text("UPDATE pair SET n = n + 1 WHERE id = :id"), {"id": second})

        transaction(rows, work)

    other = threading.Thread(target=in_order, args=(2, 1))
    other.start()
    in_order(1, 2)
    other.join(60)
    assert len(tries) >= 3, "nothing was repeated"
    with session_scope(rows) as session:
        assert list(session.scalars(text("SELECT n FROM pair ORDER BY id"))) == [2, 2]


def test_lasting_contention_is_reported(settings: Settings) -> None:
    tries = []

    def work(session: Session) -> None:
        tries.append(1)
        session.execute(text(RAISE.format(state="40P01")))

    with pytest.raises(Contended):
        transaction(settings, work)
    assert len(tries) == 3


def test_too_many_connections(settings: Settings, postgres: PostgresServer) -> None:
    name = settings.database_url.split("/")[3].split("?")[0]
    run(settings, "SELECT 1")
    store.dispose(settings)
    with postgres.connect("postgres") as connection:
        connection.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT 0')
        connection.execute("CREATE ROLE plain LOGIN")
        try:
            plain = settings.model_copy(
                update={"database_url": settings.database_url.replace("postgres@", "plain@", 1)}
            )
            with pytest.raises(DatabaseBusy, match="no free connection"):
                run(plain, "SELECT 1")
        finally:
            connection.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT -1')
            connection.execute("DROP ROLE plain")


@pytest.mark.parametrize(
    ("state", "status", "code"),
    [
        ("57014", 503, "statement_timeout"),
        ("40P01", 503, "contention"),
        ("53100", 507, "storage_full"),
        ("53300", 503, "too_many_connections"),
        ("25006", 503, "read_only"),
        ("42P01", 503, "not_migrated"),
        ("08006", 503, "unavailable"),
    ],
)
def test_the_api_distinguishes_them(
    settings: Settings, state: str, status: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "backend.store.repositories.hosts.list_all",
        lambda session: session.execute(text(RAISE.format(state=state))),
    )
    headers = browser_headers(settings, add_account(settings))
    with TestClient(create_app(settings), base_url=BASE, headers=headers) as api:
        answer = api.get("/api/v1/hosts")
        problem_of(answer, status, code)
        assert int(answer.headers["retry-after"]) > 0


def test_readiness_of_a_database_without_tables(settings: Settings, postgres: PostgresServer) -> None:
    with postgres.connect("postgres") as connection:
        connection.execute("CREATE DATABASE bare")
    bare = settings.model_copy(update={"database_url": postgres.url("bare")})
    try:
        with TestClient(create_app(bare), base_url=BASE) as api:
            answer = api.get("/readyz")
            assert answer.status_code == 503
            assert "alembic upgrade head" in answer.json()["checks"]["database"]
    finally:
        store.dispose(bare)
        with postgres.connect("postgres") as connection:
            connection.execute("DROP DATABASE bare WITH (FORCE)")


def test_a_database_that_lacks_a_column_is_not_ready(settings: Settings) -> None:
    with session_scope(settings) as session:
        health.check_schema(session)
    run(settings, "ALTER TABLE run DROP COLUMN next_look CASCADE")
    with pytest.raises(NotMigrated), session_scope(settings) as session:
        health.check_schema(session)
