"""Stored experiments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Exists, Select, and_, exists, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from backend.core.errors import Contended, NotFound
from backend.store.ids import is_id, new_id
from backend.store.models import Experiment, Run


@dataclass(frozen=True)
class StoredExperiment:
    """An experiment as it was submitted; `definition` is its canonical document.

    `imported`: it has runs, and all of them are imported logs.
    """

    id: str
    name: str
    title: str
    definition: dict[str, Any]
    created_at: datetime
    note: str
    tags: list[str]
    imported: bool


def _query() -> Select[Any]:
    return select(
        Experiment.id,
        Experiment.name,
        Experiment.title,
        Experiment.definition,
        Experiment.created_at,
        Experiment.note,
        Experiment.tags,
        and_(_has_run("imported"), ~_has_run("measured")).label("imported"),
    )


def _has_run(origin: str) -> Exists:
    return exists().where(Run.experiment_id == Experiment.id, Run.origin == origin)


def add(
    session: Session, team_id: str, definition: dict[str, Any], digest: str
) -> tuple[StoredExperiment, bool]:
    """Store a team's canonical document; the second value is False if the team stored the same one before.

    Raises Contended.
    """
    created = session.execute(
        insert(Experiment)
        .values(
            id=new_id("exp"),
            team_id=team_id,
            name=definition["name"],
            title=definition["title"],
            definition=definition,
            digest=digest,
        )
        .on_conflict_do_nothing(index_elements=[Experiment.team_id, Experiment.digest])
        .returning(Experiment.id)
    ).scalar_one_or_none()
    found = session.execute(
        _query().where(Experiment.team_id == team_id, Experiment.digest == digest)
    ).one_or_none()
    if found is None:
        raise Contended("the same experiment was deleted meanwhile; try again")
    return StoredExperiment(*found), created is not None


def get(session: Session, experiment_id: str) -> StoredExperiment:
    """One experiment. Raises NotFound."""
    query = _query().where(Experiment.id == experiment_id)
    found = session.execute(query).one_or_none() if is_id("exp", experiment_id) else None
    if found is None:
        raise NotFound("there is no such experiment")
    return StoredExperiment(*found)


def page(session: Session, team_id: str, limit: int, after_id: str | None) -> list[StoredExperiment]:
    """A team's experiments older than `after_id`, newest first. Raises NotFound for an unknown `after_id`."""
    own = _query().where(Experiment.team_id == team_id)
    query = own.order_by(Experiment.created_at.desc(), Experiment.id.desc()).limit(limit)
    if after_id is not None:
        last = session.execute(own.where(Experiment.id == after_id)).one_or_none()
        if last is None:
            raise NotFound("there is no such experiment")
        query = query.where(tuple_(Experiment.created_at, Experiment.id) < (last.created_at, last.id))
    return [StoredExperiment(*row) for row in session.execute(query)]
