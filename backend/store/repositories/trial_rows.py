"""Reading trials: rows of a list, the record, the history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, literal_column, select
from sqlalchemy.orm import Session, aliased

from backend.core.errors import NotFound
from backend.store.ids import is_id
from backend.store.models import Attempt, Experiment, Result, Run, Trial
from backend.store.repositories import chart_inputs, result_rows

_ROW = (
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
_JUDGED_BY = (Trial.levels, *(Result.payload[part].label(part) for part in result_rows.FIGURES))


def _rows() -> Select[Any]:
    return select(*_ROW, *_JUDGED_BY).outerjoin(Result, Result.trial_id == Trial.id).order_by(Trial.seq)


def _checked(found: Row[Any]) -> dict[str, Any]:
    """The row with today's cost of a transaction; without metrics where it breaks a physical bound."""
    row = dict(found._mapping)
    judged = chart_inputs.trial_row(row, row["levels"])
    own = {column.key: row[column.key] for column in _ROW}
    return own | {
        "metrics": judged.metrics, "invalid": judged.invalid, "contaminated": judged.contaminated,
    }  # fmt: skip


def of_run(session: Session, run_id: str, cell_id: str | None) -> list[dict[str, Any]]:
    """The trials of a run in the plan's order, or those of one cell."""
    query = _rows().where(Trial.run_id == run_id)
    if cell_id is not None:
        query = query.where(Trial.cell_id == cell_id)
    return [_checked(row) for row in session.execute(query)]


def get(session: Session, trial_id: str) -> dict[str, Any]:
    """One trial. Raises NotFound."""
    row = (
        session.execute(_rows().where(Trial.id == trial_id)).one_or_none() if is_id("trl", trial_id) else None
    )
    if row is None:
        raise NotFound("there is no such trial")
    return _checked(row)


def record(session: Session, trial_id: str) -> dict[str, Any] | None:
    """The record of a trial, or None where it left none."""
    return session.scalar(select(Result.payload).where(Result.trial_id == trial_id))


@dataclass(frozen=True)
class TrialContext:
    """What a trial belongs to: the title of its run, the label and the levels of its cell."""

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


def history(session: Session, trial_id: str) -> list[dict[str, Any]]:
    """The attempts of a trial in their order; an attempt that goes on has no outcome."""
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
    return [dict(row._mapping) for row in rows]
