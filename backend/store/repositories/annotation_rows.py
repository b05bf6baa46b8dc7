"""Notes and tags of runs and experiments, and the stars of accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import is_id
from backend.store.models import Experiment, ExperimentStar, Run, RunStar
from backend.store.repositories import run_entries

Kind = Literal["run", "experiment"]
_OBJECTS: dict[Kind, Any] = {"run": Run, "experiment": Experiment}
_STARS: dict[Kind, Any] = {"run": RunStar, "experiment": ExperimentStar}


@dataclass(frozen=True)
class StoredAnnotation:
    """A note and tags."""

    note: str
    tags: list[str]


def update_fields(
    session: Session, kind: Kind, object_id: str, note: str | None, tags: list[str] | None
) -> StoredAnnotation:
    """Replace the fields that are not None; returns both. Raises NotFound."""
    model = _OBJECTS[kind]
    given = {"note": note, "tags": tags}
    changed = {name: value for name, value in given.items() if value is not None}
    if not is_id("run" if kind == "run" else "exp", object_id):
        raise NotFound(f"there is no such {kind}")
    if changed:
        session.execute(update(model).where(model.id == object_id).values(**changed))
    row = session.execute(select(model.note, model.tags).where(model.id == object_id)).one_or_none()
    if row is None:
        raise NotFound(f"there is no such {kind}")
    if changed and kind == "run":
        run_entries.refresh(session, [object_id])
    return StoredAnnotation(row.note, row.tags)


def add_star(session: Session, kind: Kind, account_id: str, object_id: str) -> None:
    """Star an object, once per account."""
    values = {"account_id": account_id, f"{kind}_id": object_id}
    session.execute(insert(_STARS[kind]).values(**values).on_conflict_do_nothing())


def remove_star(session: Session, kind: Kind, account_id: str, object_id: str) -> None:
    """Remove the star of an account."""
    model = _STARS[kind]
    column = getattr(model, f"{kind}_id")
    session.execute(delete(model).where(model.account_id == account_id, column == object_id))


def starred(session: Session, kind: Kind, account_id: str, team_id: str) -> list[str]:
    """The ids of a team's objects that an account starred, newest star first."""
    star, model = _STARS[kind], _OBJECTS[kind]
    column = getattr(star, f"{kind}_id")
    query = select(column).join(model, model.id == column)
    own = query.where(star.account_id == account_id, model.team_id == team_id)
    return list(session.scalars(own.order_by(star.created_at.desc(), column)))
