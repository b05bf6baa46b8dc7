"""Idle connections that ended are replaced before a transaction begins; those that live are not checked."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import text

from backend.settings import Settings
from backend.store import session, stale_connections
from backend.store.session import session_scope


@pytest.fixture
def pings(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The connections that a new pool checked with a query."""
    session.dispose(settings)
    dialect = session._engine(settings.database_url, os.getpid()).dialect
    found: list[int] = []
    ping = dialect.do_ping

    def do_ping(connection: psycopg.Connection) -> bool:
        found.append(connection.fileno() if not connection.closed else -1)
        return bool(ping(connection))  # type: ignore[arg-type]

    monkeypatch.setattr(dialect, "do_ping", do_ping)
    yield found
    session.dispose(settings)


def backend(settings: Settings) -> int:
    with session_scope(settings) as opened:
        return int(opened.execute(text("SELECT pg_backend_pid()")).scalar_one())


def test_a_connection_that_lives_is_used_again_without_a_query(settings: Settings, pings: list[int]) -> None:
    assert backend(settings) == backend(settings) == backend(settings)
    assert not pings


def test_a_connection_that_was_idle_for_long_is_checked(
    settings: Settings, pings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = backend(settings)
    monkeypatch.setattr(stale_connections, "TRUSTED_S", 0.0)
    assert backend(settings) == first
    assert len(pings) == 1


def test_connections_that_postgresql_ended_are_replaced_without_an_error(
    settings: Settings, pings: list[int]
) -> None:
    with session_scope(settings), session_scope(settings) as other:
        other.execute(text("SELECT 1"))
    ended = backend(settings)
    url = settings.database_url.replace("postgresql+psycopg", "postgresql")
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", (ended,))
    assert backend(settings) != ended
    assert backend(settings) != ended
    assert len(pings) <= 1
