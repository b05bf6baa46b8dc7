"""The picture of throughput and CPU in shared rows: the figures of the result, and texts beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.pictures.card import card_chart
from backend.core.export.pictures.frame import within_report
from backend.core.export.pictures.joint import joint
from backend.core.plan.model import Cell
from backend.render.draw import draw
from tests.core.chart.runs import failed, is_cell, made_up, study_experiment
from tests.core.chart.test_answer import with_proxy
from tests.core.export.runs import hostile_run

ON_OFF: dict[str, Any] = {"baseline": {"userland_proxy": False}}


@pytest.fixture(scope="module")
def model() -> ChartModel:
    return build_chart(with_proxy(made_up(study_experiment(**ON_OFF))), complete=True)


def rows(panel: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    layers = (layer for layer in panel["layer"] if layer["mark"]["type"] == mark)
    return [row for layer in layers for row in layer["data"]["values"]]


def lanes(panel: dict[str, Any]) -> list[str]:
    layers = (layer["encoding"]["y"] for layer in panel["layer"] if "y" in layer["encoding"])
    (shown,) = {tuple(y["scale"]["domain"]) for y in layers}
    return [*shown]


def test_both_sides_have_the_same_rows_in_the_same_order(model: ChartModel) -> None:
    rates, cores = joint(model, "tps", "light")["hconcat"]
    shown = [cell for cell in model.cells if not cell.is_duplicate]
    assert lanes(rates) == lanes(cores)
    assert len(lanes(rates)) == len(shown)
    assert rates["height"] == cores["height"]
    medians = [cell.summaries["tps"].median for cell in shown]
    assert [row["x"] for row in rows(rates, "tick")] == medians
    drawn = [(row["role"], row["used"]) for row in rows(cores, "bar")]
    assert drawn == [(s.role, s.cores) for cell in shown for s in cell.cpu if s.role != "idle"]


def test_what_is_shown_to_differ_is_printed_with_its_change(model: ChartModel) -> None:
    rates, cores = joint(model, "tps", "light")["hconcat"]
    texts = [row["text"] for row in rows(rates, "text") if row["text"] != row["lane"]]
    changed = {text.split("  ")[1] for text in texts if "  " in text}
    clear = [c for c in model.cells if c.comparisons and c.comparisons["tps"].verdict in ("better", "worse")]
    assert len(changed) == len(clear) == 2
    assert all(text.startswith("−") for text in changed)
    assert [row["text"] for row in rows(cores, "text")] == ["proxy 0.60"]


def test_the_title_is_the_answer(model: ChartModel) -> None:
    title = joint(model, "tps", "dark")["title"]
    assert model.answer is not None
    assert " ".join(title["text"]) == model.answer.sentence
    assert title["subtitle"] == [model.title]


def test_cells_that_are_not_drawn_are_counted(model: ChartModel) -> None:
    shown = [cell.id for cell in model.cells if not cell.is_duplicate]
    spec = joint(model, "tps", "light", shown[1:3])
    assert spec["title"]["subtitle"] == [model.title, f"2 of {len(shown)} cells."]
    first = joint(model, "tps", "light", shown[:2])
    assert first["title"]["subtitle"][-1] == f"The first 2 of {len(shown)} cells."
    assert within_report(first, model)["title"]["text"] == [f"The first 2 of {len(shown)} cells."]
    assert "title" not in within_report(joint(model, "tps", "light"), model)


def _slower(row: TrialRow, cell: Cell) -> TrialRow:
    factor = 1e-6 if is_cell(cell, "published_loopback", True) else 1.0
    return replace(row, metrics={name: value * factor for name, value in row.metrics.items()})


def test_rates_that_are_decades_apart_have_a_logarithmic_axis() -> None:
    model = build_chart(made_up(study_experiment(**ON_OFF), _slower))
    rates = joint(model, "tps", "light")["hconcat"][0]
    scales = {
        layer["encoding"]["x"]["scale"]["type"]
        for layer in rates["layer"]
        if "x" in layer["encoding"] and "scale" in layer["encoding"]["x"]
    }
    assert scales == {"log"}
    assert rates["title"]["text"].endswith("logarithmic")
    (small,) = {row["text"] for row in rows(rates, "text") if row["text"].startswith("0.")}
    assert len(small.split("  ")[0]) <= 6
    assert draw(joint(model, "tps", "light"), "svg").startswith(b"<svg")


def _lost(row: TrialRow, cell: Cell) -> TrialRow:
    return failed(row) if is_cell(cell, "published_loopback", True) else row


def test_a_cell_without_figures_says_so() -> None:
    spec = joint(build_chart(made_up(study_experiment(**ON_OFF), _lost)), "tps", "light")
    texts = {row["lane"]: row["text"] for row in rows(spec["hconcat"][0], "text")}
    assert texts["Published port on 127.0.0.1 · userland-proxy on"] == "failed"


def test_a_run_without_cpu_has_the_rates_alone() -> None:
    data = made_up(study_experiment(**ON_OFF))
    bare = replace(data, trials=[replace(row, cpu=None) for row in data.trials], cores=None)
    assert len(joint(build_chart(bare), "tps", "light")["hconcat"]) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_drawn_also_with_hostile_texts(model: ChartModel, theme: Any) -> None:
    for one in (model, build_chart(hostile_run(), complete=True)):
        for spec in (joint(one, "tps", theme), card_chart(one, theme)):
            assert draw(spec, "svg").startswith(b"<svg")
