"""Names beside rows: no longer than there is room for, and never two that seem equal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.chart.build import build_chart
from backend.core.chart.compare_runs.run_comparison import compare_runs
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.pictures.frame import width_of, wrapped
from backend.core.export.pictures.kinds import Picture, spec
from backend.core.export.pictures.lanes import LANE
from backend.core.export.pictures.names import COLUMNS, LINE, fitted
from backend.core.export.pictures.ratios import ROW, ratios
from tests.core.chart.compare_runs.two_runs import one
from tests.core.chart.runs import made_up, study_experiment

CPUS = [f"0,2,4,{last}" for last in (13, 14)]
MANY = {
    "study": None,
    "rounds": 2,
    "factors": {
        "path": ["same_container", "published_host_address"],
        "userland_proxy": [True, False],
        "scale": [1, 100],
        "client_cpuset": CPUS,
    },
    "baseline": {"path": "same_container", "userland_proxy": True, "scale": 1, "client_cpuset": CPUS[0]},
}


def many() -> ChartModel:
    """Cells whose names are longer than one line, and differ anywhere in them."""
    return build_chart(made_up(study_experiment(**MANY)), complete=True)


def beside(panel: dict[str, Any]) -> list[list[str]]:
    """The lines of every name at the left of a panel."""
    return [
        row["text"] if isinstance(row["text"], list) else [row["text"]]
        for each in panel["layer"]
        if each["mark"]["type"] == "text" and each["mark"].get("align") == "right"
        for row in each["data"]["values"]
    ]


def test_what_fits_is_left_and_what_does_not_keeps_both_ends() -> None:
    assert fitted(["short", "same_container (A/A) · proxy on"], 48) == [
        ["short"],
        ["same_container (A/A) · proxy on"],
    ]
    (name,) = fitted(["a" * 40 + ", 8 clients (A/A) · proxy on"], 48)[0]
    assert name.startswith("aaaaaaa") and name.endswith(" (A/A) · proxy on") and len(name) == 48
    assert fitted(["one two three four"], 9, 2) == [["one two t", "hree four"]]
    assert fitted(["one two three four five"], 9, 2) == [["one two…f", "our five"]]
    assert fitted(["host_network, 8 clients · proxy on"], 20, 2) == [
        ["host_network, 8", "clients · proxy on"]
    ]


@pytest.mark.parametrize("place", [3, 20, 36, 50, 66, 80])
def test_names_that_differ_at_one_place_only_stay_apart(place: int) -> None:
    names = ["x" * place + char + "y" * (90 - place) for char in "abc"]
    found = [line for (line,) in fitted(names, 22)]
    assert len({*found}) == 3 and max(map(len, found)) <= 22


def test_where_no_cut_tells_them_apart_they_are_numbered() -> None:
    places = range(0, 100, 5)
    names = ["".join("#" if at == place else "." for at in range(100)) for place in places]
    found = [line for (line,) in fitted(names, 22)]
    assert len({*found}) == len(names) and max(map(len, found)) <= 22
    assert found[0].endswith(" (1)") and found[-1].endswith(f" ({len(names)})")


@given(st.lists(st.text(alphabet="ab 代,", max_size=60), max_size=8), st.integers(12, 40), st.integers(1, 2))
def test_every_name_fits_and_none_are_confused(names: list[str], columns: int, lines: int) -> None:
    found = fitted([" ".join(name.split()) for name in names], columns, lines)
    assert all(len(each) <= lines and all(width_of(line) <= columns for line in each) for each in found)
    assert len({*map(tuple, found)}) == len({" ".join(name.split()) for name in names})


@pytest.mark.parametrize("kind", ["dots", "roles"])
def test_lanes_have_names_of_two_lines_that_end_with_mark_and_series(kind: str) -> None:
    model = many()
    drawn = spec(model, Picture(kind=kind))
    found = beside(drawn)
    assert ["".join(lines).replace(" ", "") for lines in found] == [
        f"{cell.row} · {cell.series}".replace(" ", "") for cell in model.cells
    ]
    assert {len(lines) for lines in found} == {2}
    assert max(len(line) for lines in found for line in lines) <= COLUMNS
    assert drawn["height"] == {"step": LANE + LINE}
    assert any(lines[1].endswith("(A/A) · userland-proxy on") for lines in found)


def test_short_names_keep_narrow_lanes() -> None:
    model = build_chart(made_up(), complete=True)
    drawn = spec(model, Picture(kind="dots"))
    assert beside(drawn) == [[f"{cell.row} · {cell.series}"] for cell in model.cells]
    assert drawn["height"] == {"step": LANE}


def test_every_rung_row_and_column_tells_which_it_is() -> None:
    model = many()
    for row in spec(model, Picture(kind="ladder"))["vconcat"]:
        names = [tuple(lines) for lines in beside(row["hconcat"][0]) if "no hop" not in lines[0]]
        assert len({*names}) == len(names) > 1
    wanted = {"rows": "client_cpuset", "columns": "path"}
    for kind, panels in (("heatmap", "vconcat"), ("facets", "concat")):
        for panel in spec(model, Picture(kind=kind, **wanted))[panels]:
            shown = ["".join(lines) for lines in beside(panel)]
            assert [*CPUS] == [name for name in shown if name[0] == "0"]


def test_a_comparisons_rows_are_named_whole() -> None:
    model = compare_runs(one(), one("run_b", scale=0.8, noise_seed=1))
    (table,) = [table for table in model.tables if table.metric == "tps"]
    named = [f"published_host_address, {'8 clients, ' * 5}scale {place}, proxy on" for place in range(6)]
    rows = [row for row in table.rows if row.ratio is not None]
    long = tuple(
        row.model_copy(update={"label": label, "is_baseline": False})
        for row, label in zip(rows, named, strict=True)
    )
    cut = model.model_copy(update={"tables": (table.model_copy(update={"rows": long}),)})
    drawn = ratios(cut, "light")
    assert [" ".join(lines) for lines in beside(drawn)] == named
    assert drawn["height"] == len(rows) * (ROW + LINE)


def test_the_heat_maps_columns_name_their_factor_once() -> None:
    model = many()
    (panel,) = spec(model, Picture(kind="heatmap", rows="path", columns="client_cpuset"))["vconcat"]
    rows = [
        row for each in panel["layer"] if each["mark"]["type"] == "text" for row in each["data"]["values"]
    ]
    above = [row for row in rows if row["y"] < 0 and row["x"] > 0]
    assert [row["text"] for row in above if row["text"] == "client's cpuset"] == ["client's cpuset"]
    heads = [row["text"] for row in above if row["text"] != "client's cpuset"]
    assert [head[-3:] for head in heads] == [",13", ",14"] and max(map(len, heads)) <= 22
    (factor,) = [row for row in above if row["text"] == "client's cpuset"]
    assert factor["x"] == min(row["x"] for row in above) and factor["y"] < min(
        row["y"] for row in above if row is not factor
    )


def test_names_in_boxes_that_are_too_long_stay_apart() -> None:
    model = many()
    wanted = {"rows": "path", "columns": "scale", "color": "client_cpuset"}
    panels = spec(model, Picture(kind="heatmap", **wanted))["vconcat"]
    names = {
        row["text"]
        for panel in panels
        for each in panel["layer"]
        if each["mark"]["type"] == "text"
        for row in each["data"]["values"]
        if row["text"].startswith("client's ")
    }
    assert len(names) == 2 and {name[-3:] for name in names} == {",13", ",14"}
    assert max(map(len, names)) <= 22


def test_a_word_longer_than_a_line_is_broken() -> None:
    lines = wrapped("host " + "x" * 250 + " end", 110)
    assert lines == ["host", "x" * 110, "x" * 110, "x" * 30 + " end"]
    assert max(map(width_of, wrapped("a" * 110 + "代" * 60, 110))) <= 110
    assert wrapped("x" * 110, 110) == ["x" * 110]
