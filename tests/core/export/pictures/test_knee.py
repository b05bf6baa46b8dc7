"""Where sweeps bend as a picture: the model's own medians, limit and knee, a panel a sweep."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Interval
from backend.core.export.pictures.knee import LOG_FROM, MAX_PANELS, knee
from tests.core.chart.sweeps.test_knee import RATES, a_run, with_knee_at

LATENCY = "open_latency_p99_ms"


def model_of(high: float = 40.0, *metrics: str, **factors: Any) -> ChartModel:
    """A sweep of the rate that holds 5 ms up to 4,000 in half of its rounds, 8,000 in the others."""
    ends = dict(zip(range(1, 9), [2000, 4000, 4000, 4000, 8000, 8000, 8000, 8000], strict=True))
    figures = with_knee_at(ends)

    def measured(level: int, round_: int) -> dict[str, float]:
        found = figures(level, round_)
        return found | {LATENCY: high if found[LATENCY] > 5 else found[LATENCY]}

    data = a_run(measured, rate=RATES, **factors)
    shown = data.experiment.model_copy(
        update={"latency_limit_ms": 5.0, "metrics": metrics or ("tps", LATENCY)}
    )
    return build_chart(replace(data, experiment=shown), complete=True)


def values(panel: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return [
        row for layer in panel["layer"] if layer["mark"]["type"] == mark for row in layer["data"]["values"]
    ]


def test_points_are_the_medians_and_rules_limit_knee_and_intervals() -> None:
    model = model_of()
    (found,) = model.knees
    (panel,) = knee(model, "light")["concat"]
    cells = {cell.id: cell for cell in model.cells}
    summaries = [(cells[id_].levels["rate"], cells[id_].summaries[LATENCY]) for id_ in found.cells]
    assert [(row["x"], row["y"]) for row in values(panel, "point")] == [(x, s.median) for x, s in summaries]
    assert values(panel, "line") == values(panel, "point")
    assert found.level == 4000 and found.interval is not None
    rules = values(panel, "rule")
    assert {"y": 5.0} in rules and {"x": found.level} in rules
    assert [(row["y"], row["y2"]) for row in rules if "y2" in row] == [
        (s.interval.low, s.interval.high) for _, s in summaries if s.interval is not None
    ]
    assert values(panel, "rect") == [{"x": found.interval.low, "x2": found.interval.high}]
    (x,) = [layer["encoding"]["x"] for layer in panel["layer"] if layer["mark"]["type"] == "line"]
    assert (x["type"], x["scale"]["domain"]) == ("ordinal", RATES)


@pytest.mark.parametrize(
    ("high", "scale", "title"),
    [
        (2.0 * LOG_FROM, {"zero": True, "nice": True}, "ms"),
        (
            2.0 * LOG_FROM + 1,
            {"type": "log", "base": 10, "domain": [1.0, 100.0], "nice": False},
            "ms, logarithmic",
        ),
    ],
)
def test_the_axis_is_logarithmic_beyond_the_pages_span(
    high: float, scale: dict[str, Any], title: str
) -> None:
    (panel,) = knee(model_of(high), "light")["concat"]
    (y,) = [layer["encoding"]["y"] for layer in panel["layer"] if layer["mark"]["type"] == "line"]
    assert (y["scale"], y["axis"]["title"]) == (scale, title)


def test_what_lies_beyond_the_sweep_stands_at_its_end() -> None:
    model = model_of()
    low = model.knees[0].model_copy(update={"interval": Interval(low=0.0, high=2000.0)})
    (panel,) = knee(model.model_copy(update={"knees": (low,)}), "light")["concat"]
    assert values(panel, "rect") == [{"x": 1000, "x2": 2000}]
    none = low.model_copy(update={"level": None, "limit_ms": None})
    (panel,) = knee(model.model_copy(update={"knees": (none,)}), "light")["concat"]
    assert values(panel, "rect") == [] and not [row for row in values(panel, "rule") if "y2" not in row]


def test_without_figures_the_panel_says_why() -> None:
    (panel,) = knee(model_of(40.0, "tps"), "light")["concat"]
    assert values(panel, "point") == []
    assert [row["text"] for row in values(panel, "text")] == [f"{LATENCY} is not among the run's metrics"]
    model = model_of()
    cells = tuple(cell.model_copy(update={"state": "contradicted"}) for cell in model.cells)
    (panel,) = knee(model.model_copy(update={"cells": cells}), "light")["concat"]
    assert values(panel, "point") == [] and [row["text"] for row in values(panel, "text")] == ["no figure"]


def test_every_sweep_has_its_panel_up_to_a_limit_that_is_told() -> None:
    model = model_of(path=["container_address", "host_network"])
    assert [panel["title"]["text"] for panel in knee(model, "dark")["concat"]] == [
        [found.title] for found in model.knees
    ]
    many = knee(model.model_copy(update={"knees": model.knees * 20}), "dark")
    assert len(many["concat"]) == MAX_PANELS
    assert f"The first {MAX_PANELS} of 40 sweeps." in many["title"]["subtitle"]


def test_it_is_deterministic_and_holds_no_expression() -> None:
    text = json.dumps(knee(model_of(), "light"), allow_nan=False)
    assert text == json.dumps(knee(model_of(), "light"))
    assert not re.search(r'"(expr|signal|labelExpr|calculate|url|href|params)"', text)
