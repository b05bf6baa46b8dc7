"""The roles of the database: each may do what it needs, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import ProgrammingError

from backend.settings import Settings
from backend.store import grants
from backend.store.models import Base
from backend.store.session import dispose, session_scope
from tests.services import as_role
from tests.store.queued_run import QueuedRun

SECRETS = (
    "account",
    "browser_session",
    "api_token",
    "one_time_link",
    "device_authorization",
    "share",
    "idempotency_key",
    "enrolment",
    "host_token",
)


@pytest.fixture(params=[grants.API, grants.WORKER, grants.READONLY])
def limited(settings: Settings, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """The settings of a role that does not own the schema."""
    found = as_role(settings, request.param)
    yield found
    dispose(found)


def run(settings: Settings, statement: str) -> None:
    with session_scope(settings) as session:
        session.execute(text(statement))


def may(settings: Settings, role: str, table: str, privilege: str) -> bool:
    query = text("SELECT has_table_privilege(:role, :table, :privilege)")
    with session_scope(settings) as session:
        values = {"role": role, "table": table, "privilege": privilege}
        return bool(session.execute(query, values).scalar_one())


def test_every_table_has_a_row() -> None:
    missing = set(Base.metadata.tables) - set(grants.TABLES)
    assert not missing, f"add a row to TABLES in backend/store/grants.py for {sorted(missing)}"


def test_no_role_is_a_superuser_or_may_make_others(settings: Settings) -> None:
    with session_scope(settings) as session:
        rows = session.execute(
            text(
                "SELECT rolname FROM pg_roles WHERE rolname = ANY(:names) AND (rolsuper OR rolcreaterole"
                " OR rolcreatedb OR rolreplication OR rolbypassrls)"
            ),
            {"names": list(grants.ROLES)},
        )
        assert rows.all() == []


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (a int)",
        "ALTER TABLE run ADD more int",
        "DROP TABLE event",
        "TRUNCATE result",
        "CREATE FUNCTION more() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE attempt DISABLE TRIGGER append_only",
        "UPDATE attempt SET detail = ''",
        "DELETE FROM attempt",
        "UPDATE audit SET at = at",
        "DELETE FROM audit",
        "TRUNCATE audit",
        "UPDATE alembic_version SET version_num = ''",
        "COPY run TO PROGRAM 'cat'",
    ],
)
def test_nobody_but_the_owner_changes_the_schema_or_the_log_of_attempts(
    limited: Settings, statement: str
) -> None:
    with pytest.raises(ProgrammingError) as raised:
        run(limited, statement)
    assert isinstance(raised.value.orig, psycopg.errors.InsufficientPrivilege)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM share",
        "SELECT * FROM idempotency_key",
        "SELECT * FROM account",
        "SELECT * FROM browser_session",
        "SELECT * FROM api_token",
        "SELECT * FROM one_time_link",
        "SELECT * FROM audit",
        "UPDATE audit SET at = at",
        "DELETE FROM audit",
        "UPDATE run SET plan = '{}'",
        "UPDATE run SET cancel_requested = true",
        "UPDATE trial SET levels = '{}'",
        "UPDATE trial SET run_id = ''",
        "UPDATE host SET name = ''",
        "UPDATE host SET drained_at = NULL",
        "UPDATE host SET policy = '{}'",
        "SELECT * FROM enrolment",
        "SELECT * FROM host_token",
        "UPDATE experiment SET definition = '{}'",
        "UPDATE result SET payload = '{}'",
        "DELETE FROM run",
        "DELETE FROM trial",
        "DELETE FROM event",
        "INSERT INTO trial (id) VALUES ('x')",
    ],
)
def test_a_worker_neither_reads_secrets_nor_changes_what_was_submitted(
    settings: Settings, statement: str
) -> None:
    worker = as_role(settings, grants.WORKER)
    with pytest.raises(ProgrammingError) as raised:
        run(worker, statement)
    dispose(worker)
    assert isinstance(raised.value.orig, psycopg.errors.InsufficientPrivilege)


def test_accounts_and_the_audit_are_closed(settings: Settings) -> None:
    for table in SECRETS:
        for privilege in ("SELECT", "INSERT", "UPDATE", "DELETE"):
            assert not may(settings, grants.WORKER, table, privilege), table
            assert not may(settings, grants.READONLY, table, privilege), table
    assert may(settings, grants.API, "audit", "INSERT") and may(settings, grants.API, "audit", "SELECT")
    for privilege in ("UPDATE", "DELETE", "TRUNCATE"):
        assert not may(settings, grants.API, "audit", privilege)
    for privilege in ("SELECT", "INSERT", "UPDATE", "DELETE"):
        assert not may(settings, grants.WORKER, "audit", privilege)


def test_a_new_table_is_closed_to_all_but_its_owner(settings: Settings) -> None:
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE more (a int)"))
        connection.execute(text("GRANT ALL ON more TO PUBLIC"))
        grants.apply(connection)
        assert "more" in inspect(connection).get_table_names()
    engine.dispose()
    for role in (grants.API, grants.WORKER, grants.READONLY):
        assert not may(settings, role, "more", "SELECT")


def test_readers_read_runs_and_results(queued: QueuedRun) -> None:
    reader = as_role(queued.settings, grants.READONLY)
    run(reader, "SELECT t.levels, x.payload FROM trial t LEFT JOIN result x ON x.trial_id = t.id")
    run(reader, "SELECT r.plan, e.definition FROM run r JOIN experiment e ON e.id = r.experiment_id")
    with pytest.raises(ProgrammingError, match="permission denied for table client_session"):
        run(reader, "SELECT document FROM client_session")  # what a side says may be a swarm's secret
    dispose(reader)
