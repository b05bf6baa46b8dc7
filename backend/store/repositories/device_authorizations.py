"""Device authorizations (RFC 8628)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, Text, case, cast, delete, func, select, update
from sqlalchemy.dialects.postgresql import INET, insert
from sqlalchemy.orm import Session

from backend.store.ids import new_id
from backend.store.models import Account, DeviceAuthorization, Membership
from backend.store.secrets import new_user_code

KEPT_AFTER_EXPIRY: Final = timedelta(hours=1)
"""How long a client is still answered that its code has expired."""
SITE_PREFIX: Final = 48
_LOCK: Final = 0x706C6476


@dataclass(frozen=True)
class Waiting:
    """How many authorizations wait for a decision: of one network, and of all."""

    of_network: int
    in_all: int


@dataclass(frozen=True)
class Poll:
    """An authorization at one request of its client; `age_s` is the time since the request before."""

    row: DeviceAuthorization
    expired: bool
    age_s: float | None


@dataclass(frozen=True)
class Approver:
    """The account that approved, and its present role in the team of the approval."""

    account_id: str
    name: str
    team_id: str
    role: str


def _is_pending() -> tuple[ColumnElement[bool], ...]:
    return (
        DeviceAuthorization.decision.is_(None),
        DeviceAuthorization.expires_at > func.clock_timestamp(),
    )


def waiting(session: Session, network: str) -> Waiting:
    """Count the waiting authorizations, under a lock until the end of the transaction; deletes old ones."""
    session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    old = func.clock_timestamp() - KEPT_AFTER_EXPIRY
    session.execute(delete(DeviceAuthorization).where(DeviceAuthorization.expires_at < old))
    of_network = func.count().filter(DeviceAuthorization.network == network)
    row = session.execute(select(of_network, func.count()).where(*_is_pending())).one()
    return Waiting(*row)


def make_room(session: Session, number: int) -> None:
    """Delete so many waiting authorizations: of the networks that have most of them, the oldest ones.

    An IPv6 network of 48 bits counts as one, because its owner has 65,536 of 64 bits.
    """
    network = DeviceAuthorization.network
    site = cast(func.network(func.set_masklen(cast(network, INET), SITE_PREFIX)), Text)
    owner = case((network.like("%/64"), site), else_=network)
    age = func.row_number().over(partition_by=owner, order_by=DeviceAuthorization.created_at.desc())
    ranked = select(DeviceAuthorization.id, DeviceAuthorization.created_at, age.label("age"))
    waiting = ranked.where(*_is_pending()).subquery()
    oldest = select(waiting.c.id).order_by(waiting.c.age.desc(), waiting.c.created_at).limit(number)
    session.execute(delete(DeviceAuthorization).where(DeviceAuthorization.id.in_(oldest)))


def add(
    session: Session,
    device_code_sha256: str,
    client_name: str,
    address: str,
    network: str,
    scopes: tuple[str, ...],
    lifetime: timedelta,
    interval_s: int,
) -> DeviceAuthorization:
    """Store a new authorization with a user code that no other one has."""
    while True:
        made = session.execute(
            insert(DeviceAuthorization)
            .values(
                id=new_id("dev"),
                device_code_sha256=device_code_sha256,
                user_code=new_user_code(),
                client_name=client_name,
                address=address,
                network=network,
                scopes=list(scopes),
                expires_at=func.clock_timestamp() + lifetime,
                interval_s=interval_s,
            )
            .on_conflict_do_nothing(index_elements=["user_code"])
            .returning(DeviceAuthorization)
        ).scalar_one_or_none()
        if made is not None:
            return made


def pending(session: Session, user_code: str) -> DeviceAuthorization | None:
    """The authorization of a user code that waits for a decision, locked until the end of the transaction."""
    query = select(DeviceAuthorization).where(DeviceAuthorization.user_code == user_code, *_is_pending())
    return session.execute(query.with_for_update()).scalar_one_or_none()


def decide(
    session: Session,
    authorization_id: str,
    decision: str,
    account_id: str,
    team_id: str | None = None,
    granted: tuple[str, ...] | None = None,
    lifetime_days: int | None = None,
) -> None:
    """Store a decision; an approval has a team and what was granted there."""
    session.execute(
        update(DeviceAuthorization)
        .where(DeviceAuthorization.id == authorization_id)
        .values(
            decision=decision,
            account_id=account_id,
            team_id=team_id,
            granted=None if granted is None else list(granted),
            lifetime_days=lifetime_days,
        )
    )


def poll(session: Session, device_code_sha256: str) -> Poll | None:
    """The authorization of a device code, locked until the end of the transaction; None if there is none."""
    now = func.clock_timestamp()
    query = (
        select(
            DeviceAuthorization,
            DeviceAuthorization.expires_at <= now,
            func.extract("epoch", now - DeviceAuthorization.polled_at),
        )
        .where(DeviceAuthorization.device_code_sha256 == device_code_sha256)
        .with_for_update()
    )
    row = session.execute(query).one_or_none()
    if row is None:
        return None
    return Poll(row[0], row[1], None if row[2] is None else float(row[2]))


def keep_waiting(session: Session, authorization_id: str, interval_s: int) -> None:
    """Note a request of the client, and the interval that it has to keep from now on."""
    session.execute(
        update(DeviceAuthorization)
        .where(DeviceAuthorization.id == authorization_id)
        .values(polled_at=func.clock_timestamp(), interval_s=interval_s)
    )


def approver(session: Session, authorization_id: str) -> Approver | None:
    """Who approved; None if the account is disabled or left the team since."""
    query = (
        select(Account.id, Account.name, Membership.team_id, Membership.role)
        .join(Membership, Membership.account_id == Account.id)
        .join(
            DeviceAuthorization,
            (DeviceAuthorization.account_id == Account.id)
            & (DeviceAuthorization.team_id == Membership.team_id),
        )
        .where(DeviceAuthorization.id == authorization_id, Account.disabled_at.is_(None))
    )
    row = session.execute(query).one_or_none()
    return None if row is None else Approver(*row)


def remove(session: Session, authorization_id: str) -> None:
    """Delete an authorization."""
    session.execute(delete(DeviceAuthorization).where(DeviceAuthorization.id == authorization_id))
