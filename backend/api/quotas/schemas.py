"""The response of /usage."""

from __future__ import annotations

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
