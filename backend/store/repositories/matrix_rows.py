"""Reads the trials of a run for its matrix, without their records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from backend.core.definition.metrics import RATES
from backend.core.errors import NotFound
from backend.core.plan.matrix import MatrixTrial
from backend.core.plan.model import Plan
from backend.core.plan.states import RUN_ENDED, Origin, RunState
from backend.core.plan.stored import from_store
from backend.store.ids import is_id
from backend.store.models import Event, Run
from backend.store.repositories import events, exclusions

NEWEST: Final = 40
"""Trials that are given with their last event."""
_RATE = " , ".join(f"r.metrics ->> '{name}'" for name in dict.fromkeys(RATES.values()))
_TRIALS = text(f"""
    SELECT t.id, t.cell_id, t.round, t.state, t.quality, CAST(coalesce({_RATE}) AS float8) AS rate
      FROM trial t LEFT JOIN result r ON r.trial_id = t.id
     WHERE t.run_id = :run_id
""")


@dataclass(frozen=True)
class StoredMatrix:
    """A run with its plan and trials; the trials include at least the events up to `last_event_id`.

    `newest` has the last events of the newest trials, newest first, while the run is in progress.
    """

    state: RunState
    origin: Origin
    last_event_id: int
    plan: Plan
    trials: list[MatrixTrial]
    newest: list[dict[str, Any]]


def read(session: Session, run_id: str) -> StoredMatrix:
    """The matrix of a run in any state. Raises NotFound."""
    last = select(func.coalesce(func.max(Event.id), 0)).where(Event.run_id == run_id).scalar_subquery()
    query = select(Run.state, Run.origin, Run.plan, last.label("last_event_id")).where(Run.id == run_id)
    run = session.execute(query).one_or_none() if is_id("run", run_id) else None
    if run is None:
        raise NotFound("there is no such run")
    excluded = exclusions.of_run(session, run_id)
    rows = session.execute(_TRIALS, {"run_id": run_id}).mappings()
    trials = [_trial(row, excluded) for row in rows]
    newest = [] if run.state in RUN_ENDED else events.newest_trials(session, run_id, NEWEST)
    return StoredMatrix(run.state, run.origin, run.last_event_id, from_store(run.plan), trials, newest)


def _trial(row: Mapping[Any, Any], excluded: Mapping[str, str]) -> MatrixTrial:
    return MatrixTrial(
        row["cell_id"], row["round"], row["state"], row["quality"], row["id"] in excluded, row["rate"]
    )
