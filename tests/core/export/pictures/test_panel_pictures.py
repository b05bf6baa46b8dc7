"""Pictures of a result's panels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.panels.build_panels import build_panels
from backend.core.errors import Invalid
from backend.core.export.pictures.panels import PANEL_KINDS, panel_picture
from backend.render.draw import draw
from tests.core.chart.runs import made_up, study_experiment


def swept() -> ChartInput:
    factors = {"path": ["same_container", "published_loopback"], "clients": [8, 1, 4]}
    baseline = {"path": "same_container", "clients": 1}
    return made_up(study_experiment(study=None, factors=factors, baseline=baseline))


def picture(kind: str, data: ChartInput) -> dict[str, Any]:
    return panel_picture(build_chart(data), build_panels(data), kind, "light")


@pytest.mark.parametrize("kind", PANEL_KINDS)
def test_every_kind_is_drawn(kind: str) -> None:
    svg = draw(picture(kind, swept()), "svg").decode()
    assert svg.startswith("<svg") and "The study, made up" in svg


def test_a_sweep_has_the_figures_of_the_panels() -> None:
    data = swept()
    (sweep,) = build_panels(data).sweeps
    rate, cost = picture("sweep", data)["vconcat"]
    for body, axis in ((rate, sweep.axes[0]), (cost, sweep.axes[1])):
        drawn = [value["y"] for value in body["layer"][0]["data"]["values"]]
        assert drawn == [f.median for series in sweep.series for f in series.figures[axis.metric] if f]


def test_a_sweep_has_the_chosen_metric_below_the_rate() -> None:
    data = swept()
    (sweep,) = build_panels(data).sweeps
    chosen = sweep.axes[2].metric
    body = panel_picture(build_chart(data), build_panels(data), "sweep", "light", chosen)["vconcat"][1]
    drawn = [value["y"] for value in body["layer"][0]["data"]["values"]]
    assert drawn == [f.median for series in sweep.series for f in series.figures.get(chosen, ()) if f]
    with pytest.raises(Invalid, match="the sweeps of this run have cpu_us_per_txn"):
        panel_picture(build_chart(data), build_panels(data), "sweep", "light", "latency_p99_ms")


def test_a_trade_off_joins_the_frontier_alone() -> None:
    data = swept()
    (panel,) = build_panels(data).trade_offs
    (body,) = picture("trade_off", data)["vconcat"]
    assert len(body["layer"][0]["data"]["values"]) == len(panel.frontier)
    assert len(body["layer"][3]["data"]["values"]) == len(panel.points)


@pytest.mark.parametrize("kind", PANEL_KINDS)
def test_a_run_without_panels_says_so(kind: str) -> None:
    data = replace(made_up(state="queued"), trials=[])
    with pytest.raises(Invalid, match="nothing to draw"):
        picture(kind, data)
