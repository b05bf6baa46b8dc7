"""Share links."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, insert, select, text, update
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import is_id, new_id
from backend.store.models import Share


@dataclass(frozen=True)
class FoundShare:
    """A link and its current state."""

    id: str
    run_id: str
    expires_at: datetime
    revoked: bool
    expired: bool
    snapshot: bytes | None


@dataclass(frozen=True)
class ListedShare:
    """A link of a run, without its token."""

    id: str
    created_at: datetime
    expires_at: datetime
    revoked: bool
    expired: bool


_REVOKED = Share.revoked_at.is_not(None).label("revoked")
_EXPIRED = (Share.expires_at <= func.clock_timestamp()).label("expired")


def of_run(session: Session, run_id: str) -> tuple[ListedShare, ...]:
    """The links of a run, newest first."""
    rows = session.execute(
        select(Share.id, Share.created_at, Share.expires_at, _REVOKED, _EXPIRED)
        .where(Share.run_id == run_id)
        .order_by(Share.created_at.desc(), Share.id.desc())
    )
    return tuple(ListedShare(**row._mapping) for row in rows)


def expiry(session: Session, days: int) -> datetime:
    """The time so many days from now, by the database's clock."""
    return session.execute(select(func.clock_timestamp() + func.make_interval(0, 0, 0, days))).scalar_one()


def create(session: Session, run_id: str, token_sha256: str, expires_at: datetime, snapshot: bytes) -> str:
    """Store a link with its frozen result; returns its id."""
    values = {"run_id": run_id, "token_sha256": token_sha256, "expires_at": expires_at, "snapshot": snapshot}
    return session.execute(insert(Share).values(id=new_id("shr"), **values).returning(Share.id)).scalar_one()


def find(session: Session, token_sha256: str) -> FoundShare:
    """The link with this token's hash. Raises NotFound."""
    row = session.execute(
        select(Share.id, Share.run_id, Share.expires_at, _REVOKED, _EXPIRED, Share.snapshot).where(
            Share.token_sha256 == token_sha256
        )
    ).one_or_none()
    if row is None:
        raise NotFound("there is no such share link")
    return FoundShare(**row._mapping)


def freeze(session: Session, share_id: str, snapshot: bytes) -> None:
    """Store the result of a link that has none."""
    session.execute(
        update(Share)
        .where(Share.id == share_id, Share.snapshot.is_(None), Share.revoked_at.is_(None))
        .values(snapshot=snapshot)
    )


def revoke(session: Session, share_id: str) -> None:
    """Revoke a link permanently and delete its result; idempotent. Raises NotFound."""
    revoked = (
        session.execute(
            update(Share)
            .where(Share.id == share_id)
            .values(revoked_at=func.coalesce(Share.revoked_at, text("clock_timestamp()")), snapshot=None)
            .returning(Share.id)
        ).scalar_one_or_none()
        if is_id("shr", share_id)
        else None
    )
    if revoked is None:
        raise NotFound("there is no such share link")
