"""ChartModel to Vega-Lite, for pictures outside the page. Places and colours only; no statistic.

Texts are data, never expressions: what a title or a label says cannot run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from backend.core.chart.model import Axis, ChartCell, ChartModel
from backend.core.chart.table import number
from backend.core.export.colours import SHAPES, THEMES, Theme, ThemeName

Spec = dict[str, Any]

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"
WIDTH: Final = 560
LANE: Final = 22
MAX_LANES: Final = 120
"""A picture of more rows would be taller than viewers open; what is left out is said in its subtitle."""
FONT: Final = "DejaVu Sans, Droid Sans Fallback, Noto Sans CJK SC, sans-serif"
LONGEST_LABEL: Final = 320
WRAP: Final = 110
_HIDDEN: Final = ("contradicted", "not_proven")
"""States whose figures are never drawn."""
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
        _layer(_rules(model, axis), {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x),
        _layer(_dots(cells, axis), {"type": "point", "size": 24, "opacity": 0.6}, x, _lane(cells)),
        _layer(
            _intervals(cells, axis), {"type": "rule", "strokeWidth": 2, "color": colours.ink}, x, _lane(cells)
        ),
        _layer(_medians(cells, axis), _median_mark(colours), x, _lane(cells)),
        _layer(_ends(cells, axis), _end_mark(colours), None, _lane(cells)),
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
    return _chart(model, [layer for layer in layers if layer["data"]["values"]], cells, colours)


def roles(model: ChartModel, theme: ThemeName) -> Spec:
    """One bar a cell: the host's CPU in cores by role, stacked; the rule is all of the host's cores."""
    cells, colours = model.cells[:MAX_LANES], THEMES[theme]
    shown = [role for role in _ROLES if any(s.role == role for c in cells for s in c.cpu)]
    bars: list[Spec] = [
        {"lane": lane, "role": share.role, "cores": share.cores, "order": _ROLES.index(share.role)}
        for lane, cell in _lanes(cells)
        if cell.state not in _HIDDEN
        for share in cell.cpu
        if share.role in _ROLES
    ]
    top = max([model.cores or 0, *(_busy(cell) for cell in cells)]) or 1
    title = "CPU of the host in cores, medians over the trials"
    x = {"type": "quantitative", "scale": {"domain": [0, top], "nice": False}}
    x |= {"axis": {"title": title, "tickCount": 6}}
    scale = {"domain": shown, "range": [colours.roles[role] for role in shown]}
    bar = _layer(bars, {"type": "bar", "height": LANE - 6}, None, _lane(cells))
    bar["encoding"] |= {
        "x": {"field": "cores", "stack": "zero", **x},
        "color": {"field": "role", "type": "nominal", "scale": scale, "legend": {"title": None}},
        "order": {"field": "order"},
    }
    ceiling = [{"x": model.cores}] if model.cores else []
    rule = _layer(ceiling, {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x)
    missing = [{"lane": lane, "text": _state(c)} for lane, c in _lanes(cells) if _state(c) or not c.cpu]
    text = _layer(missing, _end_mark(colours), None, _lane(cells))
    text["encoding"] |= {"text": {"field": "text"}, "x": {"value": 6}}
    return _chart(model, [layer for layer in (bar, rule, text) if layer["data"]["values"]], cells, colours)


def _chart(model: ChartModel, layers: Sequence[Spec], cells: Sequence[ChartCell], colours: Theme) -> Spec:
    left_out = len(model.cells) - len(cells)
    more = [f"The first {len(cells)} of {len(model.cells)} cells."] if left_out else []
    axis: Spec = {"labelColor": colours.ink, "titleColor": colours.ink_2, "gridColor": colours.line}
    axis |= {"domainColor": colours.line, "tickColor": colours.line, "labelLimit": LONGEST_LABEL}
    return {
        "$schema": SCHEMA,
        "background": colours.background,
        "padding": 16,
        "width": WIDTH,
        "height": {"step": LANE},
        "title": {
            "text": _wrapped(model.title),
            "subtitle": [*_wrapped(model.headline), *more, f"Run {model.run_id}, {model.state}"],
            "anchor": "start",
            "frame": "group",
            "offset": 14,
        },
        "layer": [*layers] or [_layer([{}], {"type": "text", "text": "No cell"}, None)],
        "config": {
            "font": FONT,
            "view": {"stroke": None},
            "axis": axis,
            "legend": {"labelColor": colours.ink, "orient": "bottom", "labelLimit": LONGEST_LABEL},
            "title": {"color": colours.ink, "subtitleColor": colours.ink_2, "fontSize": 15},
        },
    }


def _layer(values: Sequence[Spec], mark: Spec, x: Spec | None, y: Spec | None = None) -> Spec:
    encoding: Spec = {} if x is None else {"x": {"field": "x", **x}}
    if y is not None:
        encoding["y"] = y
    return {"data": {"values": list(values)}, "mark": dict(mark), "encoding": encoding}


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
    return [(lane, cell) for lane, cell in _lanes(cells) if cell.state not in _HIDDEN]


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
    if len(baselines) != 1 or baselines[0].state in _HIDDEN:
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


def _wrapped(text: str) -> list[str]:
    """Lines of at most WRAP characters; East Asian ones count double and may break anywhere."""
    lines, line, width = [], "", 0
    for word in _pieces(text):
        size = sum(2 if ord(char) > 0x2E7F else 1 for char in word)
        if width + size > WRAP and line:
            lines.append(line.rstrip())
            line, width = "", 0
        line, width = line + word, width + size
    return [*lines, line.rstrip()]


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for char in text:
        starts = not pieces or pieces[-1][-1] == " " or ord(char) > 0x2E7F or ord(pieces[-1][-1]) > 0x2E7F
        if starts:
            pieces.append(char)
        else:
            pieces[-1] += char
    return pieces
