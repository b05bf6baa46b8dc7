"""Points with intervals in lanes: ratios around 1, or differences around 0 in their metric's unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from backend.core.chart.model.model_base import Difference, Interval
from backend.core.export.colours import Theme
from backend.core.export.pictures.frame import Spec, layer, with_values
from backend.core.messages.message import message

WIDTH: Final = 460
REACH: Final = 3
"""Beyond so many times the largest estimate, an interval of a ratio is cut at the end of the axis, as on the
page: else one wide interval leaves the estimates no room."""


@dataclass(frozen=True)
class Mark:
    """The point and the interval in a lane; `fields` are further ones of the point's data."""

    lane: str
    value: float
    interval: Interval | None
    fields: Spec = field(default_factory=dict)


@dataclass(frozen=True)
class Scale:
    """An axis with its title, where no effect is, and the shaded band around it."""

    title: str
    reference: float
    band: tuple[float, float] | None


def ratio_scale(title: str, margin: float) -> Scale:
    """The axis of ratios; its band is the margin."""
    return Scale(title, 1.0, (1 / (1 + margin), 1 + margin))


def difference_scale(id_: str, unit: str) -> Scale:
    """The axis of differences in a unit; it has no band, because a margin is a ratio."""
    return Scale(message(id_, unit=unit), 0.0, None)


def mark_of(lane: str, ratio: float | None, interval: Interval | None, difference: Difference | None) -> Mark:
    """The mark of a comparison: its ratio, or its difference where no ratio exists."""
    if ratio is not None:
        return Mark(lane, ratio, interval)
    return Mark(lane, 0.0, None) if difference is None else Mark(lane, difference.value, difference.interval)


def interval_layers(marks: Sequence[Mark], y: Spec, scale: Scale, point: Spec, colours: Theme) -> list[Spec]:
    """Band, reference, intervals and points, the points last; `point` is added to their mark."""
    x: Spec = {"type": "quantitative", "scale": {"zero": False, "nice": True} | _cut(marks, scale)}
    x |= {"axis": {"title": scale.title, "titleFontWeight": 500, "grid": True, "tickCount": 6}}
    band = [] if scale.band is None else [{"x": scale.band[0], "x2": scale.band[1]}]
    ends = [{"lane": m.lane, "x": m.interval.low, "x2": m.interval.high} for m in marks if m.interval]
    points = [{"lane": mark.lane, "x": mark.value, **mark.fields} for mark in marks]
    shaded = layer(band, {"type": "rect", "opacity": 0.14, "color": colours.accent}, x)
    rule = {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}
    line = {"type": "rule", "strokeWidth": 1.75, "color": colours.ink, "clip": True}
    intervals = layer(ends, line, x, y)
    for one in (shaded, intervals):
        one["encoding"] |= {"x2": {"field": "x2"}}
    dots = layer(points, {"type": "point", "filled": True, "size": 60, "opacity": 1, **point}, x, y)
    return with_values([shaded, layer([{"x": scale.reference}], rule, x), intervals, dots])


def _cut(marks: Sequence[Mark], scale: Scale) -> Spec:
    """The end of an axis of ratios beyond which some interval reaches; nothing where none does."""
    if scale.band is None:
        return {}
    most = REACH * max([scale.band[1], *(mark.value for mark in marks)])
    reached = any(mark.interval is not None and mark.interval.high > most for mark in marks)
    return {"domainMax": most} if reached else {}


def beside_panel(texts: Sequence[Spec], y: Spec, colours: Theme) -> Spec:
    """The texts to the right of the lanes."""
    found = layer(texts, {"type": "text", "fontSize": 10, "color": colours.ink_2, "align": "left"}, None, y)
    found["encoding"] |= {"text": {"field": "text"}, "x": {"value": WIDTH + 8}}
    return found


def stacked(panels: Sequence[Spec]) -> Spec:
    """Panels below each other; one alone is itself."""
    return panels[0] if len(panels) == 1 else {"vconcat": list(panels)}
