"""Rows, series, colours and axes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.chart.build import build_chart
from backend.core.chart.model.axes import decimals, nice_above, zoom_domain
from backend.core.chart.model.cell_models import Summary
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Interval
from tests.core.chart.runs import made_up, study_experiment


def chart(factors: dict[str, Any], **baseline: Any) -> ChartModel:
    return build_chart(made_up(study_experiment(factors=factors, baseline=baseline, study=None)))


@pytest.mark.parametrize(
    ("factors", "row", "series"),
    [
        ({"path": ["same_container", "sibling_container"]}, "path", "userland_proxy"),
        ({"userland_proxy": [True, False]}, "path", "userland_proxy"),
        ({"clients": [1, 2]}, "clients", "userland_proxy"),
        ({"path": ["same_container", "sibling_container"], "clients": [1, 2]}, "path", "clients"),
        ({"clients": [1, 2], "scale": [1, 2]}, "clients", "scale"),
        ({"clients": [1, 2], "userland_proxy": [True, False]}, "clients", "userland_proxy"),
        ({"scale": 5}, "path", "userland_proxy"),
    ],
)
def test_rows_and_series(factors: dict[str, Any], row: str, series: str) -> None:
    baseline = {name: levels[0] if isinstance(levels, list) else levels for name, levels in factors.items()}
    model = chart(factors, **baseline)
    assert (model.row_factor, model.series_factor) == (row, series)
    places = [(c.row, c.series) for c in model.cells]
    assert len(set(places)) == len(places)


def test_rows_name_every_other_factor() -> None:
    levels = {
        "path": ["same_container", "sibling_container"],
        "userland_proxy": [True, False],
        "clients": [1, 2],
    }
    model = chart(levels, path="same_container")
    assert model.cells[0].row == "Same container, 1 client"
    assert model.cells[1].row == "Same container, 1 client (A/A)"
    assert model.cells[0].series == "userland-proxy on"


def test_a_row_begins_with_its_group() -> None:
    levels = {
        "path": ["nginx_http_published", "nginx_http_unix"],
        "clients": [1, 2],
        "threads": [1, 2],
        "tool": "wrk",
    }
    baseline = {"path": "nginx_http_published"}
    model = build_chart(
        made_up(study_experiment(factors=levels, baseline=baseline, study=None, metrics=["rps"]))
    )
    groups = {cell.row_group for cell in model.cells}
    assert groups == {"Reverse proxy nginx (HTTP), published port", "Reverse proxy nginx (HTTP), Unix socket"}
    assert all(cell.row.startswith(f"{cell.row_group}, ") for cell in model.cells)


def test_a_level_has_the_same_colour_in_every_run() -> None:
    both = chart({"userland_proxy": [False, True]}, userland_proxy=True)
    off = chart(
        {"path": ["same_container", "sibling_container"], "userland_proxy": False}, path="same_container"
    )
    assert {c.series: c.color for c in both.cells} == {"userland-proxy off": 1, "userland-proxy on": 0}
    assert {c.series: c.color for c in off.cells} == {"userland-proxy off": 1}
    assert [(entry.level, entry.label, entry.color, entry.shape) for entry in both.legend] == [
        ("false", "userland-proxy off", 1, 1),
        ("true", "userland-proxy on", 0, 0),
    ]


def test_numeric_series_are_coloured_by_size() -> None:
    model = chart(
        {"path": ["same_container", "sibling_container"], "clients": [8, 1, 4]}, path="same_container"
    )
    assert [(entry.level, entry.color) for entry in model.legend] == [("8", 2), ("1", 0), ("4", 1)]


@given(st.floats(1e-9, 1e12))
def test_axes_end_on_a_round_number_not_far_above(value: float) -> None:
    top = nice_above(value)
    assert value <= top <= value * 1.34


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=20))
def test_the_zoom_holds_every_value(values: list[float]) -> None:
    low, high = zoom_domain(values)
    assert 0 <= low <= min(values) + 1e-9
    assert max(values) <= high
    assert low < high


def summary(width: float) -> Summary:
    interval = Interval(low=100.0, high=100.0 + width)
    return Summary(n=10, median=100.0, interval=interval, cv_percent=None, values=())


@pytest.mark.parametrize(("width", "digits"), [(450, 0), (45, 0), (4.5, 1), (0.45, 2), (0.045, 3), (1e-9, 6)])
def test_decimals_follow_the_interval(width: float, digits: int) -> None:
    assert decimals([summary(width)], 100) == digits


@pytest.mark.parametrize(("top", "digits"), [(17_500, 0), (96.3, 2), (0.3, 4), (0, 0)])
def test_decimals_without_intervals(top: float, digits: int) -> None:
    assert decimals([], top) == digits


def test_axes_hold_published_figures_and_start_at_zero() -> None:
    tps, cpu, _ = build_chart(made_up()).axes
    assert (tps.metric, tps.unit, tps.better, tps.domain) == ("tps", "1/s", "higher", (0.0, 20_000.0))
    assert (cpu.better, cpu.domain[0]) == ("lower", 0.0)
    assert 9_000 < tps.zoom[0] < 10_811
