"""API tokens as their owners and administrators see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from backend.store.models import Account, ApiToken

MAX_TOKENS = 500


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
    """The newest tokens of a team that work; only those of an account, if given."""
    query = (
        select(ApiToken, Account.name)
        .join(Account, Account.id == ApiToken.account_id)
        .where(
            ApiToken.team_id == team_id,
            ApiToken.revoked_at.is_(None),
            or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.clock_timestamp()),
        )
        .order_by(ApiToken.created_at.desc())
        .limit(MAX_TOKENS)
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
