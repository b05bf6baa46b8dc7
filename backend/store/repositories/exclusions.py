"""Trials that somebody excluded from the statistics after their run, with the history of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, ScalarSelect, func, insert, select
from sqlalchemy.orm import Session

from backend.core.errors import Conflict
from backend.core.plan.states import RUN_ENDED
from backend.store.models import Exclusion, Result, Run, Trial
from backend.store.repositories import run_entries, runs, trial_sql


@dataclass(frozen=True)
class ExclusionEntry:
    """One entry of a trial's history."""

    action: Literal["excluded", "included"]
    reason: str | None
    by: str
    at: datetime


def of_run(session: Session, run_id: str) -> dict[str, str]:
    """The reasons of a run's excluded trials, by the trial's id."""
    rows = session.execute(
        select(Exclusion.trial_id, Exclusion.reason).where(Exclusion.run_id == run_id).order_by(Exclusion.id)
    )
    last = {row.trial_id: row.reason for row in rows}
    return {trial_id: reason for trial_id, reason in last.items() if reason is not None}


def history(session: Session, trial_id: str) -> list[ExclusionEntry]:
    """The entries of a trial, oldest first."""
    rows = session.execute(
        select(Exclusion.action, Exclusion.reason, Exclusion.by, Exclusion.at)
        .where(Exclusion.trial_id == trial_id)
        .order_by(Exclusion.id)
    )
    return [ExclusionEntry(**row._mapping) for row in rows]


def last_entry_of(run_id: str) -> ScalarSelect[int]:
    """The number of a run's last entry, 0 without one: it changes with every change of the exclusions."""
    last = select(func.coalesce(func.max(Exclusion.id), 0)).where(Exclusion.run_id == run_id)
    return last.scalar_subquery()


def is_excluded(result: type[Result]) -> ColumnElement[bool]:
    """Whether the trial of a result is excluded."""
    last = (
        select(Exclusion.action)
        .where(Exclusion.trial_id == result.trial_id)
        .order_by(Exclusion.id.desc())
        .limit(1)
        .correlate(result)
        .scalar_subquery()
    )
    return func.coalesce(last, "included") == "excluded"


def exclude(session: Session, trial_id: str, reason: str, by: str) -> str:
    """Exclude a recorded trial of an ended run; returns the run. The same reason again adds nothing.

    Raises NotFound, and Conflict for a run that has not ended or a trial without a result.
    """
    run_id = _lock(session, trial_id)
    if session.scalar(select(Run.state).where(Run.id == run_id)) not in RUN_ENDED:
        raise Conflict("the run has not ended: trials can be excluded afterwards")
    if session.scalar(select(Trial.state).where(Trial.id == trial_id)) != "done":
        raise Conflict("the trial has no result that could be excluded")
    if _reason(session, trial_id) != reason:
        _add(session, run_id, trial_id, reason, by)
    return run_id


def include(session: Session, trial_id: str, by: str) -> str:
    """Include an excluded trial again; returns the run. Raises NotFound."""
    run_id = _lock(session, trial_id)
    if _reason(session, trial_id) is not None:
        _add(session, run_id, trial_id, None, by)
    return run_id


def _lock(session: Session, trial_id: str) -> str:
    """Lock the run of a trial; returns it. Raises NotFound."""
    run_id = trial_sql.run_of(session, trial_id)
    runs.lock(session, run_id)
    return run_id


def _reason(session: Session, trial_id: str) -> str | None:
    entries = history(session, trial_id)
    return entries[-1].reason if entries else None


def _add(session: Session, run_id: str, trial_id: str, reason: str | None, by: str) -> None:
    action = "included" if reason is None else "excluded"
    session.execute(
        insert(Exclusion).values(run_id=run_id, trial_id=trial_id, action=action, reason=reason, by=by)
    )
    run_entries.exclusions_changed(session, run_id)
