"""A group of runs as Vega-Lite: each cell's ratio to its own host's baseline, the hosts side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from backend.core.chart.across_hosts.hosts_model import (
    DisagreementOutcome,
    HostFigure,
    HostMember,
    HostsResult,
    HostsRow,
)
from backend.core.export.colours import SHAPES, THEMES, Theme, theme_named
from backend.core.export.pictures.frame import Heading, Spec, framed, layer, with_values
from backend.core.export.pictures.interval_panel import (
    WIDTH,
    Scale,
    beside_panel,
    difference_scale,
    interval_layers,
    mark_of,
    ratio_scale,
    stacked,
)
from backend.core.export.pictures.names import COLUMNS, fitted
from backend.core.export.pictures.ratios import ratio_text
from backend.core.messages.message import joined, message, with_parts
from backend.core.messages.translation import Written

LANE: Final = 15
MAX_MARKS: Final = 240
_NAMED: Final = 12
"""The most hosts whose runs are named above the picture."""
_OUTCOMES: Final[dict[DisagreementOutcome, str]] = {
    "disagree": "pictureDisagree",
    "none_shown": "pictureNoDisagreement",
    "cannot_tell": "pictureCannotTell",
}


def hosts(model: HostsResult, theme: str) -> Spec:
    """Ratios as marks with simultaneous 95 % intervals, one lane a host; the band is the margin.

    A cell with a difference on some host, because a value is zero, is below them, on an axis in its unit.

    Raises Invalid where there is no such theme.
    """
    colours = THEMES[theme_named(theme)]
    compared = [row for row in model.table.rows if any(map(_is_compared, row.figures))]
    rows = compared[: max(1, MAX_MARKS // max(1, len(model.members)))]
    panels = [_panel(own, scale, model, colours) for own, scale in _parts(rows, model) if own]
    lines = [
        with_parts(model.headline, model.headline_message),
        *_lines(model),
        *_left_out(model, compared, rows),
    ]
    body = stacked(panels or [_panel([], _ratio_scale(model), model, colours)])
    return framed(Heading(Written(model.title), lines), body, colours)


def _is_compared(one: HostFigure) -> bool:
    return one.ratio is not None or one.difference is not None


def _ratio_scale(model: HostsResult) -> Scale:
    return ratio_scale(message("pictureHostsAxis"), model.margin)


def _parts(rows: Sequence[HostsRow], model: HostsResult) -> Iterator[tuple[list[HostsRow], Scale]]:
    """The cells that are compared by ratio on all hosts, and those with a difference on some host."""
    by_difference = [row for row in rows if any(one.difference is not None for one in row.figures)]
    yield [row for row in rows if row not in by_difference], _ratio_scale(model)
    yield by_difference, difference_scale("pictureHostsDifferenceAxis", model.table.unit)


def _panel(rows: Sequence[HostsRow], scale: Scale, model: HostsResult, colours: Theme) -> Spec:
    """The lanes of some cells with one axis."""
    lanes = list(_lanes(rows))
    y: Spec = {"field": "lane", "type": "nominal", "sort": None, "axis": None}
    y |= {"scale": {"domain": [lane for lane, *_ in lanes], "padding": 0}}
    layers = with_values([*_names(lanes, y, colours), *_marks(lanes, y, scale, model, colours)])
    return {"width": WIDTH, "height": max(1, len(lanes)) * LANE, "layer": layers}


_Lane = tuple[str, HostsRow, HostFigure | None]
"""A lane's name, its cell, and its host's figure: None in the lane that has the cell's name."""


def _lanes(rows: Sequence[HostsRow]) -> Iterator[_Lane]:
    for place, row in enumerate(rows):
        yield f"{place}", row, None
        yield from ((f"{place} {one.host}", row, one) for one in row.figures)


def _lines(model: HostsResult) -> Iterator[str]:
    table = model.table
    better = message(f"picture{table.better.title()}", label=table.label, unit=table.unit)
    yield message("pictureHostsNote", better=better, margin=f"{model.margin * 100:g}")
    if model.differences:
        notices = zip_longest(model.notices[:1], model.notice_messages[:1])
        yield from (with_parts(text, parts) for text, parts in notices if text is not None)
    if len(model.members) > _NAMED:
        yield message("pictureGroup", group=model.group_id)
        return
    states = joined(map(_member, model.members), "semicolon")
    yield message("pictureGroupStates", group=model.group_id, states=states)


def _member(one: HostMember) -> str:
    run = one.run_id or message("pictureNoRun")
    return message("pictureMember", host=Written(one.host), run=run, state=one.state)


def _left_out(model: HostsResult, compared: Sequence[HostsRow], rows: Sequence[HostsRow]) -> Iterator[str]:
    if len(compared) > len(rows):
        yield message("pictureFirstCells", n=str(len(rows)), of=str(len(compared)))
    without = sum(not row.is_baseline for row in model.table.rows) - len(compared)
    if without > 0:
        yield message("pictureWithoutHostRatio", n=str(without))


def _names(lanes: Sequence[_Lane], y: Spec, colours: Theme) -> Iterator[Spec]:
    """The cell in bold above its hosts; the hosts' names beside their lanes."""
    cells = [(lane, row.label) for lane, row, figure in lanes if figure is None]
    own = [(lane, figure.host) for lane, _, figure in lanes if figure is not None]
    for named, more in ((cells, {"fontWeight": 600, "color": colours.ink}), (own, {"color": colours.ink_2})):
        texts = fitted([text for _, text in named], COLUMNS)
        values: list[Spec] = [
            {"lane": lane, "text": text[0]} for (lane, _), text in zip(named, texts, strict=True)
        ]
        found = layer(values, {"type": "text", "align": "right", "fontSize": 11, **more}, None, y)
        found["encoding"] |= {"text": {"field": "text"}, "x": {"value": -10}}
        yield found


def _marks(lanes: Sequence[_Lane], y: Spec, scale: Scale, model: HostsResult, colours: Theme) -> list[Spec]:
    by_ratio = scale.band is not None
    marks = [
        replace(mark_of(lane, one.ratio, one.interval, one.difference), fields={"host": one.host})
        for lane, _, one in lanes
        if one is not None and (one.ratio is not None if by_ratio else one.difference is not None)
    ]
    layers = interval_layers(marks, y, scale, {}, colours)
    if marks:
        layers[-1]["encoding"] |= _series(model, colours)
    texts: list[Spec] = [
        {"lane": lane, "text": _text(one) if one else _judged(row)} for lane, row, one in lanes
    ]
    return [*layers, beside_panel(texts, y, colours)]


def _series(model: HostsResult, colours: Theme) -> Spec:
    names = [member.host for member in model.members]
    painted = [colours.series[one.color % len(colours.series)] for one in model.members]
    shaped = [SHAPES[one.shape % len(SHAPES)] for one in model.members]
    scales = {"color": painted, "shape": shaped}
    return {
        channel: {
            "field": "host",
            "type": "nominal",
            "scale": {"domain": names, "range": range_},
            "legend": None,
        }
        for channel, range_ in scales.items()
    }


def _judged(row: HostsRow) -> str:
    return "" if row.disagreement is None else message(_OUTCOMES[row.disagreement.outcome])


def _text(one: HostFigure) -> str:
    if one.ratio is None and one.difference is None:
        missing = one.missing or message("pictureNoRatio")
        return with_parts(missing, one.missing_message)
    return ratio_text(one.ratio, one.interval, one.difference, one.p_adjusted, str(one.replicates))
