"""The members of a team."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, NotFound
from backend.store.models import Account, Membership, OneTimeLink, Team
from backend.store.repositories import second_factors


@dataclass(frozen=True)
class Member:
    """An account with its role in a team."""

    account_id: str
    name: str
    email: str | None
    role: str
    disabled: bool
    joined_at: datetime
    second_factor: bool


def listed(session: Session, team_id: str) -> list[Member]:
    """The members of a team, by name."""
    query = (
        select(
            Account.id,
            Account.name,
            Account.email,
            Membership.role,
            Account.disabled_at.is_not(None),
            Membership.created_at,
            second_factors.is_present(Account.id),
        )
        .join(Membership, Membership.account_id == Account.id)
        .where(Membership.team_id == team_id)
        .order_by(func.lower(Account.name), Account.id)
    )
    return [Member(*row) for row in session.execute(query)]


def set_role(session: Session, team_id: str, account_id: str, role: str) -> None:
    """Change a member's role. Raises NotFound, and Conflict for the team's last administrator."""
    _lock(session, team_id)
    if role != "admin":
        _require_other_admin(session, team_id, account_id)
        _revoke_invitations(session, team_id, account_id)
    changed = session.execute(
        update(Membership)
        .where(Membership.team_id == team_id, Membership.account_id == account_id)
        .values(role=role)
        .returning(Membership.account_id)
    )
    if changed.scalar_one_or_none() is None:
        raise NotFound("there is no such member")


def remove(session: Session, team_id: str, account_id: str) -> None:
    """End a membership. Raises NotFound, and Conflict for the team's last administrator."""
    _lock(session, team_id)
    _require_other_admin(session, team_id, account_id)
    _revoke_invitations(session, team_id, account_id)
    removed = session.execute(
        delete(Membership)
        .where(Membership.team_id == team_id, Membership.account_id == account_id)
        .returning(Membership.account_id)
    )
    if removed.scalar_one_or_none() is None:
        raise NotFound("there is no such member")


def _lock(session: Session, team_id: str) -> None:
    """Serialise changes of a team: two administrators could otherwise remove each other at the same time."""
    session.execute(select(Team.id).where(Team.id == team_id).with_for_update())


def _require_other_admin(session: Session, team_id: str, account_id: str) -> None:
    query = (
        select(Membership.account_id)
        .join(Account, Account.id == Membership.account_id)
        .where(Membership.team_id == team_id, Membership.role == "admin", Account.disabled_at.is_(None))
    )
    if set(session.scalars(query)) == {account_id}:
        raise Conflict("this is the team's last administrator: give the role to somebody else first")


def _revoke_invitations(session: Session, team_id: str, account_id: str) -> None:
    """Who is no administrator any more must not come back by an invitation of their own."""
    session.execute(
        update(OneTimeLink)
        .where(
            OneTimeLink.team_id == team_id,
            OneTimeLink.created_by == account_id,
            OneTimeLink.used_at.is_(None),
            OneTimeLink.revoked_at.is_(None),
        )
        .values(revoked_at=func.clock_timestamp())
    )
