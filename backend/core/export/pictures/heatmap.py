"""The pivot as a heat map: a table for each panel, every figure printed, colour only beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.table import between, compared, number
from backend.core.export.colours import THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import Spec, axis_title, framed, layer, of_run, with_values
from backend.core.export.pictures.marks import MARKS, explained
from backend.core.export.pictures.names import COLUMNS, LINE, fitted
from backend.core.export.pictures.pivot import Entry, FactorRoles, Panel, Pivot, no_figure, pivot
from backend.core.export.pictures.shades import shade_scales
from backend.core.export.pictures.tints import Tints
from backend.core.messages.message import message
from backend.core.plan.labels import factor_label

COLUMN: Final = 158
MAX_COLUMNS: Final = 12
MAX_ENTRIES: Final = 240
"""A picture of more would be larger than viewers open; what is left out is said in its subtitle."""
_LINE: Final = 15
_WIDE: Final = 22
"""Characters that a box has room for beside a symbol."""
_PAD: Final = 6
_SYMBOL: Final = 14


@dataclass(frozen=True)
class _Box:
    """One entry, or room without one, in pixels from its panel's upper left corner."""

    x: float
    y: float
    height: float
    entry: Entry | None
    absent: bool = False
    """Whether the plan has no cell in this row and column at all."""


def heatmap(model: ChartModel, placed: FactorRoles, axis: Axis, theme: ThemeName) -> Spec:
    """Medians by rows and columns; below each its ratio to the baseline with the 95 % interval.

    Tinted by the ratio where the verdict is a difference, grey where it is none; by the median where nothing
    is compared.
    """
    colours, found = THEMES[theme], pivot(model, placed, axis.metric)
    shown, more = _cut(found)
    tints = Tints.of([e for panel in found.panels for e in _entries(panel)], axis, colours)
    panels = [_panel(panel, shown, placed, axis, tints, colours) for panel in shown.panels]
    verdicts = [e.comparison.verdict for panel in found.panels for e in _entries(panel) if e.comparison]
    signs = message("pictureVerdicts", signs=explained(verdicts))
    medians = message("pictureMediansKey", axis=axis_title(axis), key=tints.key())
    lines = [medians, *([signs] if verdicts else []), *more]
    return framed(of_run(model, lines), {"vconcat": panels, "spacing": 24}, colours)


def _entries(panel: Panel) -> Iterator[Entry]:
    return (entry for row in panel.entries for slot in row for entry in slot)


def _cut(found: Pivot) -> tuple[Pivot, list[str]]:
    """The pivot within MAX_COLUMNS and, by whole rows, MAX_ENTRIES; and what is left out."""
    columns, panels, room, left_out = found.columns[:MAX_COLUMNS], [], MAX_ENTRIES, 0
    for panel in found.panels:
        rows: list[tuple[tuple[Entry, ...], ...]] = []
        for row in panel.entries:
            kept = row[:MAX_COLUMNS]
            size = sum(max(1, len(slot)) for slot in kept)
            left_out += sum(len(slot) for slot in (row if size > room else row[MAX_COLUMNS:]))
            rows.append(kept if size <= room else ())
            room -= min(size, room)
        if any(rows):
            panels.append(Panel(panel.title, tuple(rows)))
    more: list[str] = []
    if left_out:
        more.append(message("pictureCellsLeftOut", n=str(left_out)))
    return Pivot(found.rows, columns, tuple(panels), found.shades), more


def _panel(panel: Panel, found: Pivot, placed: FactorRoles, axis: Axis, tints: Tints, colours: Theme) -> Spec:
    boxes, rows, height = _boxes(panel, found)
    width = COLUMN * len(found.columns)
    text: Spec = {"type": "text", "align": "left", "baseline": "middle", "limit": COLUMN - 2 * _PAD}
    above = text | {"color": colours.ink_2, "baseline": "bottom"}
    beside = {"type": "text", "align": "right", "baseline": "middle", "color": colours.ink, "fontSize": 11}
    lines = _lines(boxes, _SYMBOL if found.shades else 0, axis)
    layers = [
        _at_pixels(_rects(boxes, tints), {"type": "rect", "stroke": colours.line}, rect=True),
        _at_pixels(_heads(found.columns), above | {"fontSize": 11}),
        _at_pixels(_factors(placed), above | {"fontSize": 10, "limit": 0}),
        _at_pixels(_rows(found.rows, rows, placed), beside | {"lineHeight": LINE}),
        _at_pixels(lines["name"], text | {"color": colours.ink, "fontSize": 10}),
        _at_pixels(lines["figure"], text | {"color": colours.ink, "fontSize": 12, "fontWeight": 600}),
        _at_pixels(lines["detail"], text | {"color": colours.ink, "fontSize": 10}),
        _at_pixels([*_absent(boxes)], text | {"color": colours.ink_2, "fontSize": 10}),
        *_symbols(boxes, found, colours),
    ]
    title: Spec = {"title": {"text": panel.title, "anchor": "start", "fontSize": 13, "offset": 22}}
    drawn = {"width": width, "height": height, "layer": with_values(layers)}
    return drawn | (title if panel.title else {})


def _heads(columns: Sequence[str]) -> list[Spec]:
    """Each column's level above it."""
    named = fitted([level or message("pictureAll") for level in columns], _WIDE)
    return [{"x": i * COLUMN + _PAD, "y": -_PAD, "text": text} for i, (text,) in enumerate(named)]


def _factors(placed: FactorRoles) -> list[Spec]:
    """The columns' factor, once, above their levels."""
    name = factor_label(placed.columns) if placed.columns else ""
    return [{"x": _PAD, "y": -_PAD - _LINE, "text": name}] if name else []


def _rows(levels: Sequence[str], middles: Sequence[float | None], placed: FactorRoles) -> list[Spec]:
    """Each row's level around its middle, and their factor above them."""
    named = fitted([level or message("pictureAll") for level in levels], COLUMNS, 2)
    drawn: list[Spec] = [
        {"x": -10, "y": y - (len(name) - 1) * LINE / 2, "text": name if len(name) > 1 else name[0]}
        for name, y in zip(named, middles, strict=True)
        if y is not None
    ]
    factor = factor_label(placed.rows) if placed.rows else ""
    return [*drawn, {"x": -10, "y": -_PAD - 5, "text": factor}] if factor else drawn


def _boxes(panel: Panel, found: Pivot) -> tuple[list[_Box], list[float | None], float]:
    """Every entry's box, the middle of every row (None where it has no cell here), and the height of all."""
    boxes: list[_Box] = []
    middles: list[float | None] = []
    top = 0.0
    for row in panel.entries:
        if not any(row):
            middles.append(None)
            continue
        each = max(_height(entry) for slot in row for entry in slot)
        height = each * max(len(slot) for slot in row)
        for index, slot in enumerate(row):
            x = index * COLUMN
            boxes += [_Box(x, top + i * each, each, entry) for i, entry in enumerate(slot)]
            free = height - each * len(slot)
            if free:
                boxes.append(_Box(x, top + each * len(slot), free, None, absent=not slot))
        middles.append(top + height / 2)
        top += height
    return boxes, middles, top


def _height(entry: Entry) -> int:
    return 2 * _PAD + _LINE * (2 + len(entry.names))


def _at_pixels(values: Sequence[Spec], mark: Spec, rect: bool = False) -> Spec:
    """Marks at pixels: scales would have to be shared among all layers, and labels have none."""
    drawn = layer(values, mark, None)
    for name in ("x", "y", *(("x2", "y2") if rect else ())):
        drawn["encoding"][name] = {"field": name, "type": "quantitative", "scale": None, "axis": None}
    if rect:
        for name in ("x2", "y2"):
            drawn["encoding"][name] = {"field": name}
        drawn["encoding"]["fill"] = {"field": "fill", "type": "nominal", "scale": None, "legend": None}
    else:
        drawn["encoding"]["text"] = {"field": "text"}
    return drawn


def _rects(boxes: Sequence[_Box], tints: Tints) -> list[Spec]:
    return [
        {"x": box.x, "x2": box.x + COLUMN, "y": box.y, "y2": box.y + box.height}
        | {"fill": tints.colours.background if box.entry is None else tints.of_entry(box.entry)}
        for box in boxes
    ]


def _lines(boxes: Sequence[_Box], indent: int, axis: Axis) -> dict[str, list[Spec]]:
    """The lines of all boxes by what they are: names where it has any, median, and what is said of that."""
    lines: dict[str, list[Spec]] = {"name": [], "figure": [], "detail": []}
    names = [*dict.fromkeys(name for box in boxes if box.entry for name in box.entry.names)]
    short = dict(zip(names, (text for (text,) in fitted(names, _WIDE)), strict=True))
    for box in boxes:
        if box.entry is None:
            continue
        figure, detail = _texts_of(box.entry, axis)
        texts = [*(("name", short[name]) for name in box.entry.names), ("figure", figure), ("detail", detail)]
        for place, (part, text) in enumerate(texts):
            x = box.x + _PAD + (indent if part == "name" else 0)
            lines[part].append({"x": x, "y": box.y + _PAD + _LINE * (place + 0.5), "text": text})
    return lines


def _texts_of(entry: Entry, axis: Axis) -> tuple[str, str]:
    """The figure, and its ratio with interval; the state in the place of a figure."""
    summary, comparison = entry.summary, entry.comparison
    if summary is None:
        return "–", no_figure(entry.cell)
    figure = number(summary.median, axis.decimals)
    if comparison is not None:
        figure = f"{figure} {MARKS[comparison.verdict][0]}"
    if comparison is not None and comparison.ratio is not None:
        return figure, f"{number(comparison.ratio, 3)}×{between(comparison.interval, 3)}"
    if comparison is not None and comparison.difference is not None:
        return figure, compared(None, None, comparison.difference)
    if comparison is not None:
        return figure, MARKS[comparison.verdict][1]
    counted = "pictureBaselineN" if entry.cell.is_baseline else "pictureCount"
    return figure, message(counted, n=str(summary.n))


def _absent(boxes: Sequence[_Box]) -> Iterator[Spec]:
    for box in boxes:
        if box.absent:
            yield {"x": box.x + _PAD, "y": box.y + box.height / 2, "text": message("pictureNotInPlan")}


def _symbols(boxes: Sequence[_Box], found: Pivot, colours: Theme) -> list[Spec]:
    """The colour's level before each name, and its legend."""
    labels = {(shade.color, shade.shape): shade.label for shade in found.shades}
    values: list[Spec] = [
        {"x": box.x + _PAD + 5, "y": box.y + _PAD + _LINE * (e.names.index(label) + 0.5), "level": label}
        for box in boxes
        if (e := box.entry) and (label := labels.get((e.color, e.shape), "")) in e.names
    ]
    if not values:
        return []
    drawn = _at_pixels(values, {"type": "point", "filled": True, "size": 44, "opacity": 1})
    del drawn["encoding"]["text"]
    drawn["encoding"] |= shade_scales(found, colours)
    return [drawn]
