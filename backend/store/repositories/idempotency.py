"""Answers kept under an Idempotency-Key."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from backend.core.errors import InUse
from backend.store.models import IdempotencyKey

KEPT = timedelta(days=7)
"""How long a request may be repeated and still get its first answer."""


def reserve(session: Session, key: str, fingerprint: str) -> bool:
    """Take a key for this transaction's work; False where an earlier request's answer is kept under it.

    Raises InUse, without waiting, while another transaction works under the same key.
    Keys older than KEPT are forgotten on the way.
    """
    if not session.scalar(select(func.pg_try_advisory_xact_lock(func.hashtextextended(key, 0)))):
        raise InUse("a request with this Idempotency-Key is still under way; send it again in a moment")
    old = select(IdempotencyKey.key).where(IdempotencyKey.created_at < func.clock_timestamp() - KEPT)
    session.execute(
        delete(IdempotencyKey).where(IdempotencyKey.key.in_(old.with_for_update(skip_locked=True)))
    )
    taken = session.execute(
        insert(IdempotencyKey)
        .values(key=key, fingerprint=fingerprint, run_id="", answer="")
        .on_conflict_do_nothing()
        .returning(IdempotencyKey.key)
    ).scalar_one_or_none()
    return taken is not None


def keep(session: Session, key: str, run_id: str, answer: str) -> None:
    """Store the answer under a key that this transaction reserved."""
    row = session.get_one(IdempotencyKey, key)
    row.run_id, row.answer = run_id, answer


def find(session: Session, key: str) -> IdempotencyKey:
    """The stored answer of a key that is taken."""
    return session.execute(select(IdempotencyKey).where(IdempotencyKey.key == key)).scalar_one()
