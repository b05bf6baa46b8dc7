"""Numbers of a finished model are rounded to significant digits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.chart.build import build_chart
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Interval
from backend.core.chart.model.rounding import rounded, significant
from tests.core.chart.runs import made_up


def floats(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from floats(item)
    elif isinstance(value, float):
        yield value


def test_every_number_of_a_finished_model_has_six_digits() -> None:
    model = build_chart(made_up())
    found = list(floats(model.model_dump()))
    assert len(found) > 200
    assert [x for x in found if x != significant(x)] == []
    assert any(x != significant(x, 5) for x in found)
    assert ChartModel.model_validate_json(model.model_dump_json()) == model


@pytest.mark.parametrize(
    ("value", "text"),
    [(17512.433838, "17512.4"), (0.000195312500, "0.000195313"), (1.0, "1.0"), (-1234567.0, "-1234570.0")],
)
def test_to_the_nearest(value: float, text: str) -> None:
    assert str(significant(value)) == text


@given(st.floats(-1e100, 1e100), st.integers(1, 9))
def test_rounding_is_close_and_changes_nothing_the_second_time(value: float, digits: int) -> None:
    once = significant(value, digits)
    assert significant(once, digits) == once
    assert abs(once - value) <= abs(value) * 0.5000001 * 10 ** (1 - digits)


def test_a_part_is_rounded_in_place() -> None:
    part = Interval(low=1.23456789, high=2)
    assert rounded(part, 3) is part
    assert part == Interval(low=1.23, high=2)
