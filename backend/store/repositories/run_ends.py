"""Runs that ended and whose result, verdict and messages are not made yet, in the order of their ends."""

from __future__ import annotations

from typing import Final

from sqlalchemy import delete, select, text
from sqlalchemy.orm import Session

from backend.store.models import RunEnd

_ADD: Final = text("INSERT INTO run_end (run_id) VALUES (:run_id)")


def add(session: Session, run_id: str) -> None:
    """Note an ended run; the caller's transaction ends it."""
    # Without RETURNING, which the ORM adds: a worker may read no row.
    session.execute(_ADD, {"run_id": run_id})


def lock_first(session: Session) -> tuple[int, str] | None:
    """The number and id of the run that ended first, locked; passes over those that others handle."""
    query = select(RunEnd.id, RunEnd.run_id).order_by(RunEnd.id).limit(1)
    row = session.execute(query.with_for_update(skip_locked=True)).one_or_none()
    return None if row is None else (row.id, row.run_id)


def remove(session: Session, number: int) -> bool:
    """Remove a handled run; False if it is gone, because another process handled it."""
    query = delete(RunEnd).where(RunEnd.id == number).returning(RunEnd.id)
    return session.execute(query).first() is not None
