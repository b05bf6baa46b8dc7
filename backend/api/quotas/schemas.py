"""The response of /usage."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from backend.api.quotas.rules import Level, QuotaName
from backend.api.schema import Body, Line, Timestamp


class QuotaUse(Body):
    """The limit of one quota and its present use, null for a limit that each plan is compared with.

    `host_seconds_per_day` counts the trials of the last 24 h and the estimate for all that still have to run.
    `level` is "near" from three quarters of the limit on, "reached" where nothing more is admitted.
    """

    quota: QuotaName
    limit: int
    used: float | None
    unit: str
    level: Level


class UsageReport(Body):
    """The quotas of the team."""

    data: tuple[QuotaUse, ...]


class OwnLimits(Body):
    """All limits that a team has of its own; null, and one that is left out: that of the installation.

    With 0 nothing more is admitted.
    """

    queued_trials: Annotated[StrictInt, Field(ge=0, le=1_000_000)] | None = None
    active_runs: Annotated[StrictInt, Field(ge=0, le=10_000)] | None = None
    host_seconds_per_day: Annotated[StrictInt, Field(ge=0, le=86_400_000)] | None = None
    stored_bytes: Annotated[StrictInt, Field(ge=0, le=10**15)] | None = None
    open_streams: Annotated[StrictInt, Field(ge=0, le=10_000)] | None = None
    cells_per_plan: Annotated[StrictInt, Field(ge=0, le=100_000)] | None = None
    seconds_per_trial: Annotated[StrictInt, Field(ge=0, le=86_400)] | None = None


class TeamQuota(QuotaUse):
    """One quota of a team: `own` is its own limit, if it has one; `default` that of the installation."""

    own: int | None
    default: int


class TeamQuotas(Body):
    """The quotas of one team."""

    data: tuple[TeamQuota, ...]


class LargeRun(Body):
    """An ended run and what it stores. `starred`: somebody starred it, so retention keeps it."""

    id: str
    experiment_id: str
    title: Line
    host: Line
    trials: int
    stored_bytes: int
    finished_at: Timestamp
    starred: bool


class LargestRuns(Body):
    """The team's ended runs that store most, largest first."""

    data: tuple[LargeRun, ...]


class StoredTable(Body):
    """A table of the database with its indexes and long values; free space inside is included."""

    name: str
    bytes: int


class StoredTeam(Body):
    """What the ended runs of a team store, and its limit of `stored_bytes`."""

    id: str
    name: Line
    bytes: int
    limit: int


class StorageReport(Body):
    """What the database takes on its disk, and whose runs take it; each largest first."""

    database_bytes: int
    tables: tuple[StoredTable, ...]
    teams: tuple[StoredTeam, ...]
