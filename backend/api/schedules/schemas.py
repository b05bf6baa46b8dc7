"""Requests and responses of /schedules."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictStr

from backend.api.schema import Body, Line, Timestamp
from backend.core.messages.message import MessageParts, WithMessages
from backend.core.plan.cron import MOST_CHARACTERS

HostName = Annotated[StrictStr, Field(min_length=1, max_length=64)]
Expression = Annotated[StrictStr, Field(min_length=1, max_length=MOST_CHARACTERS)]
ZoneName = Annotated[StrictStr, Field(min_length=1, max_length=64)]
Hosts = Annotated[tuple[HostName, ...], Field(min_length=1, max_length=64)]
MissedReason = Literal[
    "server_away", "still_running", "host_left", "host_drained", "no_host", "no_rights", "quota", "refused"
]


class ScheduleTimes(Body):
    """A cron expression of five fields, in local time of an IANA time zone."""

    cron: Expression
    time_zone: ZoneName = "UTC"


class ScheduleStart(ScheduleTimes):
    """A new schedule: its times, and either the names of its hosts or a label that they have."""

    hosts: Hosts | None = None
    host_label: HostName | None = None
    client_host: HostName | None = None


class ScheduleChange(Body):
    """What changes; a field that is left out stays as it is.

    `enabled` false pauses the schedule. Hosts replace a label, and the other way round. `client_host` null
    removes the client host.
    """

    cron: Expression | None = None
    time_zone: ZoneName | None = None
    hosts: Hosts | None = None
    host_label: HostName | None = None
    client_host: HostName | None = None
    enabled: StrictBool | None = None


class NextTimes(Body):
    """The next times of a cron expression; fewer than five where no more come within five years."""

    next_times: tuple[Timestamp, ...]


class ScheduleDue(WithMessages, Body):
    """What became of a time that was due.

    "started": `run_id` or `group_id` names what was started, `late` says that it was made up for after the
    server was away, and `waits_until` when the host's opening hours let its first trial start. "missed":
    `reason` says why, of one `host` where it concerns only that one. `times` is the number of due times in
    the row, from `due_at` on.
    """

    id: str
    due_at: Timestamp
    at: Timestamp
    outcome: Literal["started", "missed"]
    reason: MissedReason | None
    detail: Line
    detail_message: MessageParts | None = None
    host: str | None
    times: int
    late: bool
    waits_until: Timestamp | None
    run_id: str | None
    group_id: str | None


class ScheduleDueList(Body):
    """One page of the times that were due, newest first."""

    data: tuple[ScheduleDue, ...]
    next_cursor: str | None


class Schedule(Body):
    """A schedule of an experiment. `next_times` is empty while it is paused (`enabled` false).

    Its runs have the rights of `account`, who created or changed it last, and count against the team's
    quotas.
    """

    id: str
    experiment_id: str
    name: str
    title: Line
    cron: str
    time_zone: str
    hosts: tuple[str, ...] | None
    host_label: str | None
    client_host: str | None
    account: str | None
    enabled: bool
    next_times: tuple[Timestamp, ...]
    last: ScheduleDue | None
    created_at: Timestamp


class ScheduleList(Body):
    """The schedules of a team: the next ones first, then the paused ones."""

    data: tuple[Schedule, ...]
