"""The stored events of a run. Append while holding the run's lock, so that ids appear in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from backend.core.plan.states import RUN_ENDED
from backend.store.models import Event

Kind = Literal["run", "trial"]
BATCH = 500
EVENTS_OF_TRIAL = 2
"""A trial that is measured once is started and ends."""


@dataclass(frozen=True)
class StoredEvent:
    """One event of a run."""

    id: int
    kind: Kind
    data: dict[str, Any]

    @property
    def terminal(self) -> bool:
        """Whether the run ended with this event: no other follows."""
        return self.kind == "run" and self.data["state"] in RUN_ENDED


def append(session: Session, run_id: str, kind: Kind, data: Sequence[dict[str, Any]]) -> list[int]:
    """Add events in the order given; returns their ids. The caller holds the run's lock."""
    if not data:
        return []
    rows = [{"run_id": run_id, "kind": kind, "data": item} for item in data]
    statement = insert(Event).returning(Event.id, sort_by_parameter_order=True)
    return list(session.scalars(statement, rows))


def after(session: Session, run_id: str, event_id: int) -> list[StoredEvent]:
    """The next events of a run after this id, oldest first, BATCH at most."""
    rows = session.execute(
        select(Event.id, Event.kind, Event.data)
        .where(Event.run_id == run_id, Event.id > event_id)
        .order_by(Event.id)
        .limit(BATCH)
    )
    return [StoredEvent(row.id, row.kind, row.data) for row in rows]


def newest_trials(session: Session, run_id: str, most: int) -> list[dict[str, Any]]:
    """The last event of each of the newest trials of a run, newest first, `most` at most."""
    rows = session.scalars(
        select(Event.data)
        .where(Event.run_id == run_id, Event.kind == "trial")
        .order_by(Event.id.desc())
        .limit(EVENTS_OF_TRIAL * most)
    )
    found: dict[str, dict[str, Any]] = {}
    for data in rows:
        found.setdefault(data["trial_id"], data)
    return list(found.values())[:most]


def last(session: Session, run_id: str) -> StoredEvent | None:
    """The newest event of a run."""
    row = session.execute(
        select(Event.id, Event.kind, Event.data)
        .where(Event.run_id == run_id)
        .order_by(Event.id.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else StoredEvent(row.id, row.kind, row.data)
