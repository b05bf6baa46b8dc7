"""When a host may start trials: weekly windows in one time zone.

A window begins and ends at the local time of its zone on each of its days, so that it moves with summer time.
A local time that the clocks skip is read with the offset of before the change; of one that occurs twice, the
first counts (PEP 495, fold 0).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Annotated, Final, Literal, get_args
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
DAYS: Final[tuple[Day, ...]] = get_args(Day)
MAX_WINDOWS: Final = 21
CLOCK: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$"
ZONE: Final = r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}$"


def _known_zone(name: str) -> str:
    try:
        _zone(name)
    except (OSError, ValueError) as error:  # ZoneInfoNotFoundError is a KeyError, files may be unreadable
        raise ValueError(f"{name}: no time zone that can be read") from error
    except KeyError as error:
        raise ValueError(f"{name}: no such time zone; write one as Europe/Berlin or UTC") from error
    return name


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


class WeeklyWindow(BaseModel):
    """From `opens` to `closes` (24:00: midnight) on each of the days.

    One that closes before it opens ends on the following day.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    days: Annotated[tuple[Day, ...], Field(min_length=1, max_length=7)]
    opens: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    closes: Annotated[str, Field(pattern=CLOCK)]

    @model_validator(mode="after")
    def _is_a_window(self) -> WeeklyWindow:
        if len(set(self.days)) < len(self.days):
            raise ValueError("a day occurs twice")
        if self.opens == self.closes:
            raise ValueError(f"opens and closes at {self.opens}; a whole day is 00:00 to 24:00")
        return self

    def on(self, day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Begin and end, in UTC, of the window that opens on this day."""
        past_midnight = self.closes == "24:00" or self.closes < self.opens
        last = day + timedelta(days=1) if past_midnight else day
        return _utc(day, self.opens, zone), _utc(last, self.closes, zone)


class OpeningHours(BaseModel):
    """The windows in which a host may start trials, in local time of an IANA time zone."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    time_zone: Annotated[str, Field(max_length=64, pattern=ZONE), AfterValidator(_known_zone)]
    windows: Annotated[tuple[WeeklyWindow, ...], Field(min_length=1, max_length=MAX_WINDOWS)]

    def opens_at(self, now: datetime) -> datetime | None:
        """When the next window opens, in UTC; None while one is open. `now` is aware."""
        later = [begin for begin, end in self._around(now) if now < end]
        first = min(later)
        return None if first <= now else first

    def _around(self, now: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Every window that opens from yesterday to the same weekday of the next week."""
        zone = _zone(self.time_zone)
        today = now.astimezone(zone).date()
        for offset in range(-1, 9):
            day = today + timedelta(days=offset)
            name = DAYS[day.weekday()]
            for window in self.windows:
                if name in window.days:
                    begin, end = window.on(day, zone)
                    if begin < end:  # an hour that the clocks skip may leave nothing of it
                        yield begin, end


def _utc(day: date, clock: str, zone: ZoneInfo) -> datetime:
    local = time(0) if clock == "24:00" else time.fromisoformat(clock)
    return datetime.combine(day, local, zone).astimezone(UTC)
