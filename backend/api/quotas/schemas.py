"""The response of /usage."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from backend.api.quotas.rules import QuotaName
from backend.api.schema import Body


class QuotaUse(Body):
    """The limit of one quota and its present use, null for a limit that each plan is compared with.

    `host_seconds_per_day` counts the trials of the last 24 h and the estimate for all that still have to run.
    """

    quota: QuotaName
    limit: int
    used: float | None
    unit: str


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
