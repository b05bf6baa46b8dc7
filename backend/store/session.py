"""The only place that opens a session and the only one that commits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from backend.core.errors import Unavailable
from backend.settings import Settings

CONNECT_TIMEOUT_S = 3
STATEMENT_TIMEOUT_MS = 30_000
POOL_TIMEOUT_S = 10


@contextmanager
def session_scope(settings: Settings) -> Iterator[Session]:
    """One short transaction: committed at the end, rolled back on any error.

    Raises Unavailable when PostgreSQL does not answer; the outcome of a commit that was under way
    is then unknown, and every writing function of the repositories may simply be called again.
    """
    try:
        with Session(_engine(settings.database_url, os.getpid()), expire_on_commit=False) as session:
            yield session
            session.commit()
    except (OperationalError, InterfaceError, PoolTimeout) as error:
        raise Unavailable("the database does not answer") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise Unavailable("the database closed the connection") from error
        raise


@lru_cache(maxsize=8)
def _engine(url: str, pid: int) -> Engine:
    """One pool a process: a connection must not be shared over a fork, hence `pid` in the key."""
    return create_engine(
        url,
        pool_size=5,
        max_overflow=15,
        pool_timeout=POOL_TIMEOUT_S,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": CONNECT_TIMEOUT_S,
            "application_name": "plimsoll",
            "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c timezone=UTC",
        },
    )


def dispose(settings: Settings) -> None:
    """Close this process's idle connections, for an orderly end and for tests."""
    _engine(settings.database_url, os.getpid()).dispose()
