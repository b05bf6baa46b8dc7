"""Reads the run, its plan, and the parts of each record that a chart needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Text, and_, cast, func, not_, select, true
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.core.plan.states import RUN_ENDED, Origin
from backend.store.ids import is_id
from backend.store.models import Event, Experiment, Host, Result, Run, Trial
from backend.store.repositories import exclusions

FIGURES = ("transactions", "cpu", "window", "quality")
"""The parts of a record that decide whether its trial is valid, and its CPU cost."""
PARTS = (*FIGURES, "notices", "warnings", "processes", "facts", "versions", "server")
"""The parts of a record that a chart needs."""
_UNUSED = (
    *("commands", "per_second", "cpu_series", "counters", "evidence", "histogram", "metrics"),
    *("stdout", "stderr"),
)
"""The parts of a record that no chart needs: most of its bytes."""


@dataclass(frozen=True)
class StoredRun:
    """A run with its trials, as stored."""

    experiment_id: str
    state: str
    origin: Origin
    definition: dict[str, Any]
    plan: dict[str, Any]
    environment: dict[str, Any] | None
    trials: list[dict[str, Any]]


def state(session: Session, run_id: str) -> str:
    """The state of a run. Raises NotFound."""
    found = session.scalar(select(Run.state).where(Run.id == run_id)) if is_id("run", run_id) else None
    if found is None:
        raise NotFound("there is no such run")
    return found


def version(session: Session, run_id: str) -> tuple[int, bool, int, int]:
    """The last event that can change a run's result, whether the run has ended, its number of trials, and the
    last entry of its exclusions.

    The start of a trial does not change the result. Raises NotFound.
    """
    began = and_(Event.kind == "trial", Event.data["state"].astext == "running")
    last = (
        select(Event.id)
        .where(Event.run_id == run_id, not_(began))
        .order_by(Event.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    trials = select(func.count()).where(Trial.run_id == run_id).scalar_subquery()
    excluded = exclusions.last_entry_of(run_id)
    query = select(func.coalesce(last, 0), Run.state, trials, excluded).where(Run.id == run_id)
    row = session.execute(query).one_or_none() if is_id("run", run_id) else None
    if row is None:
        raise NotFound("there is no such run")
    return row[0], row[1] in RUN_ENDED, row[2], row[3]


def read(
    session: Session, run_id: str, parts: Sequence[str] = PARTS, cell_id: str | None = None
) -> StoredRun:
    """A run with its trials' metrics and the given parts of their records, or those of one cell.

    Raises NotFound.
    """
    state(session, run_id)
    run = session.execute(
        select(Run.experiment_id, Run.state, Run.origin, Experiment.definition, Run.plan, Run.environment)
        .join(Experiment, Experiment.id == Run.experiment_id)
        .where(Run.id == run_id)
    ).one()
    trials = session.execute(
        select(
            Trial.id,
            Trial.cell_id,
            Trial.round,
            Trial.state,
            Trial.failure_code,
            Trial.failure_detail,
            Result.metrics,
            Result.evidence_verdict,
            _without_unused(parts).label("record"),
        )
        .outerjoin(Result, Result.trial_id == Trial.id)
        .where(Trial.run_id == run_id, true() if cell_id is None else Trial.cell_id == cell_id)
        .order_by(Trial.seq)
    )
    reasons = exclusions.of_run(session, run_id)
    rows = [_row(row, parts) | {"excluded": reasons.get(row.id)} for row in trials]
    return StoredRun(**run._mapping, trials=rows)


def _without_unused(parts: Sequence[str]) -> ColumnElement[Any]:
    """The record without what is not wanted.

    PostgreSQL decompresses a record once for this, but once for each part where each is a column.
    """
    unwanted = [*_UNUSED, *(part for part in PARTS if part not in parts)]
    return Result.payload.op("-", return_type=JSONB())(cast(unwanted, ARRAY(Text)))


def _row(row: Row[Any], parts: Sequence[str]) -> dict[str, Any]:
    found = dict(row._mapping)
    record = found.pop("record") or {}
    return found | {part: record.get(part) for part in parts}


@dataclass(frozen=True)
class HostTexts:
    """What a run has of its hosts: their names, and the distinct failure details of its trials."""

    hosts: tuple[str, ...]
    failure_details: tuple[str, ...]


def host_texts(session: Session, run_id: str) -> HostTexts:
    """The texts of a run that only the people at its hosts may read. Raises NotFound."""
    state(session, run_id)
    names = select(Host.name).join(Run, Host.id.in_((Run.host_id, Run.client_host_id)))
    hosts = tuple(session.scalars(names.where(Run.id == run_id).order_by(Host.name)))
    query = select(Trial.failure_detail).where(Trial.run_id == run_id, Trial.failure_detail.is_not(None))
    return HostTexts(hosts, tuple(detail for detail in session.scalars(query.distinct()) if detail))
