"""Accounts, memberships and one-time links."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, func, insert, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, Gone
from backend.store.ids import new_id
from backend.store.models import Account, Membership, OneTimeLink, Team

_ADMINISTRATORS_LOCK = 0x706C696D


@dataclass(frozen=True)
class KnownTeam:
    """One team."""

    id: str
    name: str
    requires_second_factor: bool


@dataclass(frozen=True)
class Subject:
    """An account as the audit log names it, and its oldest team, whose administrators see the entry."""

    account_id: str
    name: str
    team_id: str | None


def subject(session: Session, account_id: str) -> Subject | None:
    """An account that is not disabled; None if there is none.

    Locked until the end of the transaction, so that a session is opened before it is disabled or not at all.
    """
    row = session.execute(_subject(account_id).with_for_update(read=True, of=Account)).one_or_none()
    return None if row is None else Subject(*row)


def named(session: Session, account_id: str) -> Subject | None:
    """An account that is not disabled, without a lock: for the entry about a sign-in that may fail."""
    row = session.execute(_subject(account_id)).one_or_none()
    return None if row is None else Subject(*row)


def _subject(account_id: str) -> Select[Any]:
    team = (
        select(Membership.team_id)
        .where(Membership.account_id == Account.id)
        .order_by(Membership.created_at)
        .limit(1)
        .scalar_subquery()
    )
    return select(Account.id, Account.name, team).where(
        Account.id == account_id, Account.disabled_at.is_(None)
    )


def first_admin(session: Session, team_id: str) -> str:
    """The installation's oldest administrator, created with the role admin in this team if there is none."""
    lock_administrators(session)
    found = session.scalar(
        select(Account.id)
        .where(Account.installation_admin, Account.disabled_at.is_(None))
        .order_by(Account.created_at)
        .limit(1)
    )
    if found is not None:
        return found
    account_id = add(session, "Administrator", None, installation_admin=True)
    join(session, account_id, team_id, "admin")
    return account_id


def lock_administrators(session: Session) -> None:
    """Serialise changes of who administers the installation, until the end of the transaction."""
    session.execute(select(func.pg_advisory_xact_lock(_ADMINISTRATORS_LOCK)))


def find(session: Session, email_or_id: str) -> str | None:
    """The id of the account with this email address or id, None if there is none."""
    return session.scalar(
        select(Account.id).where(
            or_(Account.id == email_or_id, func.lower(Account.email) == email_or_id.lower())
        )
    )


def add(session: Session, name: str, email: str | None, installation_admin: bool = False) -> str:
    """Store a new account; returns its id. Raises Conflict if another account has the email address."""
    values = {"name": name, "email": email, "installation_admin": installation_admin}
    account_id = new_id("acc")
    try:
        with session.begin_nested():
            session.execute(insert(Account).values(id=account_id, **values))
    except IntegrityError as error:
        raise Conflict("an account has this address: sign in with it") from error
    return account_id


def join(session: Session, account_id: str, team_id: str, role: str) -> bool:
    """Make an account a member of a team; False if it is one already."""
    new = upsert(Membership).values(account_id=account_id, team_id=team_id, role=role)
    made = session.execute(new.on_conflict_do_nothing().returning(Membership.account_id))
    return made.scalar_one_or_none() is not None


def teams(session: Session, team_ids: tuple[str, ...]) -> list[KnownTeam]:
    """These teams, by name."""
    columns = (Team.id, Team.name, Team.requires_second_factor)
    query = select(*columns).where(Team.id.in_(team_ids)).order_by(Team.name)
    return [KnownTeam(*row) for row in session.execute(query)]


def require_second_factor(session: Session, team_id: str, required: bool) -> None:
    """Set whether a team's members need a second factor."""
    session.execute(update(Team).where(Team.id == team_id).values(requires_second_factor=required))


def add_sign_in_link(
    session: Session, account_id: str, token_sha256: str, lifetime: timedelta, created_by: str | None = None
) -> str:
    """Store a link that signs an account in once, made by another account; returns its id."""
    link_id = new_id("lnk")
    session.execute(
        insert(OneTimeLink).values(
            id=link_id,
            kind="sign_in",
            account_id=account_id,
            token_sha256=token_sha256,
            created_by=created_by,
            expires_at=func.clock_timestamp() + lifetime,
        )
    )
    return link_id


def revoke_sign_in_links(session: Session, account_id: str) -> None:
    """Revoke the open links that sign an account in."""
    session.execute(
        update(OneTimeLink)
        .where(
            OneTimeLink.account_id == account_id,
            OneTimeLink.used_at.is_(None),
            OneTimeLink.revoked_at.is_(None),
        )
        .values(revoked_at=func.clock_timestamp())
    )


def use_sign_in_link(session: Session, token_sha256: str) -> str:
    """Use up a sign-in link; returns its account.

    Raises Gone for an unknown, used, revoked or expired link: the four have one answer.
    """
    account_id = session.execute(
        update(OneTimeLink)
        .where(
            OneTimeLink.token_sha256 == token_sha256,
            OneTimeLink.kind == "sign_in",
            OneTimeLink.used_at.is_(None),
            OneTimeLink.revoked_at.is_(None),
            OneTimeLink.expires_at > func.clock_timestamp(),
        )
        .values(used_at=text("clock_timestamp()"))
        .returning(OneTimeLink.account_id)
    ).scalar_one_or_none()
    if account_id is None:
        raise Gone("this link was used before, has expired, or never existed; ask for a new one")
    return account_id
