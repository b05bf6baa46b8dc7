"""Maps errors of PostgreSQL to errors of the core, by SQLSTATE (PostgreSQL's documentation, appendix A)."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

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

_FULL: Final = "the database has no space left: free space on its disk; no stored data is lost"
_BUSY: Final = "the database has no free connection: try again, or raise its max_connections"
_MIGRATE: Final = "the database schema is of another version: run alembic upgrade head (scripts/up does)"
_CONTENDED: Final = "conflict with another transaction; try again"

_BY_STATE: Final[dict[str, tuple[type[Unavailable], str]]] = {
    "57014": (QueryTimedOut, "the query took too long; try again, or request less"),
    "40P01": (Contended, _CONTENDED),
    "40001": (Contended, _CONTENDED),
    "55P03": (Contended, _CONTENDED),
    "23503": (Contended, "an object that the request refers to was deleted meanwhile; try again"),
    "53100": (DatabaseFull, _FULL),
    "53300": (DatabaseBusy, _BUSY),
    "25006": (DatabaseReadOnly, "the database is read-only: it is a standby or was set read-only"),
    "3D000": (NotMigrated, "the database does not exist: create it and run alembic upgrade head"),
    "42P01": (NotMigrated, _MIGRATE),
    "42703": (NotMigrated, _MIGRATE),
    "53200": (Unavailable, "the database is out of memory; try again later"),
    "57P03": (Unavailable, "the database is starting or stopping; try again later"),
}
_UNSTORABLE: Final = frozenset({"22021", "22P05"})
"""SQLSTATEs of characters that PostgreSQL stores in neither text nor JSON."""
_REFUSED_AT_CONNECTING: Final = (
    ("too many", DatabaseBusy, _BUSY),
    ("remaining connection slots", DatabaseBusy, _BUSY),
    ("does not exist", NotMigrated, "the database or role does not exist: check PLIMSOLL_DATABASE_URL"),
)
"""A refused connection has no SQLSTATE, only the server's message."""


def translate(error: Exception) -> PlimsollError | None:
    """The core's error for one of SQLAlchemy's; None if it is a defect of this program."""
    if isinstance(error, PoolTimeout):
        return DatabaseBusy("all connections to the database are in use; try again")
    if not isinstance(error, DBAPIError):
        return None
    state = getattr(error.orig, "sqlstate", None) or ""
    if state in _BY_STATE:
        kind, text = _BY_STATE[state]
        return kind(text)
    if state in _UNSTORABLE or (not state and "NUL" in str(error.orig)):
        return Invalid.at(
            "", "unstorable_text", "a text has a character that cannot be stored, such as U+0000"
        )
    if error.connection_invalidated:
        return Unavailable("the database closed the connection")
    if isinstance(error, OperationalError | InterfaceError):
        return _refused(str(error.orig)) or Unavailable("the database does not answer")
    return None


def _refused(message: str) -> Unavailable | None:
    return next((kind(text) for part, kind, text in _REFUSED_AT_CONNECTING if part in message), None)
