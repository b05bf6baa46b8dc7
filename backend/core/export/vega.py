"""The cells of a run as Vega-Lite: every value of a metric as a dot, and the CPU by role as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from backend.core.chart.model import Axis, ChartCell, ChartModel
from backend.core.chart.table import number
from backend.core.export.colours import SHAPES, THEMES, Theme, ThemeName
from backend.core.export.vega_frame import HIDDEN, Spec, framed, layer, with_values

WIDTH: Final = 560
LANE: Final = 22
MAX_LANES: Final = 120
"""A picture of more rows would be taller than viewers open; what is left out is said in its subtitle."""
_ROLES: Final = ("client", "server", "proxy", "kernel", "other", "unattributed", "steal")
_JITTER: Final = 7


def dots(model: ChartModel, metric: str, theme: ThemeName) -> Spec:
    """One lane a cell: every recorded value as a dot, the median as a tick, its 95 % interval as a bar.

    Values that take no part in the statistics are hollow. The dashed rule is the baseline's median.
    `metric` must be one of the model's axes.
    """
    axis = next(axis for axis in model.axes if axis.metric == metric)
    cells, colours = model.cells[:MAX_LANES], THEMES[theme]
    x = {"type": "quantitative", "scale": {"domain": list(axis.domain), "nice": False}}
    x |= {"axis": {"title": _axis_title(axis), "grid": True, "tickCount": 6}}
    layers = [
        layer(_rules(model, axis), {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x),
        layer(_dots(cells, axis), {"type": "point", "size": 24, "opacity": 0.6}, x, _lane(cells)),
        layer(
            _intervals(cells, axis), {"type": "rule", "strokeWidth": 2, "color": colours.ink}, x, _lane(cells)
        ),
        layer(_medians(cells, axis), _median_mark(colours), x, _lane(cells)),
        layer(_ends(cells, axis), _end_mark(colours), None, _lane(cells)),
    ]
    layers[1]["encoding"] |= {
        "color": _series(model, colours),
        "shape": {"field": "series", "scale": _scale(model, _shapes(model)), "legend": _legend(model)},
        "fillOpacity": {"field": "used", "type": "quantitative", "scale": None},
        "yOffset": {"field": "jitter", "type": "quantitative", "scale": {"domain": [-10, 10]}},
    }
    layers[1]["mark"]["filled"] = True
    layers[1]["encoding"]["stroke"] = _series(model, colours)
    layers[2]["encoding"] |= {"x2": {"field": "x2"}}
    layers[4]["encoding"] |= {"text": {"field": "text"}, "x": {"value": WIDTH + 8}}
    return _chart(model, with_values(layers), cells, colours)


def roles(model: ChartModel, theme: ThemeName) -> Spec:
    """One bar a cell: the host's CPU in cores by role, stacked; the rule is all of the host's cores."""
    cells, colours = model.cells[:MAX_LANES], THEMES[theme]
    shown = [role for role in _ROLES if any(s.role == role for c in cells for s in c.cpu)]
    bars: list[Spec] = [
        {"lane": lane, "role": share.role, "cores": share.cores, "order": _ROLES.index(share.role)}
        for lane, cell in _lanes(cells)
        if cell.state not in HIDDEN
        for share in cell.cpu
        if share.role in _ROLES
    ]
    top = max([model.cores or 0, *(_busy(cell) for cell in cells)]) or 1
    title = "CPU of the host in cores, medians over the trials"
    x = {"type": "quantitative", "scale": {"domain": [0, top], "nice": False}}
    x |= {"axis": {"title": title, "tickCount": 6}}
    scale = {"domain": shown, "range": [colours.roles[role] for role in shown]}
    bar = layer(bars, {"type": "bar", "height": LANE - 6}, None, _lane(cells))
    bar["encoding"] |= {
        "x": {"field": "cores", "stack": "zero", **x},
        "color": {"field": "role", "type": "nominal", "scale": scale, "legend": {"title": None}},
        "order": {"field": "order"},
    }
    ceiling = [{"x": model.cores}] if model.cores else []
    rule = layer(ceiling, {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x)
    missing = [{"lane": lane, "text": _state(c)} for lane, c in _lanes(cells) if _state(c) or not c.cpu]
    text = layer(missing, _end_mark(colours), None, _lane(cells))
    text["encoding"] |= {"text": {"field": "text"}, "x": {"value": 6}}
    return _chart(model, with_values((bar, rule, text)), cells, colours)


def _chart(model: ChartModel, layers: Sequence[Spec], cells: Sequence[ChartCell], colours: Theme) -> Spec:
    left_out = len(model.cells) - len(cells)
    more = [f"The first {len(cells)} of {len(model.cells)} cells."] if left_out else []
    drawn = [*layers] or [layer([{}], {"type": "text", "text": "No cell"}, None)]
    return framed(model, {"width": WIDTH, "height": {"step": LANE}, "layer": drawn}, more, colours)


def _lanes(cells: Sequence[ChartCell]) -> list[tuple[str, ChartCell]]:
    """Every cell with the name of its lane: row and series, told apart by the id where two are equal."""
    names = [f"{cell.row} · {cell.series}" for cell in cells]
    return [
        (f"{name} ({cell.id})" if names.count(name) > 1 else name, cell)
        for name, cell in zip(names, cells, strict=True)
    ]


def _lane(cells: Sequence[ChartCell]) -> Spec:
    order = [lane for lane, _ in _lanes(cells)]
    scale = {"domain": order}
    return {"field": "lane", "type": "nominal", "sort": None, "scale": scale, "axis": {"title": None}}


def _series(model: ChartModel, colours: Theme) -> Spec:
    wanted = [colours.series[entry.color % len(colours.series)] for entry in model.legend]
    return {"field": "series", "type": "nominal", "scale": _scale(model, wanted), "legend": _legend(model)}


def _shapes(model: ChartModel) -> list[str]:
    return [SHAPES[entry.shape % len(SHAPES)] for entry in model.legend]


def _scale(model: ChartModel, wanted: Sequence[str]) -> Spec:
    return {"domain": [entry.label for entry in model.legend], "range": list(wanted)}


def _legend(model: ChartModel) -> Spec | None:
    return {"title": None} if len(model.legend) > 1 else None


def _drawn(cells: Sequence[ChartCell]) -> list[tuple[str, ChartCell]]:
    return [(lane, cell) for lane, cell in _lanes(cells) if cell.state not in HIDDEN]


def _dots(cells: Sequence[ChartCell], axis: Axis) -> list[Spec]:
    """The jitter follows from the round, so that the same run is always the same picture.

    A reduced ChartModel has no values of some metrics: then there are no dots.
    """
    return [
        {
            "lane": lane,
            "series": cell.series,
            "x": value,
            "used": 0.0 if round_ in cell.left_out else 1.0,
            "jitter": (round_ * 5) % _JITTER - _JITTER // 2,
        }
        for lane, cell in _drawn(cells)
        for round_, value in zip(cell.rounds, cell.summaries[axis.metric].values, strict=False)
        if value is not None
    ]


def _medians(cells: Sequence[ChartCell], axis: Axis) -> list[Spec]:
    found = ((lane, cell, cell.summaries[axis.metric].median) for lane, cell in _drawn(cells))
    return [{"lane": lane, "series": cell.series, "x": x} for lane, cell, x in found if x is not None]


def _intervals(cells: Sequence[ChartCell], axis: Axis) -> list[Spec]:
    found = ((lane, cell, cell.summaries[axis.metric].interval) for lane, cell in _drawn(cells))
    return [
        {"lane": lane, "series": cell.series, "x": interval.low, "x2": interval.high}
        for lane, cell, interval in found
        if interval is not None
    ]


def _rules(model: ChartModel, axis: Axis) -> list[Spec]:
    """The baseline's median, where all cells have one and the same baseline."""
    baselines = [cell for cell in model.cells if cell.is_baseline]
    if len(baselines) != 1 or baselines[0].state in HIDDEN:
        return []
    centre = baselines[0].summaries[axis.metric].median
    return [] if centre is None else [{"x": centre}]


def _ends(cells: Sequence[ChartCell], axis: Axis) -> list[Spec]:
    """What stands at a lane's end: median and n, or why there is no figure."""
    return [{"lane": lane, "text": _end(cell, axis)} for lane, cell in _lanes(cells)]


def _end(cell: ChartCell, axis: Axis) -> str:
    summary = cell.summaries[axis.metric]
    if _state(cell) or summary.median is None:
        return _state(cell) or "no value"
    return f"{number(summary.median, axis.decimals)}, n = {summary.n}"


def _state(cell: ChartCell) -> str:
    """Why a cell shows no figure, or nothing."""
    return "" if cell.state in ("measured", "partial") else cell.state.replace("_", " ")


def _busy(cell: ChartCell) -> float:
    return sum(share.cores for share in cell.cpu if share.role in _ROLES)


def _end_mark(colours: Theme) -> Spec:
    return {"type": "text", "align": "left", "color": colours.ink_2, "fontSize": 10}


def _median_mark(colours: Theme) -> Spec:
    return {"type": "tick", "thickness": 2, "size": 18, "color": colours.ink}


def _axis_title(axis: Axis) -> str:
    return f"{axis.label}, {axis.unit} ({axis.better} is better)"
