"""Response bodies stored under an Idempotency-Key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from backend.core.errors import InUse
from backend.store.models import IdempotencyKey

KEPT = timedelta(days=7)
"""How long a stored answer is kept."""


@dataclass(frozen=True)
class StoredAnswer:
    """A response body, the id of what the request created, and the fingerprint of the request."""

    fingerprint: str
    created_id: str
    body: str


def reserve(session: Session, team_id: str, key: str, fingerprint: str) -> bool:
    """Reserve a team's key for this transaction; False if an answer is stored under it.

    Raises InUse, without waiting, while another transaction holds the same key. Deletes keys older than KEPT.
    """
    if not session.scalar(
        select(func.pg_try_advisory_xact_lock(func.hashtextextended(f"{team_id} {key}", 0)))
    ):
        raise InUse("another request with this Idempotency-Key is still in progress; send it again later")
    old = select(IdempotencyKey.team_id, IdempotencyKey.key).where(
        IdempotencyKey.created_at < func.clock_timestamp() - KEPT
    )
    both = tuple_(IdempotencyKey.team_id, IdempotencyKey.key)
    session.execute(delete(IdempotencyKey).where(both.in_(old.with_for_update(skip_locked=True))))
    taken = session.execute(
        insert(IdempotencyKey)
        .values(team_id=team_id, key=key, fingerprint=fingerprint, run_id="", answer="")
        .on_conflict_do_nothing()
        .returning(IdempotencyKey.key)
    ).scalar_one_or_none()
    return taken is not None


def keep(session: Session, team_id: str, key: str, created_id: str, body: str) -> None:
    """Store the answer under a key that this transaction reserved."""
    row = session.get_one(IdempotencyKey, (team_id, key))
    row.run_id, row.answer = created_id, body


def find(session: Session, team_id: str, key: str) -> StoredAnswer:
    """The answer stored under a team's key."""
    row = session.execute(
        select(IdempotencyKey.fingerprint, IdempotencyKey.run_id, IdempotencyKey.answer).where(
            IdempotencyKey.team_id == team_id, IdempotencyKey.key == key
        )
    ).one()
    return StoredAnswer(*row)
