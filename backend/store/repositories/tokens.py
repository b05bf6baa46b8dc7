"""API tokens as their owners and administrators see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.orm import Session

from backend.core.errors import Conflict
from backend.store.models import Account, ApiToken

MAX_OF_ACCOUNT: Final = 100
"""Tokens of an account in a team that work."""


@dataclass(frozen=True)
class ListedToken:
    """A token that works, without its secret."""

    id: str
    name: str
    prefix: str
    account_id: str
    account_name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True)
class KnownToken:
    """What a token is called, and until when it works."""

    id: str
    name: str
    prefix: str
    expires_at: datetime | None


def listed(session: Session, team_id: str, account_id: str | None) -> list[ListedToken]:
    """The tokens of a team that work, newest first; only those of an account, if given."""
    query = (
        select(ApiToken, Account.name)
        .join(Account, Account.id == ApiToken.account_id)
        .where(ApiToken.team_id == team_id, *_works())
        .order_by(ApiToken.created_at.desc())
    )
    if account_id is not None:
        query = query.where(ApiToken.account_id == account_id)
    return [
        ListedToken(
            id=token.id,
            name=token.name,
            prefix=token.prefix,
            account_id=token.account_id,
            account_name=name,
            scopes=tuple(token.scopes),
            created_at=token.created_at,
            expires_at=token.expires_at,
            last_used_at=token.last_used_at,
        )
        for token, name in session.execute(query)
    ]


def require_room(session: Session, team_id: str, account_id: str) -> None:
    """Raise Conflict if an account has MAX_OF_ACCOUNT tokens in a team; others that it makes wait."""
    session.execute(select(Account.id).where(Account.id == account_id).with_for_update())
    query = select(func.count()).where(
        ApiToken.team_id == team_id, ApiToken.account_id == account_id, *_works()
    )
    if (session.scalar(query) or 0) >= MAX_OF_ACCOUNT:
        raise Conflict(f"you have {MAX_OF_ACCOUNT} tokens in this team: revoke one that is no longer needed")


def _works() -> tuple[ColumnElement[bool], ...]:
    return (
        ApiToken.revoked_at.is_(None),
        or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.clock_timestamp()),
    )


def find(session: Session, token_id: str) -> KnownToken | None:
    """A token by its id."""
    query = select(ApiToken.id, ApiToken.name, ApiToken.prefix, ApiToken.expires_at)
    row = session.execute(query.where(ApiToken.id == token_id)).one_or_none()
    return None if row is None else KnownToken(*row)


def revoke(session: Session, token_id: str, team_id: str, account_id: str | None) -> bool:
    """Revoke a token of a team, of this account if given; returns whether there is such a token."""
    query = (
        update(ApiToken)
        .where(ApiToken.id == token_id, ApiToken.team_id == team_id)
        .values(revoked_at=func.coalesce(ApiToken.revoked_at, func.clock_timestamp()))
        .returning(ApiToken.id)
    )
    if account_id is not None:
        query = query.where(ApiToken.account_id == account_id)
    return session.execute(query).scalar_one_or_none() is not None
