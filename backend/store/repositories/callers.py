"""Who a cookie or a token belongs to, read at each request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, func, insert, or_, select, update
from sqlalchemy.orm import Session

from backend.store.ids import new_id
from backend.store.models import Account, ApiToken, BrowserSession, Membership, Team
from backend.store.repositories import second_factors

USED_EVERY: Final = timedelta(minutes=1)
"""How often `last_used_at` is written: not at every request."""
RECENT: Final = timedelta(minutes=15)
"""How long after a sign-in its session may make credentials."""
_PROVED: Final = BrowserSession.second_factor_at.is_not(None) | (BrowserSession.method == "identity_provider")
"""The provider asks for a second factor itself, or its administrators decided against one."""


@dataclass(frozen=True)
class FoundCaller:
    """An account and its roles by team; `id` is that of the session or token, `scopes` only a token's.

    `withheld` are its roles in teams that require a second factor, which this caller has not proved;
    `signed_in_recently` is for a session opened within RECENT.
    """

    id: str
    account_id: str
    name: str
    email: str | None
    installation_admin: bool
    team_id: str | None
    roles: dict[str, str]
    scopes: tuple[str, ...] = ()
    token_prefix: str | None = None
    withheld: dict[str, str] = field(default_factory=dict)
    proved_second_factor: bool = False
    signed_in_recently: bool = False


def by_session(session: Session, token_sha256: str) -> FoundCaller | None:
    """The caller of a session that is neither ended nor expired, of an account that is not disabled."""
    row = session.execute(
        _of_account(
            BrowserSession.id,
            BrowserSession.team_id,
            _PROVED.label("proved"),
            (BrowserSession.created_at > func.clock_timestamp() - RECENT).label("recent"),
            _is_due(BrowserSession).label("due"),
        )
        .join(BrowserSession, BrowserSession.account_id == Account.id)
        .where(
            BrowserSession.token_sha256 == token_sha256,
            BrowserSession.ended_at.is_(None),
            BrowserSession.expires_at > func.clock_timestamp(),
        )
    ).one_or_none()
    if row is None:
        return None
    if row.due:
        _touch(session, BrowserSession, row.id)
    members = _memberships(session, row.account_id)
    roles, withheld = _split(members, lambda: row.proved)
    team = row.team_id if row.team_id in roles | withheld else next(iter(roles | withheld), None)
    return FoundCaller(
        row.id,
        row.account_id,
        row.name,
        row.email,
        row.installation_admin,
        team,
        roles,
        withheld=withheld,
        proved_second_factor=row.proved,
        signed_in_recently=row.recent,
    )


def by_token(session: Session, token_sha256: str) -> FoundCaller | None:
    """The caller of a token that is neither revoked nor expired; its only role is that in its team.

    Where the team requires a second factor, its account needs one, or an identity of the provider.
    """
    row = session.execute(
        _of_account(
            ApiToken.id, ApiToken.team_id, ApiToken.scopes, ApiToken.prefix, _is_due(ApiToken).label("due")
        )
        .join(ApiToken, ApiToken.account_id == Account.id)
        .where(
            ApiToken.token_sha256 == token_sha256,
            ApiToken.revoked_at.is_(None),
            or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.clock_timestamp()),
        )
    ).one_or_none()
    if row is None:
        return None
    if row.due:
        _touch(session, ApiToken, row.id)
    members = [one for one in _memberships(session, row.account_id) if one.team_id == row.team_id]
    roles, withheld = _split(members, lambda: second_factors.has_any(session, row.account_id))
    return FoundCaller(
        row.id,
        row.account_id,
        row.name,
        row.email,
        False,
        row.team_id,
        roles,
        tuple(row.scopes),
        row.prefix,
        withheld,
    )


def _of_account(*columns: Any) -> Select[Any]:
    return select(
        *columns,
        Account.id.label("account_id"),
        Account.name,
        Account.email,
        Account.installation_admin,
    ).where(Account.disabled_at.is_(None))


@dataclass(frozen=True)
class _Member:
    team_id: str
    role: str
    needs_second_factor: bool


def _memberships(session: Session, account_id: str) -> list[_Member]:
    query = (
        select(Membership.team_id, Membership.role, Team.requires_second_factor)
        .join(Team, Team.id == Membership.team_id)
        .where(Membership.account_id == account_id)
        .order_by(Membership.created_at)
    )
    return [_Member(*row) for row in session.execute(query)]


def _split(members: list[_Member], proved: Callable[[], bool]) -> tuple[dict[str, str], dict[str, str]]:
    """The roles that a caller has, and those that are withheld because it did not prove a second factor."""
    is_proved = not any(one.needs_second_factor for one in members) or proved()
    withheld = {one.team_id: one.role for one in members if one.needs_second_factor and not is_proved}
    return {one.team_id: one.role for one in members if one.team_id not in withheld}, withheld


Used = type[BrowserSession] | type[ApiToken]


def _is_due(table: Used) -> ColumnElement[bool]:
    """Whether the written time of use is older than USED_EVERY."""
    return or_(table.last_used_at.is_(None), table.last_used_at < func.clock_timestamp() - USED_EVERY)


def _touch(session: Session, table: Used, id_: str) -> None:
    """Write the time of use, if it is still due; skip a row that is locked."""
    found = select(table.id).where(table.id == id_, _is_due(table)).with_for_update(skip_locked=True)
    session.execute(update(table).where(table.id.in_(found)).values(last_used_at=func.clock_timestamp()))


def add_session(
    session: Session,
    account_id: str,
    token_sha256: str,
    method: str,
    address: str,
    client: str,
    days: int,
    proved_second_factor: bool = False,
    device_sha256: str | None = None,
) -> str:
    """Store a new session; returns its id."""
    session_id = new_id("ses")
    session.execute(
        insert(BrowserSession).values(
            id=session_id,
            account_id=account_id,
            token_sha256=token_sha256,
            method=method,
            address=address,
            client=client,
            expires_at=func.clock_timestamp() + timedelta(days=days),
            second_factor_at=func.clock_timestamp() if proved_second_factor else None,
            device_sha256=device_sha256,
        )
    )
    return session_id


def end_session(session: Session, account_id: str, session_id: str) -> bool:
    """End one session of an account; returns whether there is such a session."""
    ended = session.execute(
        update(BrowserSession)
        .where(BrowserSession.id == session_id, BrowserSession.account_id == account_id)
        .values(ended_at=func.coalesce(BrowserSession.ended_at, func.clock_timestamp()))
        .returning(BrowserSession.id)
    ).scalar_one_or_none()
    return ended is not None


def set_team(session: Session, session_id: str, team_id: str) -> None:
    """Set the team that a session works in."""
    session.execute(update(BrowserSession).where(BrowserSession.id == session_id).values(team_id=team_id))


def add_token(
    session: Session,
    account_id: str,
    team_id: str,
    name: str,
    prefix: str,
    token_sha256: str,
    scopes: tuple[str, ...],
    lifetime: timedelta | None,
) -> str:
    """Store a new API token; returns its id."""
    token_id = new_id("tok")
    session.execute(
        insert(ApiToken).values(
            id=token_id,
            account_id=account_id,
            team_id=team_id,
            name=name,
            prefix=prefix,
            token_sha256=token_sha256,
            scopes=list(scopes),
            expires_at=None if lifetime is None else func.clock_timestamp() + lifetime,
        )
    )
    return token_id


def revoke_named(session: Session, account_id: str, name: str) -> None:
    """Revoke the tokens of this name of an account."""
    session.execute(
        update(ApiToken)
        .where(ApiToken.account_id == account_id, ApiToken.name == name, ApiToken.revoked_at.is_(None))
        .values(revoked_at=func.clock_timestamp())
    )
