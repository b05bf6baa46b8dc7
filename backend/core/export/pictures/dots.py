"""The cells of a run as Vega-Lite: every value of a metric as a dot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from backend.core.chart.model.cell_models import Axis, ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.table import number
from backend.core.export.colours import SHAPES, THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import HIDDEN, Spec, axis_title, layer, with_values
from backend.core.export.pictures.lanes import (
    LANE,
    WIDTH,
    chart,
    chosen,
    end_mark,
    lane_axis,
    named,
    why_none,
)
from backend.core.messages.message import message

_JITTER: Final = 7
_PUBLISHED: Final[Spec] = {"type": "point", "shape": "diamond", "filled": True, "size": 60, "opacity": 0.7}


def dots(model: ChartModel, metric: str, theme: ThemeName, ids: Sequence[str] = ()) -> Spec:
    """One lane a cell: every recorded value as a dot, the median as a tick, its 95 % interval as a bar.

    Values that take no part in the statistics are hollow. The dashed rule is the baseline's median;
    hollow diamonds are a study's own ratios on it.
    `metric` must be one of the model's axes; `ids` name the cells, none of them all. Raises Invalid.
    """
    axis = next(axis for axis in model.axes if axis.metric == metric)
    cells, colours = chosen(model, ids), THEMES[theme]
    x = {"type": "quantitative", "scale": {"domain": list(axis.domain), "nice": False}}
    x |= {"axis": {"title": axis_title(axis), "grid": True, "tickCount": 6}}
    published, y = _published(model, cells, axis), lane_axis(cells)
    layers = [
        layer(_rules(model, axis), {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x),
        layer(_dots(cells, axis), {"type": "point", "size": 24, "opacity": 0.6}, x, y),
        layer(
            _intervals(cells, axis),
            {"type": "rule", "strokeWidth": 2, "color": colours.ink},
            x,
            y,
        ),
        layer(_medians(cells, axis), _median_mark(colours), x, y),
        layer(_ends(cells, axis), end_mark(colours), None, y),
        layer(_bases(model, cells, axis), _base_mark(colours), x, y),
        layer(published, _PUBLISHED | {"stroke": colours.ink_2, "color": colours.background}, x, y),
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
    more = [message("pictureSaid")] if published else []
    return chart(model, with_values(layers), cells, colours, more)


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
    return [(lane, cell) for lane, cell in named(cells) if cell.state not in HIDDEN]


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


def _baseline(model: ChartModel, cell: ChartCell, axis: Axis) -> float | None:
    """The median of the cell's own baseline, where it may be drawn."""
    comparison = cell.comparisons.get(axis.metric)
    bases = (c for c in model.cells if c.is_baseline and not c.is_duplicate)
    wanted = [c for c in bases if comparison is None or c.id == comparison.baseline_id]
    if len(wanted) != 1 or wanted[0].state in HIDDEN:
        return None
    return wanted[0].summaries[axis.metric].median


def _rules(model: ChartModel, axis: Axis) -> list[Spec]:
    """The baseline's median, where all cells have one and the same baseline."""
    bases = [cell for cell in model.cells if cell.is_baseline and not cell.is_duplicate]
    centre = _baseline(model, bases[0], axis) if len(bases) == 1 else None
    return [] if centre is None else [{"x": centre}]


def _bases(model: ChartModel, cells: Sequence[ChartCell], axis: Axis) -> list[Spec]:
    """Each lane's own baseline, where there are several."""
    if sum(cell.is_baseline and not cell.is_duplicate for cell in model.cells) < 2:
        return []
    found = ((lane, _baseline(model, cell, axis)) for lane, cell in named(cells) if not cell.is_baseline)
    return [{"lane": lane, "x": centre} for lane, centre in found if centre is not None]


def _published(model: ChartModel, cells: Sequence[ChartCell], axis: Axis) -> list[Spec]:
    """The study's ratio of each cell on the baseline that was measured here; of the first metric alone."""
    if axis.metric != model.axes[0].metric:
        return []
    marks: list[Spec] = []
    for lane, cell in named(cells):
        ratio = cell.published.ratio if cell.published else None
        centre = _baseline(model, cell, axis)
        if ratio is None or centre is None or cell.is_baseline or cell.is_duplicate:
            continue
        if ratio * centre <= axis.domain[1]:
            marks.append({"lane": lane, "x": ratio * centre})
    return marks


def _ends(cells: Sequence[ChartCell], axis: Axis) -> list[Spec]:
    """The text at a lane's end: median and n, or why there is no figure."""
    return [{"lane": lane, "text": _end(cell, axis)} for lane, cell in named(cells)]


def _end(cell: ChartCell, axis: Axis) -> str:
    summary = cell.summaries[axis.metric]
    if why_none(cell) or summary.median is None:
        return why_none(cell) or message("pictureNoValue")
    return f"{number(summary.median, axis.decimals)}, n = {summary.n}"


def _median_mark(colours: Theme) -> Spec:
    return {"type": "tick", "thickness": 2, "size": 18, "color": colours.ink}


def _base_mark(colours: Theme) -> Spec:
    return {"type": "tick", "thickness": 1, "size": LANE, "color": colours.ink_2}
