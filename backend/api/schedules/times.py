"""The times of a schedule, checked at its fields."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from typing import Final
from zoneinfo import ZoneInfo

from backend.core.errors import Invalid
from backend.core.plan.cron import parse_cron

SHOWN: Final = 5
CHECKED: Final = 200
LEAST: Final = timedelta(minutes=15)
"""The least time between two starts."""


class UnknownZone(ValueError):
    """A stored time zone that the system's database no longer has."""


def times_after(cron: str, time_zone: str, after: datetime) -> Iterator[datetime]:
    """The times of a stored schedule, in UTC. Raises UnknownZone."""
    try:
        zone = ZoneInfo(time_zone)
    except (OSError, ValueError, KeyError) as error:
        raise UnknownZone(f"this server knows no time zone {time_zone}: choose another one") from error
    return parse_cron(cron).times(after, zone)


def next_times(cron: str, time_zone: str) -> tuple[datetime, ...]:
    """The next times of a stored schedule; none where its time zone is not known any more."""
    try:
        return tuple(islice(times_after(cron, time_zone, datetime.now(UTC)), SHOWN))
    except UnknownZone:
        return ()


def check_times(cron: str, time_zone: str) -> tuple[datetime, ...]:
    """The next times of a requested schedule. Raises Invalid at the field, with a remedy."""
    try:
        parsed = parse_cron(cron)
    except ValueError as error:
        raise Invalid.at("/cron", "bad_cron", f"{error}; an example is 0 2 * * mon-fri") from error
    try:
        zone = ZoneInfo(time_zone)
    except (OSError, ValueError, KeyError) as error:
        detail = "no such time zone; write one as Europe/Berlin or UTC"
        raise Invalid.at("/time_zone", "unknown_zone", detail) from error
    found = list(islice(parsed.times(datetime.now(UTC), zone), CHECKED))
    if not found:
        raise Invalid.at("/cron", "never_due", "this date never comes; choose another day or month")
    if any(later - earlier < LEAST for earlier, later in pairwise(found)):
        raise Invalid.at("/cron", "too_often", "two starts are less than 15 minutes apart; choose fewer")
    return tuple(found[:SHOWN])
