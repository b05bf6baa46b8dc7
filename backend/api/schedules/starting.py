"""Starts what is due, or logs why not; every time that was due leaves a row.

One transaction takes a schedule, starts its run, logs it and moves `next_at`, with the schedule's row locked:
of several API processes, one starts it. After a time in which no server ran, the last missed time is made up
for, and the ones before it are logged as missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import Final

from sqlalchemy.orm import Session

from backend.api.access.actor import ROLES, Actor, Role
from backend.api.errors import Forbidden
from backend.api.run_groups import service as run_groups
from backend.api.run_groups.schemas import RunGroupStart
from backend.api.runs import service as runs
from backend.api.runs.schemas import RunStart
from backend.api.schedules.times import UnknownZone, times_after
from backend.core.errors import PlimsollError, QuotaExceeded, Refused, Unavailable
from backend.settings import Settings
from backend.store.repositories import audit, hosts, schedules
from backend.store.repositories.audit import Audited
from backend.store.repositories.hosts import KnownHost
from backend.store.repositories.schedules import Due, StoredSchedule
from backend.store.session import transaction

LATE: Final = timedelta(minutes=5)
"""A start that is later than this makes up for a missed time."""
MOST_COUNTED: Final = 10_000


@dataclass(frozen=True)
class StartedRun:
    """A run whose worker has to be notified."""

    run_id: str
    host: str
    trials: int


def start_next(settings: Settings, now: datetime) -> list[StartedRun] | None:
    """Handle the schedule that is due the longest; None if none is. Raises Unavailable."""

    def work(session: Session) -> list[StartedRun] | None:
        schedule = schedules.take_due(session, now)
        return None if schedule is None else _handle(session, settings, schedule, now)

    return transaction(settings, work)


def _handle(
    session: Session, settings: Settings, schedule: StoredSchedule, now: datetime
) -> list[StartedRun]:
    assert schedule.next_at is not None
    try:
        later = times_after(schedule.cron, schedule.time_zone, schedule.next_at)
    except UnknownZone as error:
        why = Due(schedule.next_at, now, "missed", "refused", detail=f"{error}; the schedule is paused")
        schedules.log(session, schedule.id, [why])
        schedules.change(session, schedule.id, {"next_at": None})
        return []
    due = [schedule.next_at, *takewhile(lambda time: time <= now, islice(later, MOST_COUNTED))]
    rows: list[Due] = []
    if len(due) > 1:
        rows.append(Due(due[0], now, "missed", "server_away", times=len(due) - 1))
    found, started = _start(session, settings, schedule, Due(due[-1], now, "missed"))
    schedules.log(session, schedule.id, rows + found)
    after = next(times_after(schedule.cron, schedule.time_zone, now), None)
    schedules.change(session, schedule.id, {"next_at": after})
    return started


def _start(
    session: Session, settings: Settings, schedule: StoredSchedule, due: Due
) -> tuple[list[Due], list[StartedRun]]:
    """The rows of one time that is due, and the runs that it started."""
    running = schedules.active_run(session, schedule.id)
    if running is not None:
        return [replace(due, reason="still_running", run_id=running)], []
    chosen, rows = _hosts(session, schedule, due)
    if not chosen:
        return rows or [replace(due, reason="no_host", detail=schedule.host_label or "")], []
    try:
        with session.begin_nested():
            row, started = _queue(session, settings, schedule, chosen, due)
            _audit(session, schedule, row)
    except Unavailable:
        raise
    except PlimsollError as error:
        return [*rows, replace(due, reason=_reason(error), detail=str(error)[:500])], []
    return [*rows, row], started


def _hosts(session: Session, schedule: StoredSchedule, due: Due) -> tuple[list[KnownHost], list[Due]]:
    """The hosts to start on, and a row for each that cannot take a run."""
    known = hosts.list_all(session)
    named, label = schedule.hosts, schedule.host_label
    wanted = [host for host in known if (label in host.labels if named is None else host.name in named)]
    rows = []
    chosen = []
    for host in wanted:
        if host.left and named is None:
            continue  # its labels count no longer
        if host.left or host.drained_at is not None:
            reason = "host_left" if host.left else "host_drained"
            rows.append(replace(due, reason=reason, host=host.name))
        else:
            chosen.append(host)
    for name in [] if named is None else sorted(set(named) - {host.name for host in wanted}):
        rows.append(replace(due, reason="host_left", host=name))
    return chosen, rows


def _queue(
    session: Session, settings: Settings, schedule: StoredSchedule, chosen: Sequence[KnownHost], due: Due
) -> tuple[Due, list[StartedRun]]:
    caller = _caller(session, schedule)
    opens = [host.opens_at for host in chosen if host.opens_at is not None]
    row = replace(
        due,
        outcome="started",
        late=due.at - due.due_at > LATE,
        waits_until=min(opens) if len(opens) == len(chosen) else None,
    )
    client = schedule.client_host
    if schedule.hosts is not None and len(schedule.hosts) == 1:
        start = RunStart(host=chosen[0].name, client_host=client)
        run = runs.queue_start(session, settings, caller, schedule.experiment_id, start, schedule.id)
        return replace(row, run_id=run.id), [StartedRun(run.id, run.host, run.progress.total)]
    named = RunGroupStart(hosts=tuple(host.name for host in chosen), client_host=client)
    group = run_groups.queue_start(session, settings, caller, schedule.experiment_id, named, schedule.id)
    started = [
        StartedRun(one.run_id, one.host, one.progress.total)
        for one in group.members
        if one.run_id is not None and one.progress is not None
    ]
    return replace(row, group_id=group.id), started


def _caller(session: Session, schedule: StoredSchedule) -> Actor:
    """Who starts the runs: the account that changed the schedule last. Raises Forbidden if it may not."""
    role = schedules.role_of(session, schedule.account_id, schedule.team_id)
    known: Role | None = next((one for one in ROLES if one == role), None)
    if known is None or schedule.account_id is None or ROLES.index(known) < ROLES.index("runner"):
        detail = "who changed this schedule last may start no runs in the team any more: save it again"
        raise Forbidden("forbidden", detail)
    return Actor(
        kind="token",
        id=schedule.id,
        account_id=schedule.account_id,
        label=schedule.account or "",
        team_id=schedule.team_id,
        roles={schedule.team_id: known},
        scopes=frozenset(("run:write", "run:host-network") if schedule.host_network else ("run:write",)),
    )


def _reason(error: PlimsollError) -> str:
    if isinstance(error, QuotaExceeded):
        return "quota"
    if isinstance(error, Forbidden):
        return "no_rights"
    if isinstance(error, Refused) and error.problems:
        code = error.problems[0].code
        return code if code in ("host_left", "host_drained") else "refused"
    return "refused"


def _audit(session: Session, schedule: StoredSchedule, row: Due) -> None:
    audit.add(
        session,
        Audited(
            team_id=schedule.team_id,
            account_id=schedule.account_id,
            actor="Plimsoll",
            token_prefix=None,
            action="startScheduledRun",
            object=schedule.id,
            created=row.run_id or row.group_id,
            status=202,
            code=None,
            address="",
            request_id=row.run_id or row.group_id or "",
        ),
    )
