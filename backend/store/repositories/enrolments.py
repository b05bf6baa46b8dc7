"""Enrolments: made by an administrator, used once by a host that joins, and listed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import ColumnElement, case, delete, exists, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, Gone
from backend.store.ids import new_id
from backend.store.models import Account, Enrolment, Host, HostToken
from backend.store.repositories import host_tokens

REPEATED_FOR: Final = timedelta(minutes=10)
"""How long the same request may be sent again, its answer lost, after it was served first."""
KEPT_FOR: Final = timedelta(days=90)
MAX_LISTED: Final = 200
MAX_OPEN: Final = 100
_LOCK: Final = 0x706C656E
State = Literal["open", "used", "expired", "revoked"]
_GONE: Final = "this enrolment is unknown, was revoked or has expired: ask an administrator for a new one"


@dataclass(frozen=True)
class ListedEnrolment:
    """An enrolment without its secret; `created_by` is a name, `used_by` the name of the host that joined."""

    id: str
    prefix: str
    note: str
    host_name: str | None
    created_by: str | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    used_by: str | None
    state: State


@dataclass(frozen=True)
class Made:
    """A new enrolment, and until when it works."""

    id: str
    expires_at: datetime


@dataclass(frozen=True)
class Joining:
    """A host that asks to join: its name, what its worker speaks, and the digest of the request's nonce."""

    name: str
    nonce_sha256: str
    release: str
    protocol: int


@dataclass(frozen=True)
class Joined:
    """A host that has joined."""

    host_id: str
    enrolment_id: str


def add(
    session: Session,
    secret_sha256: str,
    prefix: str,
    note: str,
    host_name: str | None,
    created_by: str,
    lifetime: timedelta,
) -> Made:
    """Store a new enrolment. Deletes those that ended KEPT_FOR ago. Raises Conflict beyond MAX_OPEN."""
    session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    session.execute(delete(Enrolment).where(Enrolment.expires_at < func.clock_timestamp() - KEPT_FOR))
    if (
        session.scalar(select(func.count()).select_from(Enrolment).where(_state() == "open")) or 0
    ) >= MAX_OPEN:
        raise Conflict(f"{MAX_OPEN} enrolments are open: revoke one that is no longer needed")
    row = session.execute(
        insert(Enrolment)
        .values(
            id=new_id("enr"),
            secret_sha256=secret_sha256,
            prefix=prefix,
            note=note,
            host_name=host_name,
            created_by=created_by,
            expires_at=func.clock_timestamp() + lifetime,
        )
        .returning(Enrolment.id, Enrolment.expires_at)
    ).one()
    return Made(row.id, row.expires_at)


def listed(session: Session) -> list[ListedEnrolment]:
    """The enrolments that are open, then the newest others; of each, newest first."""
    query = (
        select(Enrolment, Account.name, Host.name, _state())
        .outerjoin(Account, Account.id == Enrolment.created_by)
        .outerjoin(Host, Host.id == Enrolment.host_id)
        .order_by(_state() != "open", Enrolment.created_at.desc(), Enrolment.id)
        .limit(MAX_LISTED)
    )
    return [
        ListedEnrolment(
            id=row.id,
            prefix=row.prefix,
            note=row.note,
            host_name=row.host_name,
            created_by=created_by,
            created_at=row.created_at,
            expires_at=row.expires_at,
            used_at=row.used_at,
            used_by=used_by,
            state=state,
        )
        for row, created_by, used_by, state in session.execute(query)
    ]


def _state() -> ColumnElement[State]:
    return case(
        (Enrolment.used_at.is_not(None), "used"),
        (Enrolment.revoked_at.is_not(None), "revoked"),
        (Enrolment.expires_at <= func.clock_timestamp(), "expired"),
        else_="open",
    )


def revoke(session: Session, enrolment_id: str) -> bool:
    """Revoke an enrolment that nobody used; returns whether there is one, revoked now or before."""
    revoked = session.execute(
        update(Enrolment)
        .where(Enrolment.id == enrolment_id, Enrolment.used_at.is_(None))
        .values(revoked_at=func.coalesce(Enrolment.revoked_at, func.clock_timestamp()))
        .returning(Enrolment.id)
    )
    return revoked.scalar_one_or_none() is not None


def use(session: Session, secret_sha256: str, given: Joining) -> Joined:
    """Let a host join with an enrolment, which is then used; its earlier tokens end.

    The same secret and nonce again, within REPEATED_FOR, join the same host again. Raises Gone for an
    unknown, revoked or expired enrolment, and Conflict for a used one and for a name that it cannot have.
    """
    row = session.execute(
        select(Enrolment, (Enrolment.expires_at <= func.clock_timestamp()).label("expired"))
        .where(Enrolment.secret_sha256 == secret_sha256)
        .with_for_update()
    ).one_or_none()
    if row is None:
        raise Gone(_GONE)
    enrolment: Enrolment = row.Enrolment
    if enrolment.used_at is not None:
        return _repeated(session, enrolment, given)
    if enrolment.revoked_at is not None or row.expired:
        raise Gone(_GONE)
    if enrolment.host_name not in (None, given.name):
        detail = f"this enrolment is for the host {enrolment.host_name}: join with that name"
        raise Conflict(detail, "enrolment_of_another_name")
    host_id = _claim_name(session, given.name)
    enrolment.used_at = session.scalar(select(func.clock_timestamp()))
    enrolment.nonce_sha256 = given.nonce_sha256
    enrolment.host_id = host_id
    session.flush()
    _set_worker(session, host_id, given)
    return Joined(host_id, enrolment.id)


def _repeated(session: Session, enrolment: Enrolment, given: Joining) -> Joined:
    """The host that joined with this request before. Raises Conflict for another request."""
    since = func.clock_timestamp() - REPEATED_FOR
    host_id = session.scalar(
        select(Host.id)
        .join(Enrolment, Enrolment.host_id == Host.id)
        .where(
            Enrolment.id == enrolment.id,
            Enrolment.nonce_sha256 == given.nonce_sha256,
            Enrolment.used_at > since,
            Host.name == given.name,
            # A host that was revoked meanwhile does not come back by itself.
            exists().where(HostToken.enrolment_id == enrolment.id, HostToken.revoked_at.is_(None)),
        )
    )
    if host_id is None:
        detail = "this enrolment was used: each lets one host join, once; ask an administrator for a new one"
        raise Conflict(detail, "enrolment_used")
    _set_worker(session, host_id, given)
    return Joined(host_id, enrolment.id)


def _claim_name(session: Session, name: str) -> str:
    """The id of the host of this name, locked; a new one is hidden until its worker announces it.

    Raises Conflict for the name of a host that is enrolled, or that an own worker of this server announced.
    """
    session.execute(
        upsert(Host)
        .values(
            id=new_id("hst"),
            name=name,
            capabilities={},
            environment={},
            imported=True,
            last_seen_at=func.clock_timestamp(),
        )
        .on_conflict_do_nothing(index_elements=[Host.name])
    )
    host = session.execute(select(Host.id, Host.imported).where(Host.name == name).with_for_update()).one()
    was_enrolled = exists().where(HostToken.host_id == Host.id)
    is_enrolled = exists().where(HostToken.host_id == Host.id, HostToken.revoked_at.is_(None))
    taken = session.scalar(
        select(Host.name)
        .where(
            func.lower(Host.name) == name.lower(),
            or_(is_enrolled, ~Host.imported & ~was_enrolled, ~Host.imported & (Host.name != name)),
        )
        .limit(1)
    )
    if taken is not None:
        detail = f"another host of this server has the name {taken}: join with another name"
        raise Conflict(detail, "host_name_taken")
    return str(host.id)


def _set_worker(session: Session, host_id: str, given: Joining) -> None:
    host_tokens.revoke_all(session, host_id)
    session.execute(
        update(Host).where(Host.id == host_id).values(release=given.release, protocol=given.protocol)
    )
