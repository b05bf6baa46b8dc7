"""The pivot as heat map and small charts: every cell in one factor_roles, the model's own numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.table import number
from backend.core.errors import Invalid
from backend.core.export.colours import THEMES, mixed
from backend.core.export.pictures.facets import MAX_FACETS
from backend.core.export.pictures.frame import within_report
from backend.core.export.pictures.heatmap import MAX_COLUMNS, MAX_ENTRIES
from backend.core.export.pictures.kinds import Picture, spec
from backend.core.export.pictures.marks import MARKS
from backend.core.export.pictures.pivot import FactorRoles, factor_roles, level_of, pivot, varied_factors
from tests.core.chart.runs import failed, is_cell, made_up, study_experiment
from tests.core.export.runs import hostile_run

ROOT = Path(__file__).parents[4]

THREE = {
    "study": None,
    "rounds": 6,
    "factors": {
        "path": ["same_container", "sibling_container", "published_loopback"],
        "userland_proxy": [True, False],
        "scale": [1, 100],
    },
    "baseline": {"path": "same_container", "userland_proxy": True},
    "exclude": [{"path": "sibling_container", "scale": 100}],
}


def three() -> ChartModel:
    return build_chart(made_up(study_experiment(**THREE)), complete=True)


def drawn(model: ChartModel, kind: str, **wanted: str) -> dict[str, Any]:
    return spec(model, Picture(kind=kind, **wanted))


def layers(panel: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    return [row for each in panel["layer"] if each["mark"]["type"] == mark for row in each["data"]["values"]]


def texts(panel: dict[str, Any]) -> list[str]:
    return [row["text"] for row in layers(panel, "text")]


def test_factors_take_the_places_that_the_page_gives_them() -> None:
    model = three()
    assert varied_factors(model) == {
        "path": ("Same container", "Sibling container", "Published port on 127.0.0.1"),
        "userland_proxy": ("on", "off"),
        "scale": ("1", "100"),
    }
    assert factor_roles(model, {}) == FactorRoles("path", "userland_proxy", "scale", None)
    assert factor_roles(model, {"rows": "scale"}) == FactorRoles("scale", None, None, None)
    wanted = {"rows": "none", "columns": "path", "panels": "", "color": "scale"}
    assert factor_roles(model, wanted) == FactorRoles(None, "path", None, "scale")


@pytest.mark.parametrize(
    ("level", "text"), [(True, "on"), (False, "off"), (12_000, "12,000"), ("", "not set"), ("nginx", "nginx")]
)
def test_a_level_reads_as_on_the_page(level: str | int | bool, text: str) -> None:
    cell = three().cells[0].model_copy(update={"levels": {"factor": level}})
    assert (level_of(cell, "factor"), level_of(cell, "rate")) == (text, "–")


@pytest.mark.parametrize(
    ("wanted", "pointer", "code", "said"),
    [
        ({"rows": "rate"}, "/rows", "unknown_factor", "path, userland_proxy, scale; or none"),
        ({"rows": "path", "color": "path"}, "/color", "factor_twice", "path is already rows"),
    ],
)
def test_a_factor_that_cannot_stand_there_is_refused(
    wanted: dict[str, str], pointer: str, code: str, said: str
) -> None:
    with pytest.raises(Invalid) as caught:
        drawn(three(), "heatmap", **wanted)
    (error,) = caught.value.problems
    assert (error.pointer, error.code) == (pointer, code) and said in error.detail


def test_places_are_for_the_pivot_alone_and_take_two_factors() -> None:
    with pytest.raises(Invalid, match="rows is for kind heatmap and facets"):
        drawn(three(), "dots", rows="path")
    paths, base = {"path": ["same_container", "sibling_container"]}, {"path": "same_container"}
    one = study_experiment(study=None, factors=paths, baseline=base)
    with pytest.raises(Invalid, match="varies fewer than two factors"):
        drawn(build_chart(made_up(one), complete=True), "facets")


def test_a_run_without_cpu_has_no_picture_of_it() -> None:
    model = build_chart(made_up(), complete=True)
    cells = tuple(cell.model_copy(update={"cpu": ()}) for cell in model.cells)
    for unit in ("cores", "us_per_txn"):
        with pytest.raises(Invalid, match=r"no CPU by role: .*; use kind=dots") as caught:
            drawn(model.model_copy(update={"cells": cells}), "roles", unit=unit)
        assert [(p.pointer, p.code) for p in caught.value.problems] == [("/kind", "no_cpu")]
    one = (model.cells[0], *cells[1:])
    assert drawn(model.model_copy(update={"cells": one}), "roles")["layer"]


@pytest.mark.parametrize("metric", ["tps", "cpu_us_per_txn"])
@pytest.mark.parametrize("wanted", [{}, {"rows": "path"}, {"columns": "scale", "color": "path"}])
def test_the_heat_map_prints_every_cell_once(metric: str, wanted: dict[str, str]) -> None:
    model = three()
    axis = next(axis for axis in model.axes if axis.metric == metric)
    panels = drawn(model, "heatmap", metric=metric, **wanted)["vconcat"]
    shown = sorted(text for panel in panels for text in texts(panel))
    for cell in model.cells:
        if cell.is_duplicate:
            continue
        figure = number(cell.summaries[metric].median, axis.decimals)
        comparison = cell.comparisons.get(metric)
        sign = f" {MARKS[comparison.verdict][0]}" if comparison else ""
        assert f"{figure}{sign}" in shown
        if comparison is not None and comparison.ratio is not None and comparison.interval is not None:
            low, high = comparison.interval.low, comparison.interval.high
            assert f"{comparison.ratio:.3f}× [{low:.3f}, {high:.3f}]" in shown
    cells = sum(not cell.is_duplicate for cell in model.cells)
    filled = [text for text in shown if text.startswith("baseline, n") or "×" in text]
    assert len(filled) == cells


WORDS = {
    "better": "verdictBetter",
    "worse": "verdictWorse",
    "equal": "verdictEqual",
    "no_answer": "verdictNoAnswer",
}
"""The page's messages of its four outcomes."""


def test_the_verdicts_signs_are_the_pages_and_explained() -> None:
    states = (ROOT / "frontend/src/components/stateLabels.ts").read_text()
    words = (ROOT / "frontend/src/messages/en/states.ts").read_text()
    for kind, (sign, word) in MARKS.items():
        (outcome,) = re.findall(rf"^  {kind}: OUTCOMES\.(\w+),$", states, re.M)
        assert f'{outcome}: label("{sign}", "{WORDS[outcome]}"' in states
        assert f'{WORDS[outcome]}: "{word}"' in words
    lines = " ".join(drawn(build_chart(hostile_run(), complete=True), "heatmap")["title"]["subtitle"])
    assert "▼ worse" in lines and "▲" not in lines


def test_a_report_keeps_what_explains_a_picture() -> None:
    model = build_chart(hostile_run(), complete=True)
    kept = within_report(drawn(model, "heatmap"), model)["title"]
    text = " ".join(kept["text"])
    assert "grey: not shown to differ" in text and "▼ worse" in text and kept["subtitle"] == []
    assert model.headline[:20] not in text and model.run_id not in text and model.title not in text
    assert "title" not in within_report(drawn(model, "roles"), model)


def test_its_colours_say_which_way_the_ratio_goes() -> None:
    model, colours = build_chart(hostile_run(), complete=True), THEMES["light"]
    (panel,) = drawn(model, "heatmap")["vconcat"]
    fills = {(row["x"], row["y"]): row["fill"] for row in layers(panel, "rect")}
    found = pivot(model, FactorRoles("path", "userland_proxy", None, None), "tps")
    strongest = mixed(colours.series[1], colours.background, 0.34)
    order = [fills[x, y] for y in sorted({y for _, y in fills}) for x in sorted({x for x, _ in fills})]
    entries = [entry for row in found.panels[0].entries for slot in row for entry in slot]
    for entry, fill in zip(entries, order, strict=True):
        comparison = entry.comparison
        if entry.cell.is_baseline:
            assert fill == colours.background
        elif comparison and comparison.verdict not in ("better", "worse", "different_within_margin"):
            assert fill == mixed(colours.line, colours.background, 0.6)
        else:
            assert fill != colours.background
    slowest = min(entries, key=lambda e: (e.comparison and e.comparison.ratio) or 1.0)
    assert order[entries.index(slowest)] == strongest


def test_what_is_not_shown_to_differ_is_grey_whatever_its_own_interval() -> None:
    model = build_chart(hostile_run(), complete=True)
    undecided = {"verdict": "no_difference_shown"}
    cells = tuple(
        cell.model_copy(
            update={"comparisons": {m: c.model_copy(update=undecided) for m, c in cell.comparisons.items()}}
        )
        for cell in model.cells
    )
    (panel,) = drawn(model.model_copy(update={"cells": cells}), "heatmap")["vconcat"]
    colours = THEMES["light"]
    grey = mixed(colours.line, colours.background, 0.6)
    fills = [row["fill"] for row in layers(panel, "rect")]
    assert sorted(set(fills)) == sorted({grey, colours.background}) and fills.count(grey) == 5


def test_without_a_comparison_it_is_coloured_by_the_median() -> None:
    model = three()
    cells = tuple(cell.model_copy(update={"comparisons": {}}) for cell in model.cells)
    made = drawn(model.model_copy(update={"cells": cells}), "heatmap")
    assert any("The bluer, the larger the median." in line for line in made["title"]["subtitle"])
    fills = {row["fill"] for panel in made["vconcat"] for row in layers(panel, "rect")}
    colours = THEMES["light"]
    weakest, strongest = (mixed(colours.series[0], colours.background, share) for share in (0.08, 0.34))
    assert {weakest, strongest} <= fills


def test_what_has_no_figure_or_no_cell_says_so() -> None:
    data = made_up(
        study_experiment(**THREE),
        change=lambda row, cell: failed(row) if is_cell(cell, "published_loopback", True) else row,
    )
    model = build_chart(data, complete=True)
    panels = drawn(model, "heatmap", rows="path", columns="scale", panels="userland_proxy")["vconcat"]
    on, off = (texts(panel) for panel in panels)
    assert on.count("failed") == 2 and off.count("failed") == 0
    assert on.count("not in the plan") == off.count("not in the plan") == 1
    facets = drawn(model, "facets", rows="path", columns="scale", panels="userland_proxy")["concat"]
    assert [facet["title"]["text"] for facet in facets] == [
        ["userland-proxy on · scale 1", "1 without a figure"],
        ["userland-proxy on · scale 100", "1 without a figure"],
        ["userland-proxy off · scale 1"],
        ["userland-proxy off · scale 100"],
    ]


@pytest.mark.parametrize("wanted", [{}, {"rows": "scale", "color": "path"}])
def test_the_small_charts_have_every_median_with_its_interval(wanted: dict[str, str]) -> None:
    model = three()
    made = drawn(model, "facets", **wanted)
    points = [row for facet in made["concat"] for row in layers(facet, "point")]
    ends = [(row["low"], row["x"], row["high"]) for row in points]
    summaries = [cell.summaries["tps"] for cell in model.cells if not cell.is_duplicate]
    wanted = [(s.interval.low, s.median, s.interval.high) for s in summaries if s.interval and s.median]
    assert sorted(ends) == sorted(wanted) and len(wanted) == 10
    domain = list(model.axes[0].domain)
    for facet in made["concat"]:
        point = next(each for each in facet["layer"] if each["mark"]["type"] == "point")
        assert point["encoding"]["x"]["scale"]["domain"] == domain
        assert len({row["y"] for row in point["data"]["values"]}) == len(point["data"]["values"])


def test_without_a_colour_all_dots_are_alike_and_there_is_no_legend() -> None:
    made = drawn(three(), "facets", rows="path")
    points = [row for facet in made["concat"] for row in layers(facet, "point")]
    assert len(points) == 10 and {(row["color"], row["shape"]) for row in points} == {("#0072b2", "circle")}
    assert all(
        each["encoding"]["color"]["legend"] is None
        for facet in made["concat"]
        for each in facet["layer"]
        if each["mark"]["type"] == "point"
    )


def test_each_chart_can_have_its_own_scale_and_its_baseline() -> None:
    model = build_chart(hostile_run(), complete=True)
    made = drawn(model, "facets", scale="own")
    assert "Each chart has its own scale." in made["title"]["subtitle"]
    baseline = next(cell for cell in model.cells if cell.is_baseline)
    for facet in made["concat"]:
        rules = [row for row in layers(facet, "rule") if "low" not in row]
        assert rules == [{"x": baseline.summaries["tps"].median}]
        point = next(each for each in facet["layer"] if each["mark"]["type"] == "point")
        assert "domain" not in point["encoding"]["x"]["scale"]


def test_colours_have_a_legend_and_no_cell_of_hidden_evidence_is_drawn() -> None:
    model = three()
    cells = tuple(cell.model_copy(update={"state": "contradicted"}) for cell in model.cells)
    hidden = model.model_copy(update={"cells": cells})
    for kind, under in (("heatmap", "vconcat"), ("facets", "concat")):
        made = drawn(model, kind, rows="path", columns="userland_proxy", color="scale")
        (scale,) = {
            json.dumps(each["encoding"]["color"]["scale"]["domain"])
            for panel in made[under]
            for each in panel["layer"]
            if each["mark"]["type"] == "point"
        }
        assert json.loads(scale) == ["scale 1", "scale 100"]
        for panel in drawn(hidden, kind)[under]:
            assert layers(panel, "point") == []
            assert not any("×" in text for text in texts(panel))


def test_a_very_large_pivot_is_cut_and_says_so() -> None:
    document = THREE | {"factors": {"clients": [*range(1, 22)], "scale": [*range(1, 26)]}, "rounds": 1}
    document |= {"baseline": {"clients": 1, "scale": 1}, "exclude": []}
    model = build_chart(made_up(study_experiment(**document)), complete=True)
    heat = drawn(model, "heatmap", rows="clients", columns="scale")
    columns = {row["x"] for panel in heat["vconcat"] for row in layers(panel, "rect")}
    filled = [text for panel in heat["vconcat"] for text in texts(panel) if "n = 1" in text or "×" in text]
    assert len(columns) == MAX_COLUMNS and len(filled) <= MAX_ENTRIES
    assert any("more cells are not drawn" in line for line in heat["title"]["subtitle"])
    facets = drawn(model, "facets", rows="clients", columns="scale")
    assert len(facets["concat"]) == MAX_FACETS
    assert f"The first {MAX_FACETS} of 25 charts." in facets["title"]["subtitle"]


@pytest.mark.parametrize("kind", ["heatmap", "facets"])
def test_they_are_deterministic_and_hold_no_expression(kind: str) -> None:
    text = json.dumps(drawn(build_chart(hostile_run(), complete=True), kind), allow_nan=False)
    assert text == json.dumps(drawn(build_chart(replace(hostile_run()), complete=True), kind))
    assert not re.search(r'"(expr|signal|labelExpr|calculate|url|href|params)"', text)
