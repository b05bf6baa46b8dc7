"""The pivot as small charts: one for each panel and column, rows down, colours beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.colours import SHAPES, THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import Spec, axis_title, framed, layer, of_run, with_values, wrapped
from backend.core.export.pictures.names import LINE, fitted
from backend.core.export.pictures.pivot import Entry, FactorRoles, Pivot, factor_words, pivot
from backend.core.export.pictures.shades import shade_scales
from backend.core.messages.message import message

WIDTH: Final = 260
ABREAST: Final = 2
MAX_FACETS: Final = 24
MAX_ROWS: Final = 60
_LANE: Final = 17
_GAP: Final = 9
_WRAP: Final = 46
_NAME: Final = 28
"""Characters of a row's name in a line: charts are side by side, so there is less room."""


@dataclass(frozen=True)
class _Facet:
    title: str
    slots: tuple[tuple[Entry, ...], ...]
    """Entries by row."""


def facets(model: ChartModel, placed: FactorRoles, axis: Axis, same_scale: bool, theme: ThemeName) -> Spec:
    """Each cell's median as a dot with its 95 % interval; the dashed rule is the baseline of all in a chart.

    With `same_scale` all charts have the metric's whole axis, else each its own from zero.
    """
    colours, found = THEMES[theme], pivot(model, placed, axis.metric)
    all_ = [*_facets(found, placed)]
    shown, rows = all_[:MAX_FACETS], found.rows[:MAX_ROWS]
    lines = [message("pictureMedians", axis=axis_title(axis))]
    if placed.rows is not None:
        lines.append(message("pictureRows", factor=factor_words(placed.rows)))
    if not same_scale:
        lines.append(message("pictureOwnScale"))
    if len(all_) > len(shown):
        lines.append(message("pictureFirstCharts", n=str(len(shown)), of=str(len(all_))))
    if len(found.rows) > len(rows):
        lines.append(message("pictureFirstRows", n=str(len(rows)), of=str(len(found.rows))))
    domain = list(axis.domain) if same_scale else None
    panels = [_chart(model, facet, found, rows, axis, domain, colours) for facet in shown]
    body: Spec = {"concat": panels, "columns": ABREAST, "spacing": 30}
    return framed(of_run(model, lines), body, colours)


def _facets(found: Pivot, placed: FactorRoles) -> Iterator[_Facet]:
    for panel in found.panels:
        for index, column in enumerate(found.columns):
            slots = tuple(row[index] for row in panel.entries)
            if any(slots):
                name = ""
                if placed.columns is not None:
                    name = message("pictureLevel", factor=factor_words(placed.columns), level=column)
                both = message("pictureLane", row=panel.title, series=name)
                yield _Facet(both if panel.title and name else panel.title or name, slots)


def _chart(
    model: ChartModel,
    facet: _Facet,
    found: Pivot,
    rows: Sequence[str],
    axis: Axis,
    domain: list[float] | None,
    colours: Theme,
) -> Spec:
    tops, height = _tops(found, len(rows))
    marks = [*_marks(facet, tops, found)]
    scale: Spec = {"zero": True, "nice": True} if domain is None else {"domain": domain, "nice": False}
    x: Spec = {"type": "quantitative", "scale": scale}
    x |= {"axis": {"title": axis.unit, "titleFontWeight": 500, "grid": True, "tickCount": 4, "format": ",~r"}}
    names = _names(rows, tops)
    missing = sum(e.summary is None for slot in facet.slots[: len(rows)] for e in slot)
    point: Spec = {"type": "point", "filled": True, "size": 46, "opacity": 1}
    layers = [
        layer(_rule(model, facet, axis), {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x),
        layer(
            [m for m in marks if "low" in m], {"type": "rule", "strokeWidth": 1.75, "color": colours.ink}, x
        ),
        layer(marks, point | {"stroke": colours.background, "strokeWidth": 1}, x),
        layer(
            names,
            {"type": "text", "align": "right", "color": colours.ink, "fontSize": 11, "lineHeight": LINE},
            None,
        ),
    ]
    at_pixel: Spec = {"field": "y", "type": "quantitative", "scale": None, "axis": None}
    for each in layers[1:]:
        each["encoding"]["y"] = at_pixel
    layers[1]["encoding"] |= {"x": {"field": "low", **x}, "x2": {"field": "high"}}
    layers[2]["encoding"] |= _painted(found, marks, colours)
    layers[3]["encoding"] |= {"text": {"field": "text"}, "x": {"value": -10}}
    drawn: Spec = {"width": WIDTH, "height": height, "layer": with_values(layers)}
    lines = [
        *wrapped(facet.title, _WRAP),
        *([message("pictureWithoutFigure", n=str(missing))] if missing else []),
    ]
    title = {"text": lines, "anchor": "start", "fontSize": 12, "offset": 8}
    return drawn | ({"title": title} if any(lines) else {})


def _names(rows: Sequence[str], tops: Sequence[tuple[float, float]]) -> list[Spec]:
    """The rows' levels, each around the middle of its row."""
    named = fitted([row or message("pictureAll") for row in rows], _NAME, 2)
    return [
        {"y": (top + bottom - (len(name) - 1) * LINE) / 2, "text": name if len(name) > 1 else name[0]}
        for name, (top, bottom) in zip(named, tops, strict=True)
    ]


def _tops(found: Pivot, rows: int) -> tuple[list[tuple[float, float]], float]:
    """Where each row begins and ends in every chart, in pixels; and the height of all."""
    places, y = [], _GAP / 2
    for row in range(rows):
        lanes = max(1, *(len(slot) for panel in found.panels for slot in panel.entries[row]), 1)
        places.append((y, y + lanes * _LANE))
        y += lanes * _LANE + _GAP
    return places, y - _GAP / 2


def _marks(facet: _Facet, tops: Sequence[tuple[float, float]], found: Pivot) -> Iterator[Spec]:
    labels = {(shade.color, shade.shape): shade.label for shade in found.shades}
    for slot, (top, _) in zip(facet.slots, tops, strict=False):
        for place, entry in enumerate(slot):
            summary = entry.summary
            if summary is None:
                continue
            mark: Spec = {"x": summary.median, "y": top + (place + 0.5) * _LANE}
            if summary.interval is not None:
                mark |= {"low": summary.interval.low, "high": summary.interval.high}
            yield mark | {"level": labels.get((entry.color, entry.shape), "")} | _own(entry)


def _own(entry: Entry) -> Spec:
    return {"color": entry.color, "shape": entry.shape}


def _painted(found: Pivot, marks: Sequence[Spec], colours: Theme) -> Spec:
    """Colour by the colour's factor, with its legend; one colour where none is chosen."""
    if found.shades:
        return shade_scales(found, colours)
    for mark in marks:
        mark["color"] = colours.series[mark["color"] % len(colours.series)]
        mark["shape"] = SHAPES[mark["shape"] % len(SHAPES)]
    as_is: Spec = {"type": "nominal", "scale": None, "legend": None}
    return {"color": {"field": "color", **as_is}, "shape": {"field": "shape", **as_is}}


def _rule(model: ChartModel, facet: _Facet, axis: Axis) -> list[Spec]:
    """The baseline's median, where all cells of the chart have the same."""
    ids = {
        entry.comparison.baseline_id if entry.comparison else entry.cell.id
        for slot in facet.slots
        for entry in slot
        if entry.comparison or entry.cell.is_baseline
    }
    found = (cell for cell in model.cells if len(ids) == 1 and cell.id in ids)
    medians = (cell.summaries[axis.metric].median for cell in found)
    return [{"x": median} for median in medians if median is not None]
