"""Panels of a result as Vega-Lite: sweeps, rate against CPU cost, latency across cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Interval
from backend.core.chart.panels.panel_models import PanelFigure, ResultPanels, Sweep, TradeOff
from backend.core.errors import Invalid
from backend.core.export.colours import SHAPES, THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import Spec, axis_title, framed, layer, of_run, with_values
from backend.core.messages.message import message

WIDTH: Final = 560
HEIGHT: Final = 190
ROW: Final = 24
MAX_ROWS: Final = 60
MAX_SERIES: Final = 14


def panel_picture(
    model: ChartModel, panels: ResultPanels, kind: str, theme: ThemeName, metric: str = ""
) -> Spec:
    """The panels of one kind of PANEL_KINDS below each other. Raises Invalid where the run has none.

    `metric` is drawn below the rate of a sweep, "" for the first one that it has.
    """
    if kind == "sweep" and metric:
        panels = panels.model_copy(update={"sweeps": _with_second(panels.sweeps, metric)})
    found = _BODIES[kind](panels, THEMES[theme])
    if not found:
        detail = f"this run has nothing to draw as {kind}: see GET /runs/{{id}}/panels; use kind=dots"
        raise Invalid.at("/kind", "no_panel", detail)
    return framed(of_run(model, [message(_ABOUT[kind])]), {"vconcat": found, "spacing": 30}, THEMES[theme])


def _sweeps(panels: ResultPanels, colours: Theme) -> list[Spec]:
    return [_sweep(sweep, axis, colours) for sweep in panels.sweeps for axis in sweep.axes[:2]]


def _with_second(sweeps: Sequence[Sweep], metric: str) -> tuple[Sweep, ...]:
    """The sweeps with the rate and this metric alone, where they have it. Raises Invalid if none has it."""
    names = list(dict.fromkeys(axis.metric for sweep in sweeps for axis in sweep.axes[1:]))
    if sweeps and metric not in names:
        detail = f"below the rate, the sweeps of this run have {', '.join(names) or 'no metric'}"
        raise Invalid.at("/metric", "unknown_metric", detail)
    return tuple(
        sweep.model_copy(update={"axes": (sweep.axes[0], *second)})
        if (second := [axis for axis in sweep.axes[1:] if axis.metric == metric])
        else sweep
        for sweep in sweeps
    )


def _sweep(sweep: Sweep, axis: Axis, colours: Theme) -> Spec:
    texts = [level.label or f"{level.level:,}" for level in sweep.levels]
    shown = sweep.series[:MAX_SERIES]
    rows: list[Spec] = [
        {"x": text, "series": series.label} | _figures(figure)
        for series in shown
        for text, figure in zip(texts, series.figures.get(axis.metric, ()), strict=False)
        if figure is not None
    ]
    names = [series.label for series in shown]
    scale = {"domain": names, "range": [colours.series[s.color % len(colours.series)] for s in shown]}
    color: Spec = {
        "field": "series",
        "type": "nominal",
        "sort": None,
        "scale": scale,
        "legend": {"title": None, "columns": 2},
    }
    x: Spec = {"type": "ordinal", "sort": None, "scale": {"type": "point", "domain": texts, "padding": 0.4}}
    x |= {"axis": {"title": message("pictureLevelsApart", factor=sweep.label), "labelAngle": 0}}
    y = _value(axis)
    return _layered(
        [
            (rows, {"type": "line", "strokeWidth": 1.75}, x, y, {"color": color}),
            (
                _with_interval(rows),
                {"type": "rule", "strokeWidth": 1.25},
                x,
                {**y, "field": "low"},
                {"color": color, "y2": {"field": "high"}},
            ),
            (rows, {"type": "point", "filled": True, "size": 45, "opacity": 1}, x, y, {"color": color}),
        ],
        HEIGHT,
    )


def _trade_offs(panels: ResultPanels, colours: Theme) -> list[Spec]:
    return [_trade_off(panel, colours) for panel in panels.trade_offs]


def _points(panel: TradeOff, colours: Theme) -> list[Spec]:
    """A value for each cell; ends of intervals only where there are intervals."""
    return [
        {
            "x": point.cost.median,
            "y": point.rate.median,
            "opacity": 0.4 if point.dominated else 1.0,
            "frontier": not point.dominated,
            "color": colours.series[point.color % len(colours.series)],
            "shape": SHAPES[point.shape % len(SHAPES)],
            "name": "" if point.dominated else point.label,
            **_ends(point.rate.interval, "low", "high"),
            **_ends(point.cost.interval, "left", "right"),
        }
        for point in panel.points
    ]


def _trade_off(panel: TradeOff, colours: Theme) -> Spec:
    rows = _points(panel, colours)
    x: Spec = {"type": "quantitative", "scale": {"domain": list(panel.cost_axis.domain), "nice": False}}
    x |= {"axis": {"title": axis_title(panel.cost_axis), "grid": True, "tickCount": 6}}
    y = _value(panel.rate_axis)
    opacity: Spec = {"field": "opacity", "type": "quantitative", "scale": None}
    steps = sorted((row for row in rows if row["frontier"]), key=lambda row: float(row["x"]))
    across = [row for row in rows if "left" in row]
    return _layered(
        [
            (
                steps,
                {"type": "line", "interpolate": "step-after", "color": colours.ink, "strokeWidth": 1.5},
                x,
                y,
                {},
            ),
            (
                _with_interval(rows),
                {"type": "rule", "color": colours.ink_2},
                x,
                {**y, "field": "low"},
                {"y2": {"field": "high"}, "opacity": opacity},
            ),
            (
                across,
                {"type": "rule", "color": colours.ink_2},
                {**x, "field": "left"},
                y,
                {"x2": {"field": "right"}, "opacity": opacity},
            ),
            (
                rows,
                {"type": "point", "filled": True, "size": 70},
                x,
                y,
                {"opacity": opacity, "color": _own("color"), "shape": _own("shape")},
            ),
            (
                steps,
                {
                    "type": "text",
                    "align": "left",
                    "dx": 8,
                    "dy": -8,
                    "fontSize": 10,
                    "color": colours.ink,
                    "limit": 260,
                },
                x,
                y,
                {"text": {"field": "name"}},
            ),
        ],
        300,
    )


def _latencies(panels: ResultPanels, colours: Theme) -> list[Spec]:
    found = []
    for panel in panels.latencies:
        shown = panel.rows[:MAX_ROWS]
        rows: list[Spec] = [
            {"x": figure.median, "lane": row.label, "name": name} | _ends(figure.interval, "left", "right")
            for row in shown
            for name, figure in row.figures.items()
        ]
        scale = {
            "domain": list(panel.names),
            "range": [colours.series[at % len(colours.series)] for at in range(len(panel.names))],
        }
        color: Spec = {
            "field": "name",
            "type": "nominal",
            "sort": None,
            "scale": scale,
            "legend": {"title": None},
        }
        x: Spec = {"type": "quantitative", "scale": {"domain": list(panel.domain), "nice": False}}
        x |= {"axis": {"title": message(f"pictureLatency{panel.loop.title()}"), "grid": True, "tickCount": 6}}
        y: Spec = {
            "field": "lane",
            "type": "nominal",
            "sort": None,
            "axis": {"title": None, "labelLimit": 300},
        }
        found.append(
            _layered(
                [
                    (
                        [row for row in rows if "left" in row],
                        {"type": "rule", "strokeWidth": 1.5},
                        {**x, "field": "left"},
                        y,
                        {"x2": {"field": "right"}, "color": color},
                    ),
                    (
                        rows,
                        {"type": "point", "filled": True, "size": 50, "opacity": 1},
                        x,
                        y,
                        {"color": color},
                    ),
                ],
                ROW * len({row.label for row in shown}),
            )
        )
    return found


def _figures(figure: PanelFigure) -> Spec:
    return {
        "y": figure.median,
        **_ends(figure.interval, "low", "high"),
    }


def _ends(interval: Interval | None, low: str, high: str) -> Spec:
    return {} if interval is None else {low: interval.low, high: interval.high}


def _with_interval(rows: Iterable[Spec]) -> list[Spec]:
    return [row for row in rows if "low" in row]


def _own(field: str) -> Spec:
    """A channel whose values are in the data."""
    return {"field": field, "type": "nominal", "scale": None}


def _value(axis: Axis) -> Spec:
    scale = {"domain": list(axis.domain), "nice": False}
    title = {"title": axis_title(axis), "grid": True, "tickCount": 4, "titleLimit": 260, "format": ",~r"}
    return {"field": "y", "type": "quantitative", "scale": scale, "axis": title}


def _layered(layers: Sequence[tuple[Sequence[Spec], Spec, Spec, Spec, Spec]], height: int) -> Spec:
    drawn = []
    for values, mark, x, y, more in layers:
        one = layer(values, mark, x, y)
        one["encoding"] |= more
        drawn.append(one)
    return {"width": WIDTH, "height": height, "layer": with_values(drawn)}


_BODIES: Final[Mapping[str, Callable[[ResultPanels, Theme], list[Spec]]]] = {
    "sweep": _sweeps,
    "trade_off": _trade_offs,
    "latency": _latencies,
}
_ABOUT: Final[Mapping[str, str]] = {
    "sweep": "pictureAboutSweep",
    "trade_off": "pictureAboutTradeOff",
    "latency": "pictureAboutLatency",
}
PANEL_KINDS: Final = tuple(_BODIES)
"""The kinds of picture that are drawn from ResultPanels."""
