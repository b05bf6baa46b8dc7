"""The cost per hop as a picture: the model's own costs, a row a step."""

from __future__ import annotations

import json
import re
from typing import Any

from backend.core.chart.build import build_chart
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.pictures.ladder import MAX_STEPS, hops_text, ladder
from tests.core.chart.sweeps.test_ladder import a_run


def model_of(**factors: Any) -> ChartModel:
    return build_chart(a_run(**factors), complete=True)


def panels(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [panel for row in spec["vconcat"] for panel in row["hconcat"]]


def values(panel: dict[str, Any], mark: str, of: str = "lane") -> list[dict[str, Any]]:
    return [
        row
        for layer in panel["layer"]
        if layer["mark"]["type"] == mark
        for row in layer["data"]["values"]
        if of in row
    ]


def test_bars_dots_and_intervals_are_the_prices() -> None:
    model = model_of(rounds=10)
    (found,) = model.ladders
    cpu, throughput = panels(ladder(model, "light"))
    for panel, side in ((cpu, "cpu"), (throughput, "throughput")):
        costs = [(step.cell_id, getattr(step, side)) for step in found.rungs]
        assert all(cost.interval is not None for _, cost in costs)
        for mark in ("bar", "point"):
            assert [(row["lane"], row["x"]) for row in values(panel, mark)] == [
                (id_, cost.estimate) for id_, cost in costs
            ]
        assert [(row["x"], row["x2"]) for row in values(panel, "rule")] == [
            (cost.interval.low, cost.interval.high) for _, cost in costs
        ]
        assert {"x": 0} in values(panel, "rule", "x")
        (bar,) = [layer for layer in panel["layer"] if layer["mark"]["type"] == "bar"]
        assert bar["encoding"]["x2"] == {"datum": 0}


def test_each_row_is_named_by_its_cell_and_its_hops_once() -> None:
    model = model_of()
    cpu, throughput = panels(ladder(model, "dark"))
    labels = {cell.id: cell.label for cell in model.cells}
    found = [row["text"] for row in values(cpu, "text")]
    texts = [" ".join(text) if isinstance(text, list) else text for text in found]
    for step in model.ladders[0].rungs:
        assert labels[step.cell_id] in texts and hops_text(step) in texts
    assert len(values(throughput, "text")) == len(model.ladders[0].rungs)
    assert {"+ docker-proxy", "+ loopback, + docker-proxy"} & set(texts)


def test_what_was_not_measured_is_said_and_never_drawn_as_zero() -> None:
    model = model_of()
    (found,) = model.ladders
    first, *others = found.rungs
    steps = (first.model_copy(update={"cpu": None}), *others)
    changed = model.model_copy(update={"ladders": (found.model_copy(update={"rungs": steps}),)})
    cpu, _ = panels(ladder(changed, "light"))
    assert first.cell_id not in {row["lane"] for row in values(cpu, "bar")}
    assert "not measured" in [row["text"] for row in values(cpu, "text")]
    steps = tuple(step.model_copy(update={"cpu": None}) for step in found.rungs)
    changed = model.model_copy(update={"ladders": (found.model_copy(update={"rungs": steps}),)})
    (only,) = panels(ladder(changed, "light"))
    costs = [step.throughput for step in found.rungs]
    assert [row["x"] for row in values(only, "bar")] == [cost.estimate for cost in costs if cost]
    assert all(costs)
    assert len(values(only, "text")) == 3 * len(found.rungs)


def test_every_ladder_has_its_own_panels_up_to_a_limit_that_is_told() -> None:
    model = model_of(clients=[1, 8])
    assert [row["title"]["text"] for row in ladder(model, "light")["vconcat"]] == [
        found.title for found in model.ladders
    ]
    many = model.model_copy(update={"ladders": model.ladders * 20})
    total = sum(len(found.rungs) for found in many.ladders)
    assert total > MAX_STEPS
    spec = ladder(many, "light")
    assert sum(len(values(row["hconcat"][0], "bar")) for row in spec["vconcat"]) == MAX_STEPS
    assert f"The first {MAX_STEPS} of {total} steps." in spec["title"]["subtitle"]


def test_it_is_deterministic_and_holds_no_expression() -> None:
    text = json.dumps(ladder(model_of(), "light"), allow_nan=False)
    assert text == json.dumps(ladder(model_of(), "light"))
    assert not re.search(r'"(expr|signal|labelExpr|calculate|url|href|params)"', text)
