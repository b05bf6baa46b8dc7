"""The tokens of enrolled hosts, read at each request of a worker."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import func, insert, or_, select, update
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, NotFound
from backend.store.ids import new_id
from backend.store.models import Host, HostToken

USED_EVERY: Final = timedelta(minutes=1)
"""How often `last_used_at` is written: not at every request."""


@dataclass(frozen=True)
class EnrolledHost:
    """The host that a token belongs to."""

    token_id: str
    token_prefix: str
    host_id: str
    host_name: str


def add(
    session: Session, host_id: str, enrolment_id: str, prefix: str, token_sha256: str, address: str
) -> str:
    """Store a new token of a host; returns its id."""
    token_id = new_id("htk")
    session.execute(
        insert(HostToken).values(
            id=token_id,
            host_id=host_id,
            enrolment_id=enrolment_id,
            prefix=prefix,
            token_sha256=token_sha256,
            address=address,
        )
    )
    return token_id


def by_token(session: Session, token_sha256: str, address: str) -> EnrolledHost | None:
    """The host of a token that is not revoked; writes when and from where it was used, once a minute."""
    due = or_(
        HostToken.last_used_at.is_(None),
        HostToken.last_used_at < func.clock_timestamp() - USED_EVERY,
        HostToken.address.is_distinct_from(address),
    )
    row = session.execute(
        select(HostToken.id, HostToken.prefix, HostToken.host_id, Host.name, due.label("due"))
        .join(Host, Host.id == HostToken.host_id)
        .where(HostToken.token_sha256 == token_sha256, HostToken.revoked_at.is_(None))
    ).one_or_none()
    if row is None:
        return None
    if row.due:
        found = select(HostToken.id).where(HostToken.id == row.id, due).with_for_update(skip_locked=True)
        values = {"last_used_at": func.clock_timestamp(), "address": address}
        session.execute(update(HostToken).where(HostToken.id.in_(found)).values(values))
    return EnrolledHost(row.id, row.prefix, row.host_id, row.name)


def addresses(session: Session, host_id: str) -> list[str]:
    """From where a host's tokens that are not revoked were used last."""
    query = select(HostToken.address).where(HostToken.host_id == host_id, HostToken.revoked_at.is_(None))
    return [address for address in session.scalars(query) if address]


def revoke_all(session: Session, host_id: str) -> int:
    """Revoke every token of a host; returns how many worked until now. Its name may be enrolled again."""
    revoked = session.execute(
        update(HostToken)
        .where(HostToken.host_id == host_id, HostToken.revoked_at.is_(None))
        .values(revoked_at=func.clock_timestamp())
        .returning(HostToken.id)
    ).all()
    session.execute(update(Host).where(Host.id == host_id).values(protocol=None))
    return len(revoked)


def revoke_named(session: Session, name: str) -> None:
    """Revoke the tokens of a host by its name; repeatable.

    Raises NotFound, and Conflict for a host whose worker has no token because it uses the database.
    """
    host_id = session.scalar(select(Host.id).where(Host.name == name))
    if host_id is None:
        raise NotFound("there is no such host")
    if session.scalar(select(HostToken.id).where(HostToken.host_id == host_id).limit(1)) is None:
        detail = "this host did not join with an enrolment: its worker has no token that could be revoked"
        raise Conflict(detail, "host_not_enrolled")
    revoke_all(session, host_id)
