"""Schedules of teams, and what became of the times that were due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, delete, func, insert, null, select, update
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.core.plan.states import RUN_ENDED
from backend.store.ids import is_id, new_id
from backend.store.models import Account, Experiment, Membership, Run, Schedule, ScheduleStart

KEPT_STARTS: Final = 500
"""Rows of a schedule's log; the oldest are deleted first."""


@dataclass(frozen=True)
class StoredSchedule:
    """A schedule with its experiment, and the name of the account whose rights its runs have."""

    id: str
    team_id: str
    experiment_id: str
    name: str
    title: str
    cron: str
    time_zone: str
    hosts: list[str] | None
    host_label: str | None
    client_host: str | None
    account_id: str | None
    account: str | None
    host_network: bool
    next_at: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class Due:
    """What became of a time that was due."""

    due_at: datetime
    at: datetime
    outcome: str
    reason: str | None = None
    detail: str = ""
    host: str | None = None
    times: int = 1
    late: bool = False
    waits_until: datetime | None = None
    run_id: str | None = None
    group_id: str | None = None


@dataclass(frozen=True)
class StoredDue(Due):
    """A row of a schedule's log."""

    id: str = ""


_OTHER: Final = {"name": Experiment.name, "title": Experiment.title, "account": Account.name}


def _query() -> Select[Any]:
    columns = [
        _OTHER[name].label(name) if name in _OTHER else getattr(Schedule, name)
        for name in StoredSchedule.__dataclass_fields__
    ]
    return (
        select(*columns)
        .join(Experiment, Experiment.id == Schedule.experiment_id)
        .join(Account, Account.id == Schedule.account_id, isouter=True)
    )


def of_team(session: Session, team_id: str, experiment_id: str | None = None) -> list[StoredSchedule]:
    """The schedules of a team, or of one of its experiments: the next ones first, then the paused ones."""
    query = _query().where(Schedule.team_id == team_id)
    if experiment_id is not None:
        query = query.where(Schedule.experiment_id == experiment_id)
    rows = session.execute(query.order_by(Schedule.next_at.asc().nulls_last(), Schedule.id))
    return [StoredSchedule(**row._mapping) for row in rows]


def get(session: Session, schedule_id: str) -> StoredSchedule:
    """One schedule. Raises NotFound."""
    query = _query().where(Schedule.id == schedule_id)
    row = session.execute(query).one_or_none() if is_id("sch", schedule_id) else None
    if row is None:
        raise NotFound("there is no such schedule")
    return StoredSchedule(**row._mapping)


def count(session: Session, team_id: str) -> int:
    """The number of a team's schedules."""
    return session.scalar(select(func.count()).where(Schedule.team_id == team_id)) or 0


def create(session: Session, team_id: str, experiment_id: str, values: dict[str, Any]) -> StoredSchedule:
    """Store a schedule; `values` are its other columns."""
    schedule_id = new_id("sch")
    own = {"id": schedule_id, "team_id": team_id, "experiment_id": experiment_id}
    session.execute(insert(Schedule).values(**own, **_with_null(values)))
    return get(session, schedule_id)


def change(session: Session, schedule_id: str, values: dict[str, Any]) -> StoredSchedule:
    """Change columns of a schedule. Raises NotFound."""
    if values:
        session.execute(update(Schedule).where(Schedule.id == schedule_id).values(**_with_null(values)))
    return get(session, schedule_id)


def _with_null(values: dict[str, Any]) -> dict[str, Any]:
    """JSON columns would store None as the JSON value null."""
    return {name: null() if value is None else value for name, value in values.items()}


def remove(session: Session, schedule_id: str) -> None:
    """Delete a schedule with its log; its runs stay."""
    session.execute(delete(Schedule).where(Schedule.id == schedule_id))


def take_due(session: Session, now: datetime) -> StoredSchedule | None:
    """The schedule that is due the longest, locked; those that another process has are passed over."""
    query = select(Schedule.id).where(Schedule.next_at <= now).order_by(Schedule.next_at).limit(1)
    found = session.scalar(query.with_for_update(skip_locked=True))
    return None if found is None else get(session, found)


def log(session: Session, schedule_id: str, rows: Iterable[Due]) -> None:
    """Append to the log of a schedule, and delete its oldest rows."""
    for row in rows:
        session.execute(insert(ScheduleStart).values(schedule_id=schedule_id, **asdict(row)))
    own = ScheduleStart.schedule_id == schedule_id
    newest = select(ScheduleStart.id).where(own).order_by(ScheduleStart.id.desc()).limit(KEPT_STARTS)
    session.execute(delete(ScheduleStart).where(own, ScheduleStart.id.not_in(newest.scalar_subquery())))


def starts(session: Session, schedule_id: str, limit: int, after_id: str | None) -> list[StoredDue]:
    """The log of a schedule before `after_id`, newest first. Raises NotFound for one that is no number."""
    query = select(ScheduleStart).where(ScheduleStart.schedule_id == schedule_id)
    if after_id is not None:
        if not after_id.isdecimal() or len(after_id) > 18:
            raise NotFound("there is no such row")
        query = query.where(ScheduleStart.id < int(after_id))
    rows = session.scalars(query.order_by(ScheduleStart.id.desc()).limit(limit))
    return [_due(row) for row in rows]


def last_starts(session: Session, schedule_ids: Sequence[str]) -> dict[str, StoredDue]:
    """The newest row of the log of each schedule."""
    of_these = ScheduleStart.schedule_id.in_(schedule_ids)
    newest = select(func.max(ScheduleStart.id)).where(of_these).group_by(ScheduleStart.schedule_id)
    query = select(ScheduleStart).where(ScheduleStart.id.in_(newest))
    return {row.schedule_id: _due(row) for row in session.scalars(query)}


def _due(row: ScheduleStart) -> StoredDue:
    values = {name: getattr(row, name) for name in Due.__dataclass_fields__}
    return StoredDue(**values, id=str(row.id))


def active_run(session: Session, schedule_id: str) -> str | None:
    """A run of a schedule that has not ended."""
    query = select(Run.id).where(Run.schedule_id == schedule_id, Run.state.not_in(RUN_ENDED)).limit(1)
    found: str | None = session.scalar(query)
    return found


def role_of(session: Session, account_id: str | None, team_id: str) -> str | None:
    """The role of an account in a team; None of a disabled one and of one that is no member."""
    found: str | None = session.scalar(
        select(Membership.role)
        .join(Account, Account.id == Membership.account_id)
        .where(
            Membership.account_id == account_id, Membership.team_id == team_id, Account.disabled_at.is_(None)
        )
    )
    return found
