"""Cron expressions: fields, days, clock changes, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from backend.core.plan.cron import parse_cron

BERLIN = ZoneInfo("Europe/Berlin")


def times(expression: str, after: str, zone: str = "UTC", count: int = 3) -> list[str]:
    begin = datetime.fromisoformat(after).replace(tzinfo=UTC)
    found = parse_cron(expression).times(begin, ZoneInfo(zone))
    return [f"{one:%Y-%m-%d %H:%M}" for one in islice(found, count)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # Of cronsim 2.8, after Monday 2026-11-23 20:30 in UTC.
        ("0 2 * * *", ["2026-11-24 02:00", "2026-11-25 02:00", "2026-11-26 02:00"]),
        ("30 20 * * *", ["2026-11-24 20:30", "2026-11-25 20:30", "2026-11-26 20:30"]),
        ("*/20 9-10 * * mon-fri", ["2026-11-24 09:00", "2026-11-24 09:20", "2026-11-24 09:40"]),
        ("0 3 1,15 * *", ["2026-12-01 03:00", "2026-12-15 03:00", "2027-01-01 03:00"]),
        ("0 3 13 * 5", ["2026-11-27 03:00", "2026-12-04 03:00", "2026-12-11 03:00"]),
        ("0 0 * * 7", ["2026-11-29 00:00", "2026-12-06 00:00", "2026-12-13 00:00"]),
        ("0 0 29 2 *", ["2028-02-29 00:00", "2032-02-29 00:00", "2036-02-29 00:00"]),
        ("5/25 4 * jan *", ["2027-01-01 04:05", "2027-01-01 04:30", "2027-01-01 04:55"]),
    ],
)
def test_the_next_times(expression: str, expected: list[str]) -> None:
    assert times(expression, "2026-11-23 20:30") == expected


def test_local_time_moves_with_summer_time() -> None:
    assert times("0 12 * * *", "2027-03-27 00:00", "Europe/Berlin", 2) == [
        "2027-03-27 11:00",
        "2027-03-28 10:00",
    ]


def test_a_time_that_the_clocks_skip_is_due_once() -> None:
    assert times("30 2 * * *", "2027-03-27 12:00", "Europe/Berlin", 2) == [
        "2027-03-28 01:30",
        "2027-03-29 00:30",
    ]


def test_a_time_that_occurs_twice_is_due_at_the_first() -> None:
    assert times("30 2 * * *", "2027-10-30 12:00", "Europe/Berlin", 2) == [
        "2027-10-31 00:30",
        "2027-11-01 01:30",
    ]


def test_a_date_that_does_not_exist_is_never_due() -> None:
    assert times("0 0 30 2 *", "2026-01-01 00:00") == []


@pytest.mark.parametrize(
    ("expression", "field"),
    [
        ("0 2 * *", "five fields"),
        ("0 2 * * * *", "five fields"),
        ("60 2 * * *", "minute: 60"),
        ("0 24 * * *", "hour: 24"),
        ("0 2 0 * *", "day of the month: 0"),
        ("0 2 * 13 *", "month: 13"),
        ("0 2 * * 8", "day of the week: 8"),
        ("0 2 * * fro", "day of the week: fro"),
        ("*/0 2 * * *", "minute: a step"),
        ("5-1 2 * * *", "minute: 5-1"),
        ("*-5 2 * * *", "minute: '\\*-5'"),
        ("0,, 2 * * *", "minute: ''"),
        ("0" * 101, "five fields"),
    ],
)
def test_what_is_wrong_names_the_field(expression: str, field: str) -> None:
    with pytest.raises(ValueError, match=field):
        parse_cron(expression)
