"""Invitations: one-time links that make an account a member of a team."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, exists, func, insert, select, update
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, Gone
from backend.store.ids import new_id
from backend.store.models import Account, OneTimeLink
from backend.store.repositories import teams

MAX_OPEN: Final = 200
"""Open invitations of a team."""
_GONE = "this invitation was used before, was revoked, has expired, or never existed"


@dataclass(frozen=True)
class Invitation:
    """An invitation that can still be accepted."""

    id: str
    team_id: str
    role: str
    email: str | None
    created_by: str | None
    created_at: datetime
    expires_at: datetime


def _is_open() -> tuple[ColumnElement[bool], ...]:
    return (
        OneTimeLink.kind == "invitation",
        OneTimeLink.used_at.is_(None),
        OneTimeLink.revoked_at.is_(None),
        OneTimeLink.expires_at > func.clock_timestamp(),
    )


def add(
    session: Session,
    team_id: str,
    created_by: str,
    role: str,
    email: str | None,
    token_sha256: str,
    lifetime: timedelta,
) -> str:
    """Store a new invitation; returns its id. Raises NotFound, and Conflict beyond MAX_OPEN of the team."""
    teams.lock(session, team_id)
    if (
        session.scalar(select(func.count()).where(OneTimeLink.team_id == team_id, *_is_open())) or 0
    ) >= MAX_OPEN:
        raise Conflict(f"{MAX_OPEN} invitations into this team are open: revoke one that is no longer needed")
    invitation_id = new_id("lnk")
    session.execute(
        insert(OneTimeLink).values(
            id=invitation_id,
            kind="invitation",
            token_sha256=token_sha256,
            team_id=team_id,
            role=role,
            email=email,
            created_by=created_by,
            expires_at=func.clock_timestamp() + lifetime,
        )
    )
    return invitation_id


def listed(session: Session, team_id: str) -> list[Invitation]:
    """The open invitations of a team, newest first; `created_by` is a name."""
    query = (
        select(OneTimeLink, Account.name)
        .outerjoin(Account, Account.id == OneTimeLink.created_by)
        .where(OneTimeLink.team_id == team_id, *_is_open())
        .order_by(OneTimeLink.created_at.desc())
    )
    return [_invitation(link, name) for link, name in session.execute(query)]


def revoke(session: Session, team_id: str, invitation_id: str) -> bool:
    """Revoke an invitation of a team; returns whether there is such an open one."""
    revoked = session.execute(
        update(OneTimeLink)
        .where(OneTimeLink.id == invitation_id, OneTimeLink.team_id == team_id, *_is_open())
        .values(revoked_at=func.clock_timestamp())
        .returning(OneTimeLink.id)
    )
    return revoked.scalar_one_or_none() is not None


def use(session: Session, token_sha256: str) -> Invitation:
    """Use up an invitation.

    Raises Gone for an unknown, used, revoked or expired one: the four look the same from outside.
    """
    link = session.execute(
        update(OneTimeLink)
        .where(OneTimeLink.token_sha256 == token_sha256, *_is_open())
        .values(used_at=func.clock_timestamp())
        .returning(OneTimeLink)
    ).scalar_one_or_none()
    if link is None:
        raise Gone(_GONE)
    return _invitation(link, None)


def find(session: Session, token_sha256: str) -> Invitation:
    """An open invitation, not used up. Raises Gone."""
    query = select(OneTimeLink).where(OneTimeLink.token_sha256 == token_sha256, *_is_open())
    link = session.scalar(query)
    if link is None:
        raise Gone(_GONE)
    return _invitation(link, None)


def has_email(session: Session, email: str) -> bool:
    """Whether an account has this email address, in any case."""
    return bool(session.scalar(select(exists().where(func.lower(Account.email) == func.lower(email)))))


def _invitation(link: OneTimeLink, created_by: str | None) -> Invitation:
    assert link.team_id is not None and link.role is not None
    return Invitation(
        link.id, link.team_id, link.role, link.email, created_by, link.created_at, link.expires_at
    )
