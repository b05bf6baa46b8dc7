"""ChartModel to Vega-Lite, for pictures outside the page: what all of them have around their marks.

Places and colours only; no statistic. Texts are data, never expressions: what a title or a label says
cannot run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.colours import Theme
from backend.core.export.pictures.spoken import spoken
from backend.core.messages import language
from backend.core.messages.message import key, message, named
from backend.core.messages.translation import Written, said

Spec = dict[str, Any]

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"
FONT: Final = "DejaVu Sans, Droid Sans Fallback, Noto Sans CJK SC, sans-serif"
LONGEST_LABEL: Final = 320
WRAP: Final = 110
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_NEVER_FIRST: Final = frozenset("，。；：、？！）》”’")
"""Full-width marks that begin no line."""
HIDDEN: Final = ("contradicted", "not_proven", "invalid", "contaminated", "excluded")
"""States whose figures are never drawn."""


@dataclass(frozen=True)
class Heading:
    """The title above a picture, and the wrapped lines below it."""

    title: str
    lines: Sequence[str]


def of_run(model: ChartModel, more: Sequence[str]) -> Heading:
    """The run's title and headline, `more` lines below them, and which run it is, unless it has no id."""
    run = message("pictureRun", run=model.run_id, state=model.state) if model.run_id else model.state
    return Heading(Written(model.title), (model.headline, *more, run))


def framed(heading: Heading, body: Spec, colours: Theme) -> Spec:
    """A whole picture: the marks of `body` under their heading."""
    axis: Spec = {"labelColor": colours.ink, "titleColor": colours.ink_2, "gridColor": colours.line}
    axis |= {"domainColor": colours.line, "tickColor": colours.line, "labelLimit": LONGEST_LABEL}
    # Only a single view has its title over its labels too; several are under one at the left anyway.
    single: Spec = {"frame": "group"} if "layer" in body else {}
    return spoken(
        {
            "$schema": SCHEMA,
            "background": colours.background,
            "padding": 16,
            "title": {
                "text": wrapped(heading.title),
                "subtitle": [piece for line in heading.lines for piece in wrapped(line)],
                "anchor": "start",
                "offset": 14,
                **single,
            },
            **body,
            "config": {
                "font": FONT,
                "view": {"stroke": None},
                "axis": axis,
                "legend": {"labelColor": colours.ink, "orient": "bottom", "labelLimit": LONGEST_LABEL},
                "title": {"color": colours.ink, "subtitleColor": colours.ink_2, "fontSize": 15},
            },
        }
    )


def within_report(spec: Spec, model: ChartModel) -> Spec:
    """A run's picture for a document that names the run itself: what explains it is all that stays."""
    heading = of_run(model, ())
    said_there = {line for text in (heading.title, *heading.lines) for line in wrapped(text)}
    kept = [line for line in spec["title"]["subtitle"] if line not in said_there]
    body = {name: value for name, value in spec.items() if name != "title"}
    if not kept:
        return body
    return body | {"title": spec["title"] | {"text": kept, "subtitle": [], "fontSize": 11, "fontWeight": 400}}


def axis_title(axis: Axis) -> str:
    """What a metric's axis says: label, unit and which direction is better."""
    return message(f"pictureAxis{axis.better.title()}", label=metric_name(axis), unit=axis.unit)


def metric_name(axis: Axis) -> str:
    """The label of an axis, with a capital letter."""
    return named(key("metric", axis.metric), axis.label[:1].upper() + axis.label[1:])


def layer(values: Sequence[Spec], mark: Spec, x: Spec | None, y: Spec | None = None) -> Spec:
    """One kind of mark over its values; where there is an x, it is the values' field "x"."""
    encoding: Spec = {} if x is None else {"x": {"field": "x", **x}}
    if y is not None:
        encoding["y"] = y
    return {"data": {"values": list(values)}, "mark": dict(mark), "encoding": encoding}


def with_values(layers: Iterable[Spec]) -> list[Spec]:
    """Those that draw anything."""
    return [layer for layer in layers if layer["data"]["values"]]


def wrapped(text: str, width: int = WRAP) -> list[str]:
    """Lines of at most `width` characters, in the picture's language; East Asian ones count double.

    They may break anywhere but before a full stop or a comma. A word that is longer than a line is broken.
    """
    lines, line, used = [], "", 0
    if language.current() != "en":
        text = said(text).replace(" %", f"{NO_BREAK}%")
    for word in (part for piece in _pieces(text) for part in _broken(piece, width)):
        size = width_of(word)
        if used + size > width and line:
            lines.append(Written(line.rstrip()))
            line, used = "", 0
        line, used = line + word, used + size
    return [*lines, Written(line.rstrip())]


def width_of(text: str) -> int:
    """How many characters wide a text is; East Asian ones count double."""
    return sum(2 if ord(char) > 0x2E7F else 1 for char in text)


def _broken(piece: str, width: int) -> list[str]:
    """A piece as it is, or in parts of `width` characters; its space at the end needs no room."""
    if width_of(piece.rstrip()) <= width:
        return [piece]
    return [piece[start : start + width] for start in range(0, len(piece), width)]


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for char in text:
        starts = not pieces or pieces[-1][-1] == " " or ord(char) > 0x2E7F or ord(pieces[-1][-1]) > 0x2E7F
        if starts and not (pieces and char in _NEVER_FIRST):
            pieces.append(char)
        else:
            pieces[-1] += char
    return pieces
