"""Specifications: the model's own numbers, the page's colours, nothing that runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.export.colours import THEMES, ThemeName
from backend.core.export.vega import MAX_LANES, dots, roles
from tests.core.chart.runs import made_up, study_experiment
from tests.core.export.runs import hostile_run

TOKENS = Path(__file__).parents[3] / "frontend" / "src" / "theme" / "tokens.css"


def values(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return [
        row for layer in spec["layer"] if layer["mark"]["type"] == mark for row in layer["data"]["values"]
    ]


def test_dots_are_the_recorded_values_and_ticks_the_medians() -> None:
    model = build_chart(hostile_run(), whole=True)
    spec = dots(model, "tps", "light")
    recorded = [v for c in model.cells for v in c.summaries["tps"].values if v is not None]
    assert [row["x"] for row in values(spec, "point")] == recorded
    assert [row["x"] for row in values(spec, "tick")] == [c.summaries["tps"].median for c in model.cells]
    assert sum(row["used"] == 0.0 for row in values(spec, "point")) == 1
    axis = next(axis for axis in model.axes if axis.metric == "tps")
    for layer in spec["layer"]:
        if "scale" in layer["encoding"].get("x", {}):
            assert layer["encoding"]["x"]["scale"]["domain"] == [0.0, axis.domain[1]]
    baseline = next(cell for cell in model.cells if cell.is_baseline)
    assert baseline.summaries["tps"].median in [row.get("x") for row in values(spec, "rule")]


def test_bars_are_the_shares_and_the_rule_is_all_cores() -> None:
    model = build_chart(made_up(), whole=True)
    spec = roles(model, "dark")
    drawn = [(row["role"], row["cores"]) for row in values(spec, "bar")]
    assert drawn == [(s.role, s.cores) for c in model.cells for s in c.cpu if s.role != "idle"]
    assert [row["x"] for row in values(spec, "rule")] == [model.cores]


def test_a_contradicted_cell_shows_no_figure() -> None:
    model = build_chart(hostile_run(), whole=True)
    cells = tuple(cell.model_copy(update={"state": "contradicted"}) for cell in model.cells)
    spec = dots(model.model_copy(update={"cells": cells}), "tps", "light")
    assert values(spec, "point") == values(spec, "tick") == []
    assert {row["text"] for row in values(spec, "text")} == {"contradicted"}
    assert values(roles(model.model_copy(update={"cells": cells}), "light"), "bar") == []


def test_it_is_deterministic_and_holds_no_expression() -> None:
    model = build_chart(hostile_run(), whole=True)
    text = json.dumps(dots(model, "tps", "light"), allow_nan=False)
    assert text == json.dumps(dots(build_chart(hostile_run(), whole=True), "tps", "light"))
    assert not re.search(r'"(expr|signal|labelExpr|calculate|url|href|params)"', text)


def test_a_very_large_run_is_cut_and_says_so() -> None:
    document = {
        "factors": {"path": "same_container", "clients": list(range(1, 81)), "scale": [1, 2]},
        "baseline": {"clients": 1, "scale": 1},
        "rounds": 1,
        "study": None,
    }
    spec = dots(build_chart(made_up(study_experiment(**document)), whole=True), "tps", "light")
    assert len(values(spec, "text")) == MAX_LANES
    assert f"The first {MAX_LANES} of 161 cells." in spec["title"]["subtitle"]


@pytest.mark.parametrize("theme", THEMES)
def test_the_colours_are_the_pages(theme: ThemeName) -> None:
    css = TOKENS.read_text()
    place = list(THEMES).index(theme)

    def token(name: str) -> str:
        found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", css)
        assert found is not None, name
        return found.group(place + 1)

    colours = THEMES[theme]
    assert colours.series == tuple(token(f"series-{i}") for i in range(len(colours.series)))
    assert colours.roles == {role: token(f"role-{role}") for role in colours.roles}
    assert (colours.background, colours.ink, colours.line) == (token("surface"), token("ink"), token("line"))
    assert (colours.accent, colours.bad) == (token("accent"), token("bad"))
