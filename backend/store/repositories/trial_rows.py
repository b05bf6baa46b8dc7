"""Reading trials: rows of a list, the record, the history of attempts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, literal_column, select
from sqlalchemy.orm import Session, aliased

from backend.core.errors import NotFound
from backend.core.plan.states import TrialState
from backend.core.sample.record import EvidenceVerdict
from backend.store.ids import is_id
from backend.store.models import Attempt, Experiment, Result, Run, Trial
from backend.store.repositories import chart_inputs, exclusions, result_rows

_COLUMNS = (
    Trial.id,
    Trial.run_id,
    Trial.cell_id,
    Trial.round,
    Trial.position,
    Trial.seq,
    Trial.state,
    Trial.failure_code,
    Trial.failure_detail,
    Trial.attempts,
    Trial.started_at,
    Trial.finished_at,
    Result.metrics,
    Result.evidence_verdict,
)
_VALIDITY = (Trial.levels, *(Result.payload[part].label(part) for part in result_rows.FIGURES))


@dataclass(frozen=True)
class TrialView:
    """One trial. `metrics` have today's cost of a transaction; None if the trial is invalid,
    excluded or has none."""

    id: str
    run_id: str
    cell_id: str
    round: int
    position: int
    seq: int
    state: TrialState
    failure_code: str | None
    failure_detail: str | None
    attempts: int
    started_at: datetime | None
    finished_at: datetime | None
    metrics: Mapping[str, float] | None
    evidence_verdict: EvidenceVerdict | None
    invalid: tuple[str, ...]
    contaminated: tuple[str, ...]
    excluded: str | None


@dataclass(frozen=True)
class AttemptView:
    """One claim of a trial and its end; `outcome` is None while it runs."""

    fence: int
    worker: str
    outcome: str | None
    started_at: datetime
    ended_at: datetime | None
    detail: str | None


def _query() -> Select[Any]:
    return select(*_COLUMNS, *_VALIDITY).outerjoin(Result, Result.trial_id == Trial.id).order_by(Trial.seq)


def _view(found: Row[Any], excluded: str | None) -> TrialView:
    row = dict(found._mapping) | {"excluded": excluded}
    checked = chart_inputs.trial_row(row, row["levels"])
    own = {column.key: row[column.key] for column in _COLUMNS}
    own |= {"metrics": checked.metrics, "invalid": checked.invalid, "contaminated": checked.contaminated}
    own["excluded"] = excluded
    return TrialView(**own)


def of_run(session: Session, run_id: str, cell_id: str | None) -> list[TrialView]:
    """The trials of a run in the plan's order, or those of one cell."""
    query = _query().where(Trial.run_id == run_id)
    if cell_id is not None:
        query = query.where(Trial.cell_id == cell_id)
    reasons = exclusions.of_run(session, run_id)
    return [_view(row, reasons.get(row.id)) for row in session.execute(query)]


def get(session: Session, trial_id: str) -> TrialView:
    """One trial. Raises NotFound."""
    query = _query().where(Trial.id == trial_id)
    row = session.execute(query).one_or_none() if is_id("trl", trial_id) else None
    if row is None:
        raise NotFound("there is no such trial")
    return _view(row, exclusions.of_run(session, row.run_id).get(trial_id))


def record(session: Session, trial_id: str) -> dict[str, Any] | None:
    """The record of a trial, or None if it has none."""
    return session.scalar(select(Result.payload).where(Result.trial_id == trial_id))


@dataclass(frozen=True)
class TrialContext:
    """The title of a trial's run, the label and the levels of its cell."""

    run_title: str
    cell_label: str
    cell_levels: dict[str, Any]


_LABEL: ColumnElement[str | None] = literal_column(
    "(SELECT cell ->> 'label' FROM jsonb_array_elements(run.plan -> 'cells') cell"
    " WHERE cell ->> 'id' = trial.cell_id)"
)


def context(session: Session, trial_id: str) -> TrialContext:
    """The run and the cell of a trial. Raises NotFound."""
    found = session.execute(
        select(Experiment.title, _LABEL.label("label"), Trial.cell_id, Trial.levels)
        .join(Run, Run.experiment_id == Experiment.id)
        .join(Trial, Trial.run_id == Run.id)
        .where(Trial.id == trial_id)
    ).one_or_none()
    if found is None:
        raise NotFound("there is no such trial")
    return TrialContext(found.title, found.label or found.cell_id, dict(found.levels))


def history(session: Session, trial_id: str) -> list[AttemptView]:
    """The attempts of a trial, oldest first."""
    ended = aliased(Attempt)
    rows = session.execute(
        select(
            Attempt.fence,
            Attempt.worker,
            ended.outcome,
            Attempt.at.label("started_at"),
            ended.at.label("ended_at"),
            ended.detail,
        )
        .outerjoin(
            ended,
            and_(ended.trial_id == Attempt.trial_id, ended.fence == Attempt.fence, ended.entry == "ended"),
        )
        .where(Attempt.trial_id == trial_id, Attempt.entry == "claimed")
        .order_by(Attempt.fence)
    )
    return [AttemptView(**row._mapping) for row in rows]
