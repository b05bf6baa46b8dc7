"""When a cron expression is due, in local time of an IANA time zone.

Five fields: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). Each is `*`, a
number, a range, a list, or one of these with a step; months and days of the week have English names of three
letters. Where both days are restricted, either is enough, as in Vixie cron.

Clock changes are read as in a host's opening hours: a local time that the clocks skip is read with the offset
of before the change, and of one that occurs twice, the first counts (PEP 495, fold 0).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

MOST_CHARACTERS: Final = 100
FARTHEST: Final = timedelta(days=5 * 366)
"""An expression that is not due for longer, such as February 30, is never due."""
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_VALUE: Final = r"[a-z]{3}|\d{1,2}"
_TERM: Final = re.compile(rf"(?P<low>\*|{_VALUE})(?:-(?P<high>{_VALUE}))?(?:/(?P<step>\d{{1,2}}))?")


@dataclass(frozen=True)
class _Field:
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()

    def parse(self, text: str) -> frozenset[int]:
        """The values of a field. Raises ValueError."""
        return frozenset(value for term in text.split(",") for value in self._term(term))

    def _term(self, term: str) -> range:
        found = _TERM.fullmatch(term.lower())
        if found is None or (found["low"] == "*" and found["high"] is not None):
            raise ValueError(f"{self.name}: {term[:20]!r} is no number, range, list or step")
        step = int(found["step"] or 1)
        if step == 0:
            raise ValueError(f"{self.name}: a step is at least 1")
        if found["low"] == "*":
            return range(self.low, self.high + 1, step)
        low = self._number(found["low"])
        last = self.high if found["step"] is not None else low
        high = last if found["high"] is None else self._number(found["high"])
        if high < low:
            raise ValueError(f"{self.name}: {term} ends before it begins")
        return range(low, high + 1, step)

    def _number(self, text: str) -> int:
        if text in self.names:
            return self.names.index(text) + self.low
        if not text.isdecimal() or not self.low <= int(text) <= self.high:
            raise ValueError(f"{self.name}: {text} is not between {self.low} and {self.high}")
        return int(text)


_FIELDS: Final = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of the month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of the week", 0, 7, _DAYS),
)


@dataclass(frozen=True)
class Cron:
    """A parsed expression."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool

    def times(self, after: datetime, zone: ZoneInfo) -> Iterator[datetime]:
        """The times in UTC after an aware time, in order; they end where none is due for FARTHEST."""
        day, last = after.astimezone(zone).date() - timedelta(days=1), after
        while datetime.combine(day, time(0), UTC) - last < FARTHEST:
            if self._is_due_on(day):
                for found in self._on(day, zone):
                    if found > last:
                        yield found
                        last = found
            day += timedelta(days=1)

    def _is_due_on(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        of_month, of_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return (of_month or of_week) if self.either_day else (of_month and of_week)

    def _on(self, day: date, zone: ZoneInfo) -> list[datetime]:
        clocks = [time(hour, minute) for hour in self.hours for minute in self.minutes]
        local = (datetime.combine(day, clock, zone) for clock in clocks)
        return sorted({one.astimezone(UTC) for one in local})


def parse_cron(text: str) -> Cron:
    """The expression. Raises ValueError with what is wrong in which field."""
    parts = text.split()
    if len(text) > MOST_CHARACTERS or len(parts) != len(_FIELDS):
        raise ValueError("write five fields: minute, hour, day of the month, month, day of the week")
    minutes, hours, days, months, weekdays = (
        field.parse(part) for field, part in zip(_FIELDS, parts, strict=True)
    )
    return Cron(
        minutes=tuple(sorted(minutes)),
        hours=tuple(sorted(hours)),
        days=days,
        months=months,
        weekdays=frozenset(day % 7 for day in weekdays),
        either_day=not parts[2].startswith("*") and not parts[4].startswith("*"),
    )
