"""Opens every session and commits every transaction; no other module does."""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from pydantic_core import from_json
from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from backend.core.errors import Contended
from backend.settings import Settings
from backend.store.database_errors import translate
from backend.store.stale_connections import check_on_checkout

logger = logging.getLogger(__name__)

T = TypeVar("T")

CONNECT_TIMEOUT_S = 3
STATEMENT_TIMEOUT_MS = 30_000
POOL_TIMEOUT_S = 10
MAX_CONNECTIONS = 20
"""Of one process. They stay open after a burst."""
PAUSES_S = (0.01, 0.05)
"""Bounds of the random pause before a transaction is repeated: the other one gets the rows first."""


@contextmanager
def session_scope(settings: Settings) -> Iterator[Session]:
    """One short transaction: committed at the end, rolled back on any error.

    Raises Unavailable, or a subclass by `database_errors`, if PostgreSQL does not answer or refuses. Whether
    a pending commit took effect is unknown then; every writing function of the repositories may be called
    again. Raises Invalid for a text that cannot be stored.
    """
    try:
        with Session(_engine(settings.database_url, os.getpid()), expire_on_commit=False) as session:
            yield session
            session.commit()
    except SQLAlchemyError as error:
        known = translate(error)
        if known is None:
            raise
        raise known from error


def transaction(settings: Settings, work: Callable[[Session], T], tries: int = 3) -> T:
    """The result of `work` in its own transaction, repeated after a conflict with another one.

    `work` may be called several times. Raises what `session_scope` raises.
    """
    for left in reversed(range(tries)):
        try:
            with session_scope(settings) as session:
                return work(session)
        except Contended as error:
            if not left:
                raise
            logger.info("repeating a transaction after a conflict: %s", error.__cause__)
            time.sleep(secrets.SystemRandom().uniform(*PAUSES_S))
    raise AssertionError("tries is at least 1")


@lru_cache(maxsize=8)
def _engine(url: str, pid: int) -> Engine:
    """One pool per process: connections must not be shared across a fork, hence `pid` in the key."""
    engine = create_engine(
        url,
        pool_size=MAX_CONNECTIONS,
        max_overflow=0,  # one beyond the pool's size would be closed after each use
        pool_use_lifo=True,  # few connections do most of the work, with their prepared statements
        pool_timeout=POOL_TIMEOUT_S,
        hide_parameters=True,
        json_deserializer=from_json,  # Pydantic's parser takes half of the standard library's time
        connect_args={
            "connect_timeout": CONNECT_TIMEOUT_S,
            "application_name": "plimsoll",
            "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c timezone=UTC",
        },
    )
    check_on_checkout(engine)
    return engine


@dataclass(frozen=True)
class PoolUse:
    """The connections of this process: in use, and idle."""

    in_use: int
    idle: int


def pool_use(settings: Settings) -> PoolUse:
    """The present use of this process's pool."""
    pool = _engine(settings.database_url, os.getpid()).pool
    assert isinstance(pool, QueuePool)
    return PoolUse(pool.checkedout(), pool.checkedin())


def dispose(settings: Settings) -> None:
    """Close this process's idle connections."""
    _engine(settings.database_url, os.getpid()).dispose()
