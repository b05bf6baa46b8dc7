"""The accounts of the installation, for its administrators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, Select, delete, exists, func, select, tuple_, update
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, NotFound
from backend.store.models import (
    Account,
    BrowserSession,
    ExternalIdentity,
    Membership,
    OneTimeLink,
    SecondFactor,
    Team,
)
from backend.store.repositories import accounts, browser_sessions


@dataclass(frozen=True)
class TeamRole:
    """A team of an account, and its role there."""

    id: str
    name: str
    role: str


@dataclass(frozen=True)
class ListedAccount:
    """One account with its teams, and by what it can sign in. `last_sign_in_at` null: never."""

    id: str
    name: str
    email: str | None
    installation_admin: bool
    disabled: bool
    created_at: datetime
    last_sign_in_at: datetime | None
    has_password: bool
    has_provider: bool
    has_second_factor: bool
    teams: tuple[TeamRole, ...]


_FIELDS: Final = tuple(field.name for field in fields(ListedAccount) if field.name != "teams")


@dataclass(frozen=True)
class AccountFilter:
    """Which accounts to list; None does not limit. `text` is part of the name or the address."""

    text: str | None = None
    team_id: str | None = None
    disabled: bool | None = None


ALL: Final = AccountFilter()
_BATCH: Final = 500


def page(
    session: Session, limit: int, after_id: str | None = None, wanted: AccountFilter = ALL
) -> list[ListedAccount]:
    """The accounts that match, by name, after the account `after_id`. Raises NotFound."""
    position = func.lower(Account.name), Account.id
    query = _filtered(_listed(), wanted).order_by(*position).limit(limit)
    if after_id is not None:
        after = session.execute(select(*position).where(Account.id == after_id)).one_or_none()
        if after is None:
            raise _unknown()
        query = query.where(tuple_(*position) > tuple_(*after))
    rows = session.execute(query).all()
    teams = _teams(session, [row.id for row in rows])
    return [_account(row, teams) for row in rows]


def everybody(session: Session, text: str | None) -> Iterator[ListedAccount]:
    """The accounts whose name or address contains this text, by name."""
    wanted, after = AccountFilter(text), None
    while rows := page(session, _BATCH, after, wanted):
        yield from rows
        after = rows[-1].id


def read(session: Session, account_id: str) -> ListedAccount:
    """One account. Raises NotFound."""
    row = session.execute(_listed().where(Account.id == account_id)).one_or_none()
    if row is None:
        raise _unknown()
    return _account(row, _teams(session, [account_id]))


def _listed() -> Select[Any]:
    last = select(func.max(BrowserSession.created_at)).where(BrowserSession.account_id == Account.id)
    columns: tuple[Any, ...] = (
        Account.id,
        Account.name,
        Account.email,
        Account.installation_admin,
        Account.disabled_at.is_not(None),
        Account.created_at,
        last.scalar_subquery(),
        Account.password_hash.is_not(None),
        exists().where(ExternalIdentity.account_id == Account.id),
        exists().where(SecondFactor.account_id == Account.id, SecondFactor.confirmed_at.is_not(None)),
    )
    return select(*columns)


def _account(row: Row[Any], teams: dict[str, list[TeamRole]]) -> ListedAccount:
    values: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    return ListedAccount(**values, teams=tuple(teams.get(row[0], ())))


def _filtered(query: Select[Any], wanted: AccountFilter) -> Select[Any]:
    if wanted.text is not None:
        text = func.concat(Account.name, " ", Account.email)
        query = query.where(text.icontains(wanted.text, autoescape=True))
    if wanted.team_id is not None:
        member = Membership.account_id == Account.id, Membership.team_id == wanted.team_id
        query = query.where(exists().where(*member))
    if wanted.disabled is not None:
        query = query.where(Account.disabled_at.is_not(None) == wanted.disabled)
    return query


def _teams(session: Session, account_ids: list[str]) -> dict[str, list[TeamRole]]:
    query = (
        select(Membership.account_id, Team.id, Team.name, Membership.role)
        .join(Team, Team.id == Membership.team_id)
        .where(Membership.account_id.in_(account_ids))
        .order_by(func.lower(Team.name), Team.id)
    )
    found: dict[str, list[TeamRole]] = {}
    for account_id, *team in session.execute(query):
        found.setdefault(account_id, []).append(TeamRole(*team))
    return found


def lock_access(session: Session, caller: str | None) -> bool:
    """Serialise changes of who may sign in and who administers the installation.

    Returns whether the caller still administers it: another one may have changed that meanwhile. A command
    on the server (None) always does.
    """
    accounts.lock_administrators(session)
    return caller is None or caller in _administrators(session)


def set_access(
    session: Session, account_id: str, disabled: bool | None, installation_admin: bool | None
) -> None:
    """Disable or enable an account, make it an administrator of the installation or not; None: as it is.

    Disabling ends its sessions; disabling and demoting revoke its links, and those that it made for others.
    After `lock_access`. Raises NotFound, and Conflict for the last administrator that can sign in.
    """
    if disabled or installation_admin is False:
        _require_other_administrator(session, account_id)
        # Before the account: a sign-in by link locks both in this order.
        revoke_links(session, account_id)
    values: dict[str, Any] = {}
    if disabled is not None:
        now = func.coalesce(Account.disabled_at, func.clock_timestamp())
        values["disabled_at"] = now if disabled else None
    if installation_admin is not None:
        values["installation_admin"] = installation_admin
    query = update(Account).where(Account.id == account_id).values(**values).returning(Account.id)
    if session.execute(query).scalar_one_or_none() is None:
        raise _unknown()
    if disabled:
        browser_sessions.end_all(session, account_id)


def remove(session: Session, account_id: str) -> None:
    """Delete a disabled account with its memberships, sessions, tokens and stars; what it made stays.

    After `lock_access`. Raises NotFound, and Conflict for an account that is not disabled.
    """
    if not read(session, account_id).disabled:
        raise Conflict("disable the account first: that ends its sessions", "account_enabled")
    revoke_links(session, account_id)
    session.execute(delete(Account).where(Account.id == account_id))


def revoke_links(session: Session, account_id: str) -> None:
    """Revoke the open links that sign an account in, and all open links that it made."""
    of_account = (OneTimeLink.account_id == account_id) | (OneTimeLink.created_by == account_id)
    session.execute(
        update(OneTimeLink)
        .where(of_account, OneTimeLink.used_at.is_(None), OneTimeLink.revoked_at.is_(None))
        .values(revoked_at=func.clock_timestamp())
    )


def _administrators(session: Session) -> set[str]:
    query = select(Account.id).where(Account.installation_admin, Account.disabled_at.is_(None))
    return set(session.scalars(query))


def _require_other_administrator(session: Session, account_id: str) -> None:
    if _administrators(session) == {account_id}:
        detail = "this is the installation's last administrator: make another account one first"
        raise Conflict(detail, "last_administrator")


def _unknown() -> NotFound:
    return NotFound("there is no such account")
