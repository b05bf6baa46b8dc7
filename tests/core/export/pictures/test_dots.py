"""Specifications: the model's own numbers, the page's colours, nothing that runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.errors import Invalid
from backend.core.export.colours import THEMES, ThemeName
from backend.core.export.pictures.dots import dots
from backend.core.export.pictures.kinds import Picture
from backend.core.export.pictures.kinds import spec as spec_of
from backend.core.export.pictures.lanes import MAX_LANES, named
from backend.core.export.pictures.roles import roles
from tests.core.chart.runs import made_up, study_experiment
from tests.core.export.runs import hostile_run

TOKENS = Path(__file__).parents[4] / "frontend" / "src" / "theme" / "tokens.css"


def values(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return [
        row for layer in spec["layer"] if layer["mark"]["type"] == mark for row in layer["data"]["values"]
    ]


def ends(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """The texts at the lanes' ends, without the lanes' names."""
    return [row for row in values(spec, "text") if row["text"] != row["lane"]]


def test_dots_are_the_recorded_values_and_ticks_the_medians() -> None:
    model = build_chart(hostile_run(), complete=True)
    spec = dots(model, "tps", "light")
    recorded = [v for c in model.cells for v in c.summaries["tps"].values if v is not None]
    assert [row["x"] for row in values(spec, "point") if "used" in row] == recorded
    assert [row["x"] for row in values(spec, "tick")] == [c.summaries["tps"].median for c in model.cells]
    assert sum(row.get("used") == 0.0 for row in values(spec, "point")) == 1
    axis = next(axis for axis in model.axes if axis.metric == "tps")
    for layer in spec["layer"]:
        if "scale" in layer["encoding"].get("x", {}):
            assert layer["encoding"]["x"]["scale"]["domain"] == [0.0, axis.domain[1]]
    baseline = next(cell for cell in model.cells if cell.is_baseline)
    assert baseline.summaries["tps"].median in [row.get("x") for row in values(spec, "rule")]


def test_bars_are_the_shares_and_the_rule_is_all_cores() -> None:
    model = build_chart(made_up(), complete=True)
    spec = roles(model, "dark")
    drawn = [(row["role"], row["used"]) for row in values(spec, "bar")]
    assert drawn == [(s.role, s.cores) for c in model.cells for s in c.cpu if s.role != "idle"]
    assert [row["x"] for row in values(spec, "rule")] == [model.cores]


def test_bars_can_be_what_an_operation_costs() -> None:
    model = build_chart(made_up(), complete=True)
    spec = roles(model, "light", "us_per_txn")
    drawn = [(row["role"], row["used"]) for row in values(spec, "bar")]
    assert drawn == [(s.role, s.us_per_txn) for c in model.cells for s in c.cpu if s.role != "idle"]
    assert values(spec, "rule") == []


def test_a_studys_own_ratios_stand_on_the_measured_baseline() -> None:
    model = build_chart(made_up(), complete=True)
    spec = dots(model, "tps", "light")
    marks = {row["lane"]: row["x"] for row in values(spec, "point") if "used" not in row}
    baseline = next(cell for cell in model.cells if cell.is_baseline)
    centre = baseline.summaries["tps"].median
    assert centre is not None
    wanted = {
        f"{cell.row} · {cell.series}": cell.published.ratio * centre
        for cell in model.cells
        if cell.published and cell.published.ratio and not cell.is_baseline and not cell.is_duplicate
    }
    assert marks == wanted and len(wanted) == 5
    assert any("Hollow diamonds" in line for line in spec["title"]["subtitle"])
    other = dots(model, "cpu_us_per_txn", "light")
    assert all("used" in row for row in values(other, "point"))
    assert not any("Hollow diamonds" in line for line in other["title"]["subtitle"])


def test_each_lane_has_its_own_baseline_where_there_are_several() -> None:
    factors = {"path": ["same_container", "published_loopback"], "clients": [1, 8]}
    model = build_chart(
        made_up(study_experiment(study=None, factors=factors, baseline={"path": "same_container"})),
        complete=True,
    )
    spec = dots(model, "tps", "light")
    bases = {cell.id: cell.summaries["tps"].median for cell in model.cells if cell.is_baseline}
    assert len(bases) == 2
    thin = next(each for each in spec["layer"] if each["mark"].get("thickness") == 1)
    compared = [
        c.comparisons["tps"].baseline_id for c in model.cells if "tps" in c.comparisons and not c.is_baseline
    ]
    assert [row["x"] for row in thin["data"]["values"]] == [bases[id_] for id_ in compared]
    assert not any("strokeDash" in each["mark"] for each in spec["layer"])


def test_a_contradicted_cell_shows_no_figure() -> None:
    model = build_chart(hostile_run(), complete=True)
    cells = tuple(cell.model_copy(update={"state": "contradicted"}) for cell in model.cells)
    spec = dots(model.model_copy(update={"cells": cells}), "tps", "light")
    assert values(spec, "point") == values(spec, "tick") == []
    assert {row["text"] for row in ends(spec)} == {"contradicted"}
    assert values(roles(model.model_copy(update={"cells": cells}), "light"), "bar") == []


def test_it_is_deterministic_and_holds_no_expression() -> None:
    model = build_chart(hostile_run(), complete=True)
    text = json.dumps(dots(model, "tps", "light"), allow_nan=False)
    assert text == json.dumps(dots(build_chart(hostile_run(), complete=True), "tps", "light"))
    assert not re.search(r'"(expr|signal|labelExpr|calculate|url|href|params)"', text)


def test_a_very_large_run_is_cut_and_says_so() -> None:
    document = {
        "factors": {"path": "same_container", "clients": list(range(1, 81)), "scale": [1, 2]},
        "baseline": {"clients": 1, "scale": 1},
        "rounds": 1,
        "study": None,
    }
    spec = dots(build_chart(made_up(study_experiment(**document)), complete=True), "tps", "light")
    assert len(ends(spec)) == MAX_LANES
    assert f"The first {MAX_LANES} of 161 cells." in spec["title"]["subtitle"]


def test_only_the_cells_that_are_asked_for_are_drawn_in_the_plans_order_and_it_says_so() -> None:
    model = build_chart(hostile_run(), complete=True)
    of, (first, *_, last) = len(model.cells), model.cells
    wanted = f"{last.id}, {first.id}"
    for kind, lanes in (("dots", ends), ("roles", lambda spec: values(spec, "bar"))):
        drawn = spec_of(model, Picture(kind=kind, cells=wanted))
        assert list(dict.fromkeys(row["lane"] for row in lanes(drawn))) == [
            name for name, cell in named((first, last)) if kind == "dots" or cell.cpu
        ]
        assert f"2 of {of} cells." in drawn["title"]["subtitle"]
    every = ",".join(cell.id for cell in model.cells)
    assert spec_of(model, Picture(cells=every)) == spec_of(model, Picture())


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (Picture(cells="c1,nosuch"), "unknown_cell"),
        (Picture(kind="roles", cells="nosuch"), "unknown_cell"),
        (Picture(kind="heatmap", cells="c1"), "no_lanes"),
    ],
)
def test_cells_that_cannot_be_drawn_are_refused_at_their_parameter(picture: Picture, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        spec_of(build_chart(hostile_run(), complete=True), picture)
    assert [(p.pointer, p.code) for p in refused.value.problems] == [("/cells", code)]


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
    assert (colours.accent, colours.bad, colours.ink_2) == (token("accent"), token("bad"), token("ink-2"))
