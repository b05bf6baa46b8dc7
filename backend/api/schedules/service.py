"""Creates, changes and lists schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.paging import read_rows
from backend.api.plans.client_host import choose_client
from backend.api.run_groups.chosen_hosts import choose_hosts
from backend.api.run_groups.schemas import RunGroupStart
from backend.api.schedules.schemas import (
    NextTimes,
    Schedule,
    ScheduleChange,
    ScheduleDue,
    ScheduleDueList,
    ScheduleList,
    ScheduleStart,
    ScheduleTimes,
)
from backend.api.schedules.times import check_times, next_times
from backend.api.schema import PageQuery
from backend.core.errors import Conflict, Invalid
from backend.settings import Settings
from backend.store.repositories import experiments, schedules
from backend.store.repositories.schedules import StoredDue, StoredSchedule
from backend.store.session import session_scope

MOST: Final = 100
"""Schedules of a team."""


def create(settings: Settings, caller: Actor, experiment_id: str, start: ScheduleStart) -> Schedule:
    """Store a schedule. Raises NotFound, Conflict at the limit, and Invalid at the field."""
    first = check_times(start.cron, start.time_zone)[0]
    with session_scope(settings) as session:
        experiments.get(session, experiment_id)
        if schedules.count(session, caller.team) >= MOST:
            raise Conflict(f"a team has at most {MOST} schedules: delete one first")
        _check_hosts(session, start.hosts, start.host_label, start.client_host)
        values = start.model_dump(exclude={"hosts"}) | {"next_at": first} | _rights(caller)
        values["hosts"] = None if start.hosts is None else list(start.hosts)
        stored = schedules.create(session, caller.team, experiment_id, values)
    return _resource(stored, None)


def _rights(caller: Actor) -> dict[str, Any]:
    """Whose rights the runs have."""
    return {"account_id": caller.account_id, "host_network": caller.has_scope("run:host-network")}


def _check_hosts(
    session: Session, hosts: Sequence[str] | None, label: str | None, client: str | None
) -> None:
    """Raise Invalid for hosts that a run could not be started on now."""
    chosen = choose_hosts(
        session, RunGroupStart(hosts=None if hosts is None else tuple(hosts), host_label=label)
    )
    if client is not None:
        if client in {one.host.name for one in chosen}:
            detail = f"{client} is one of the hosts: leave it out there, or choose another client host"
            raise Invalid.at("/client_host", "same_host", detail)
        choose_client(session, None, client)


def change(settings: Settings, caller: Actor, schedule_id: str, changes: ScheduleChange) -> Schedule:
    """Change, pause or resume a schedule; its runs then have the caller's rights. Raises as `create`.

    A schedule that is resumed does not make up for the times of the pause.
    """
    given = changes.model_dump(exclude_none=True, exclude={"enabled"})
    if "client_host" in changes.model_fields_set:  # null removes it
        given["client_host"] = changes.client_host
    with session_scope(settings) as session:
        stored = schedules.get(session, schedule_id)
        if "hosts" in given and "host_label" in given:
            raise Invalid.at("/hosts", "both", "name either the hosts or a host_label, and not both")
        if "hosts" in given:
            given |= {"hosts": list(given["hosts"]), "host_label": None}
        elif "host_label" in given:
            given |= {"hosts": None}
        now = {**asdict(stored), **given}
        if given.keys() & {"hosts", "host_label", "client_host"}:
            _check_hosts(session, now["hosts"], now["host_label"], now["client_host"])
        enabled = stored.next_at is not None if changes.enabled is None else changes.enabled
        if not enabled:
            given["next_at"] = None
        if enabled and (stored.next_at is None or given.keys() & {"cron", "time_zone"}):
            given["next_at"] = check_times(now["cron"], now["time_zone"])[0]
        elif given.keys() & {"cron", "time_zone"}:
            check_times(now["cron"], now["time_zone"])
        found = schedules.change(session, schedule_id, given | _rights(caller))
        last = schedules.last_starts(session, [schedule_id]).get(schedule_id)
    return _resource(found, last)


def get(settings: Settings, schedule_id: str) -> Schedule:
    """One schedule. Raises NotFound."""
    with session_scope(settings) as session:
        found = schedules.get(session, schedule_id)
        last = schedules.last_starts(session, [schedule_id]).get(schedule_id)
    return _resource(found, last)


def of_team(settings: Settings, team_id: str, experiment_id: str | None) -> ScheduleList:
    """The schedules of a team, or of one of its experiments."""
    with session_scope(settings) as session:
        found = schedules.of_team(session, team_id, experiment_id)
        last = schedules.last_starts(session, [one.id for one in found])
    return ScheduleList(data=tuple(_resource(one, last.get(one.id)) for one in found))


def remove(settings: Settings, schedule_id: str) -> None:
    """Delete a schedule; its runs stay."""
    with session_scope(settings) as session:
        schedules.remove(session, schedule_id)


def log(settings: Settings, schedule_id: str, paging: PageQuery) -> ScheduleDueList:
    """One page of the times that were due, newest first. Raises NotFound."""
    with session_scope(settings) as session:
        schedules.get(session, schedule_id)
    rows, cursor = read_rows(
        settings,
        paging,
        lambda session, limit, after: schedules.starts(session, schedule_id, limit, after),
    )
    return ScheduleDueList(data=tuple(map(ScheduleDue.model_validate, rows)), next_cursor=cursor)


def preview(times: ScheduleTimes) -> NextTimes:
    """The next times of an expression. Raises Invalid."""
    return NextTimes(next_times=check_times(times.cron, times.time_zone))


def _resource(stored: StoredSchedule, last: StoredDue | None) -> Schedule:
    values = {name: getattr(stored, name) for name in Schedule.model_fields if hasattr(stored, name)}
    enabled = stored.next_at is not None
    return Schedule.model_validate(
        values
        | {
            "enabled": enabled,
            "next_times": next_times(stored.cron, stored.time_zone) if enabled else (),
            "last": None if last is None else ScheduleDue.model_validate(last),
        }
    )
