"""Stored experiments."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import is_id, new_id
from backend.store.models import Experiment


def add(session: Session, definition: dict[str, Any], digest: str) -> tuple[Experiment, bool]:
    """Store a canonical document; the second value is False where the same one was there before."""
    created = session.execute(
        insert(Experiment)
        .values(
            id=new_id("exp"),
            name=definition["name"],
            title=definition["title"],
            definition=definition,
            digest=digest,
        )
        .on_conflict_do_nothing(index_elements=[Experiment.digest])
        .returning(Experiment.id)
    ).scalar_one_or_none()
    found = session.scalars(select(Experiment).where(Experiment.digest == digest)).one()
    return found, created is not None


def get(session: Session, experiment_id: str) -> Experiment:
    """One experiment. Raises NotFound."""
    found = session.get(Experiment, experiment_id) if is_id("exp", experiment_id) else None
    if found is None:
        raise NotFound("there is no such experiment")
    return found


def page(session: Session, limit: int, after_id: str | None) -> list[Experiment]:
    """The experiments older than `after_id`, newest first. Raises NotFound for an unknown `after_id`."""
    query = select(Experiment).order_by(Experiment.created_at.desc(), Experiment.id.desc()).limit(limit)
    if after_id is not None:
        last = get(session, after_id)
        query = query.where(tuple_(Experiment.created_at, Experiment.id) < (last.created_at, last.id))
    return list(session.scalars(query))
