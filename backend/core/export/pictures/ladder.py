"""The cost per hop as Vega-Lite: a row a step, CPU and throughput beside each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.sweep_models import HopCost, Ladder, LadderStep
from backend.core.chart.text.hop_cost_sentences import signed
from backend.core.export.colours import THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import Spec, framed, layer, of_run, with_values
from backend.core.export.pictures.names import LINE, beside
from backend.core.messages.message import joined, key, message, named
from backend.core.plan.labels import hop_label

WIDTH: Final = 250
"""Of each of the two sides."""
ROW: Final = 36
MAX_STEPS: Final = 120


@dataclass(frozen=True)
class _Side:
    """One of a step's two costs: which cost it reads, the title of its axis, and its colour."""

    cost: Callable[[LadderStep], HopCost | None]
    title: tuple[str, str]
    color: int


_SIDES: Final = (
    _Side(lambda step: step.cpu, ("CPU per transaction in µs,", "more than from the path before"), 0),
    _Side(lambda step: step.throughput, ("Throughput in %,", "against the path before"), 1),
)


def ladder(model: ChartModel, theme: ThemeName, base_id: str = "") -> Spec:
    """The steps of the ladder that begins with the cell `base_id`, or of every ladder if empty.

    In the model's order: bars from zero, estimates as dots, their 95 % intervals.

    A side that no step has a cost of is not there. The model must have a ladder.
    """
    colours, labels = THEMES[theme], {cell.id: cell.label for cell in model.cells}
    shown, left_out = _shown([each for each in model.ladders if base_id in ("", each.base_id)])
    more = [message("pictureFirstSteps", n=str(MAX_STEPS), of=str(MAX_STEPS + left_out))] if left_out else []
    body: Spec = {"vconcat": [_one(each, labels, colours) for each in shown], "spacing": 30}
    return framed(of_run(model, more), body, colours)


def _shown(ladders: Sequence[Ladder]) -> tuple[list[Ladder], int]:
    """The ladders up to MAX_STEPS steps in all, and how many steps are left out."""
    shown, room, all_ = [], MAX_STEPS, sum(len(each.rungs) for each in ladders)
    for each in ladders:
        if room > 0:
            shown.append(each.model_copy(update={"rungs": each.rungs[:room]}))
            room -= len(each.rungs)
    return shown, max(0, all_ - MAX_STEPS)


def _one(ladder: Ladder, labels: dict[str, str], colours: Theme) -> Spec:
    sides = [side for side in _SIDES if any(side.cost(step) for step in ladder.rungs)] or [_SIDES[0]]
    lanes = [step.cell_id for step in ladder.rungs]
    scale = {"domain": lanes, "padding": 0}
    y: Spec = {"field": "lane", "type": "nominal", "sort": None, "scale": scale, "axis": None}
    names, lines = _names(ladder, labels, y, colours)
    panels = [
        {
            "width": WIDTH,
            "height": (ROW + (lines - 2) * LINE) * len(lanes),
            "layer": [*(names if side is sides[0] else ()), *marks],
        }
        for side in sides
        if (marks := _marks(ladder, side, y, colours))
    ]
    first = message("pictureFirstStep", cell=labels.get(ladder.base_id, ladder.base_id))
    title = {"text": ladder.title, "subtitle": [first], "anchor": "start", "fontSize": 13, "offset": 10}
    return {"title": title, "hconcat": panels, "spacing": 16}


def _names(ladder: Ladder, labels: dict[str, str], y: Spec, colours: Theme) -> tuple[list[Spec], int]:
    """A row's name and, below it, the hops that it has more or fewer than the path before.

    And how many lines the longest of both have together, two at least.
    """
    names = {step.cell_id: labels.get(step.cell_id, step.cell_id) for step in ladder.rungs}
    hops = {step.cell_id: hops_text(step) for step in ladder.rungs}
    above, upper = beside(names, y, {"color": colours.ink, "dy": -6, "fontSize": 11}, grow=-1)
    below, lower = beside(hops, y, {"color": colours.ink_2, "dy": 8, "fontSize": 10}, grow=1)
    return [*above, *below], upper + lower


def hops_text(step: LadderStep) -> str:
    """ "+ docker-proxy, − dnat"; no sign where no hop differs."""
    more = [message("pictureHopMore", hop=_hop(hop)) for hop in step.added]
    less = [message("pictureHopLess", hop=_hop(hop)) for hop in step.removed]
    return joined((*more, *less), "comma") or message("pictureNoHop")


def _hop(hop: str) -> str:
    return named(key("hop", hop_label(hop)), hop_label(hop))


def _marks(ladder: Ladder, side: _Side, y: Spec, colours: Theme) -> list[Spec]:
    costs = [(step.cell_id, cost) for step in ladder.rungs if (cost := side.cost(step))]
    points: list[Spec] = [{"lane": id_, "x": cost.estimate} for id_, cost in costs]
    ends = [
        {"lane": id_, "x": cost.interval.low, "x2": cost.interval.high}
        for id_, cost in costs
        if cost.interval is not None
    ]
    texts = [{"lane": step.cell_id, "text": _cost_text(side.cost(step))} for step in ladder.rungs]
    axis = {"title": list(side.title), "grid": True, "tickCount": 5, "format": ",~r", "titleFontWeight": 500}
    axis |= {"labelFlush": False}
    x: Spec = {"type": "quantitative", "scale": {"zero": True, "nice": True}, "axis": axis}
    color = colours.series[side.color]
    layers = [
        layer(points, {"type": "bar", "height": 11, "color": color, "opacity": 0.32}, x, y),
        layer([{"x": 0}], {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x),
        layer(points, _dot(color, colours), x, y),
        layer(ends, {"type": "rule", "strokeWidth": 1.75, "color": colours.ink}, x, y),
        layer(texts, {"type": "text", "align": "left", "color": colours.ink_2, "fontSize": 10}, None, y),
    ]
    layers[0]["encoding"] |= {"x2": {"datum": 0}}
    layers[3]["encoding"] |= {"x2": {"field": "x2"}}
    layers[4]["encoding"] |= {"text": {"field": "text"}, "x": {"value": WIDTH + 8}}
    return with_values(layers)


def _dot(color: str, colours: Theme) -> Spec:
    return {"type": "point", "filled": True, "size": 60, "opacity": 1, "color": color} | {
        "stroke": colours.background,
        "strokeWidth": 1,
    }


def _cost_text(cost: HopCost | None) -> str:
    if cost is None:
        return message("pictureNotMeasured")
    return f"{signed(cost.estimate, cost)} {cost.unit}, n = {cost.n}"
