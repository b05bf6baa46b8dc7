"""Weekly hours of a host: across midnight, the end of the week and changes of the clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from backend.core.topology.opening_hours import OpeningHours

WORKDAYS = ["mon", "tue", "wed", "thu", "fri"]


def hours(*windows: tuple[list[str], str, str], zone: str = "Europe/Berlin") -> OpeningHours:
    rows: list[dict[str, Any]] = [
        {"days": days, "opens": opens, "closes": closes} for days, opens, closes in windows
    ]
    return OpeningHours.model_validate({"time_zone": zone, "windows": rows})


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


@pytest.mark.parametrize(
    ("now", "opens"),
    [
        ("2026-11-23T19:59:59+01:00", "2026-11-23T20:00:00+01:00"),  # Monday
        ("2026-11-23T20:00:00+01:00", None),
        ("2026-11-24T05:59:59+01:00", None),
        ("2026-11-24T06:00:00+01:00", "2026-11-24T20:00:00+01:00"),
        ("2026-11-28T05:59:00+01:00", None),  # Friday's window ends on Saturday
        ("2026-11-28T06:00:00+01:00", "2026-11-30T20:00:00+01:00"),
    ],
)
def test_a_window_that_closes_before_it_opens_ends_on_the_following_day(now: str, opens: str | None) -> None:
    nights = hours((WORKDAYS, "20:00", "06:00"))
    assert nights.opens_at(at(now)) == (None if opens is None else at(opens))


def test_windows_that_touch_leave_no_gap_and_a_day_ends_at_midnight() -> None:
    day = hours((["sat"], "00:00", "12:00"), (["sat"], "12:00", "24:00"))
    assert day.opens_at(at("2026-11-28T12:00:00+01:00")) is None
    assert day.opens_at(at("2026-11-28T23:59:59+01:00")) is None
    assert day.opens_at(at("2026-11-29T00:00:00+01:00")) == at("2026-12-05T00:00:00+01:00")


def test_the_time_zone_decides_and_not_the_clock_of_the_server() -> None:
    office = hours((["mon"], "09:00", "17:00"), zone="Asia/Shanghai")
    assert office.opens_at(at("2026-11-23T01:00:00+00:00")) is None
    assert office.opens_at(at("2026-11-23T09:00:00+00:00")) == at("2026-11-30T01:00:00+00:00")


def test_a_window_keeps_its_local_times_when_the_clocks_change() -> None:
    night = hours((["sat"], "22:00", "04:00"))
    # 29 March 2026: 02:00 becomes 03:00; the night is five hours long. 25 October: it is seven.
    for begin, seconds in (("2026-03-28T22:00:00+01:00", 5 * 3600), ("2026-10-24T22:00:00+02:00", 7 * 3600)):
        end = at(begin) + timedelta(seconds=seconds)
        assert night.opens_at(end - timedelta(seconds=1)) is None
        assert night.opens_at(end) is not None


def test_a_window_inside_the_skipped_hour_is_open_at_the_time_before_the_change() -> None:
    skipped = hours((["sun"], "02:30", "02:45"))
    assert skipped.opens_at(at("2026-03-29T03:29:00+02:00")) == at("2026-03-29T03:30:00+02:00")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"time_zone": "Europe/Atlantis"}, "no such time zone"),
        ({"time_zone": "../../etc/passwd"}, "pattern"),
        ({"time_zone": "Europe"}, "time zone"),
        ({"windows": []}, "at least 1 item"),
        ({"windows": [{"days": ["mon", "mon"], "opens": "08:00", "closes": "09:00"}]}, "a day occurs twice"),
        ({"windows": [{"days": ["mon"], "opens": "08:00", "closes": "08:00"}]}, "00:00 to 24:00"),
        ({"windows": [{"days": ["mon"], "opens": "24:00", "closes": "08:00"}]}, "pattern"),
        ({"windows": [{"days": ["mo"], "opens": "08:00", "closes": "09:00"}]}, "'mon'"),
        ({"windows": [{"days": ["mon"], "opens": "8:00", "closes": "09:00"}]}, "pattern"),
    ],
)
def test_what_names_no_times_is_refused_with_the_reason(change: dict[str, Any], problem: str) -> None:
    good = {"time_zone": "UTC", "windows": [{"days": ["mon"], "opens": "08:00", "closes": "09:00"}]}
    OpeningHours.model_validate(good)
    with pytest.raises(ValidationError, match=problem):
        OpeningHours.model_validate(good | change)
