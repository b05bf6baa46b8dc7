"""The signed-in browsers of an account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from backend.store.models import BrowserSession

MAX_SESSIONS = 200
"""Open sessions of an account: as many as its list shows."""


@dataclass(frozen=True)
class ListedSession:
    """A signed-in browser. `method` is how the account proved who it is."""

    id: str
    method: str
    address: str
    client: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime


def _open(account_id: str) -> tuple[ColumnElement[bool], ...]:
    return (
        BrowserSession.account_id == account_id,
        BrowserSession.ended_at.is_(None),
        BrowserSession.expires_at > func.clock_timestamp(),
    )


def listed(session: Session, account_id: str) -> list[ListedSession]:
    """The open sessions of an account, last used first."""
    query = (
        select(
            BrowserSession.id,
            BrowserSession.method,
            BrowserSession.address,
            BrowserSession.client,
            BrowserSession.created_at,
            BrowserSession.last_used_at,
            BrowserSession.expires_at,
        )
        .where(*_open(account_id))
        .order_by(BrowserSession.last_used_at.desc())
        .limit(MAX_SESSIONS)
    )
    return [ListedSession(*row) for row in session.execute(query)]


def end_all(session: Session, account_id: str, but: str | None = None) -> None:
    """End the sessions of an account, but this one."""
    query = update(BrowserSession).where(*_open(account_id)).values(ended_at=func.clock_timestamp())
    session.execute(query if but is None else query.where(BrowserSession.id != but))


def end_beyond_most(session: Session, account_id: str) -> None:
    """End the sessions of an account beyond MAX_SESSIONS, those that were used longest ago."""
    kept = select(BrowserSession.id).where(*_open(account_id)).order_by(BrowserSession.last_used_at.desc())
    session.execute(
        update(BrowserSession)
        .where(*_open(account_id), BrowserSession.id.not_in(kept.limit(MAX_SESSIONS)))
        .values(ended_at=func.clock_timestamp())
    )


def proved_second_factor(session: Session, session_id: str) -> None:
    """Store that a code of the second factor was accepted in a session."""
    session.execute(
        update(BrowserSession)
        .where(BrowserSession.id == session_id)
        .values(second_factor_at=func.clock_timestamp())
    )


def end_by_digest(session: Session, token_sha256: str) -> None:
    """End the session of a cookie, if there is one."""
    session.execute(
        update(BrowserSession)
        .where(BrowserSession.token_sha256 == token_sha256, BrowserSession.ended_at.is_(None))
        .values(ended_at=func.clock_timestamp())
    )


def is_recent(session: Session, session_id: str, methods: tuple[str, ...], within: timedelta) -> bool:
    """Whether a session was opened by one of these methods, within this time."""
    query = select(BrowserSession.id).where(
        BrowserSession.id == session_id,
        BrowserSession.method.in_(methods),
        BrowserSession.created_at > func.clock_timestamp() - within,
    )
    return session.scalar(query) is not None
