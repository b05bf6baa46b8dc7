"""Throughput and CPU by role side by side: the cells of a run in shared rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Final

from backend.core.chart.model.cell_models import Axis, ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.table import number
from backend.core.export.colours import THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import HIDDEN, Heading, Spec, framed, layer, metric_name, with_values
from backend.core.export.pictures.lanes import chosen, lane_axis, left_out, named, why_none
from backend.core.export.pictures.names import beside
from backend.core.export.pictures.roles import drawn_total, role_bars
from backend.core.messages.message import message
from backend.core.messages.translation import Written
from backend.core.statistics.verdict import percent

ROW: Final = 34
RATE_WIDTH: Final = 330
CPU_WIDTH: Final = 300
TEXT: Final = 15
"""Pixels of names and figures: still read at a third of the picture's size."""
_APART: Final[Spec] = {"scale": {"color": "independent"}, "legend": {"color": "independent"}}
LOG_FROM: Final = 200
"""From this ratio of the largest to the smallest median on, the axis of the page is logarithmic, too."""
_SMALL: Final = 100
"""Below it, a rate on such an axis has three digits."""
_CLEAR: Final = ("better", "worse")


def joint(model: ChartModel, metric: str, theme: ThemeName, ids: Sequence[str] = (), row: int = ROW) -> Spec:
    """One row a cell: at the left every value of the metric, its median and 95 % interval, at the right the
    cores of each role.

    Medians are printed with the change from the compared cell where a difference is shown, and the cores of
    the proxy; A/A duplicates are left out unless named; how many of the others are not drawn is below the
    title. `metric` must be one of the model's axes; `ids` name the cells, none of them all. `row` is the
    height of one in pixels. Raises Invalid.
    """
    colours = THEMES[theme]
    cells = [cell for cell in chosen(model, ids) if ids or not cell.is_duplicate]
    axis = next(axis for axis in model.axes if axis.metric == metric)
    answer = model.answer.sentence if model.answer else model.headline
    drawable = [cell for cell in model.cells if cell.id in ids or not cell.is_duplicate]
    heading = Heading(answer, [Written(model.title), *left_out(drawable, cells)])
    panels = [_rates(model, cells, axis, colours)]
    if any(cell.cpu for cell in cells):
        panels.append(_cores(model, cells, colours, 0.6 * row))
    for panel in panels:
        panel["height"] = {"step": row}
    whole = framed(heading, {"hconcat": panels, "spacing": 24, "resolve": _APART}, colours)
    whole["title"] |= {"fontSize": 20, "subtitleFontSize": TEXT, "subtitlePadding": 6}
    whole["config"]["axis"] |= {"labelFontSize": TEXT - 2, "titleFontSize": TEXT - 2}
    whole["config"]["legend"] |= {"labelFontSize": TEXT - 2}
    return whole


def _panel(title: str, width: int, layers: Sequence[Spec]) -> Spec:
    own = {"text": title, "anchor": "start", "frame": "group", "fontSize": TEXT, "fontWeight": 600}
    drawn = with_values(layers) or [layer([{}], {"type": "text", "text": ""}, None)]
    return {"title": own, "width": width, "layer": drawn}


def _rates(model: ChartModel, cells: Sequence[ChartCell], axis: Axis, colours: Theme) -> Spec:
    y = lane_axis(cells)
    decades = _decades(model.cells, axis)
    x = _rate_axis(axis, decades)
    shown = [(lane, cell) for lane, cell in named(cells) if cell.state not in HIDDEN]
    colour = {entry.label: colours.series[entry.color % len(colours.series)] for entry in model.legend}
    dots: list[Spec] = [
        {"lane": lane, "x": value, "colour": colour.get(cell.series, colours.ink_2)}
        for lane, cell in shown
        for round_, value in zip(cell.rounds, cell.summaries[axis.metric].values, strict=False)
        if value is not None and round_ not in cell.left_out and (decades is None or value > 0)
    ]
    found = [(lane, cell.summaries[axis.metric]) for lane, cell in shown]
    medians: list[Spec] = [{"lane": lane, "x": one.median} for lane, one in found if one.median is not None]
    least = decades[0] if decades else axis.domain[0]
    ends: list[Spec] = [
        {"lane": lane, "x": max(one.interval.low, least), "x2": one.interval.high}
        for lane, one in found
        if one.interval
    ]
    mark = {"color": colours.ink, "fontSize": TEXT}
    names, _ = beside({name: name for name, _ in named(cells)}, y, mark, line=TEXT)
    points = layer(dots, {"type": "point", "filled": True, "size": 40, "opacity": 0.55}, x, y)
    points["encoding"] |= {"color": {"field": "colour", "type": "nominal", "scale": None, "legend": None}}
    intervals = layer(ends, {"type": "rule", "strokeWidth": 3, "color": colours.ink}, x, y)
    intervals["encoding"] |= {"x2": {"field": "x2"}}
    middles = layer(medians, {"type": "tick", "thickness": 3, "size": 22, "color": colours.ink}, x, y)
    figures = [(lane, _figure(cell, axis, decades is not None)) for lane, cell in named(cells)]
    texts = _texts(figures, RATE_WIDTH, y, colours)
    title = message(
        "pictureMetricLog" if decades else "pictureMetric", label=metric_name(axis), unit=axis.unit
    )
    return _panel(title, RATE_WIDTH, [*names, points, intervals, middles, texts])


def _cores(model: ChartModel, cells: Sequence[ChartCell], colours: Theme, height: float) -> Spec:
    y = lane_axis(cells)
    drawn = [(lane, cell) for lane, cell in named(cells) if cell.state not in HIDDEN]
    top = max((drawn_total(cell) for _, cell in drawn), default=0.0) or 1.0
    x: Spec = {"type": "quantitative", "scale": {"domain": [0, top], "nice": False}}
    x |= {"axis": {"title": None, "tickCount": 5}}
    bar = role_bars(drawn, y, height, x, colours)
    bar["encoding"]["color"]["legend"] |= {"columns": 4}
    texts = _texts([(lane, _proxy(cell)) for lane, cell in drawn], CPU_WIDTH, y, colours)
    title = message("pictureCpuOfCores", n=str(model.cores)) if model.cores else message("pictureCpuRoles")
    return _panel(title, CPU_WIDTH, [bar, texts])


def _texts(texts: Sequence[tuple[str, str]], width: int, y: Spec, colours: Theme) -> Spec:
    """Figures at the right end of the rows."""
    values: list[Spec] = [{"lane": lane, "text": text} for lane, text in texts if text]
    mark = {"type": "text", "align": "left", "color": colours.ink, "fontSize": TEXT}
    found = layer(values, mark, None, y)
    found["encoding"] |= {"text": {"field": "text"}, "x": {"value": width + 8}}
    return found


def _decades(cells: Sequence[ChartCell], axis: Axis) -> tuple[float, float] | None:
    """The powers of ten around the values, where the medians are too far apart for a linear axis."""
    found = [cell.summaries[axis.metric] for cell in cells if cell.state not in HIDDEN]
    medians = [one.median for one in found if one.median is not None]
    if len(medians) < 2 or min(medians) <= 0 or max(medians) / min(medians) <= LOG_FROM:
        return None
    values = [value for one in found for value in one.values if value is not None and value > 0]
    low, high = min(*medians, *values), max(*medians, *values)
    return 10.0 ** floor(log10(low)), 10.0 ** ceil(log10(high))


def _rate_axis(axis: Axis, decades: tuple[float, float] | None) -> Spec:
    """The x of the metric: linear as on the page, or logarithmic."""
    scale: Spec = {"domain": list(decades or axis.domain), "nice": False}
    drawn: Spec = {"title": None, "grid": True, "tickCount": 5, "format": "~s"}
    if decades is not None:
        first, last = round(log10(decades[0])), round(log10(decades[1]))
        scale["type"] = "log"
        drawn |= {"values": [10.0**at for at in range(first, last + 1, max(1, (last - first) // 3))]}
        drawn["format"] = ",~r"
    return {"type": "quantitative", "scale": scale, "axis": drawn}


def _figure(cell: ChartCell, axis: Axis, is_log: bool) -> str:
    """The median with the change from the compared cell where a difference is shown, or why there is none."""
    median, compared = cell.summaries[axis.metric].median, cell.comparisons.get(axis.metric)
    if why_none(cell) or median is None:
        return why_none(cell) or message("pictureNoValue")
    is_small = is_log and abs(median) < _SMALL
    text = f"{median:.3g}" if is_small else number(median, axis.decimals)
    if compared is None or compared.ratio is None or compared.verdict not in _CLEAR or cell.is_duplicate:
        return text
    return f"{text}  {percent(compared.ratio)}"


def _proxy(cell: ChartCell) -> str:
    """The cores of the proxy, where it has any."""
    cores = sum(share.cores for share in cell.cpu if share.role == "proxy")
    return message("pictureProxyCores", cores=f"{cores:.2f}") if cores >= 0.005 else ""
