"""A picture of 1200 by 630 units: a result's title and verdict above its chart, as SVG.

The module imports no model: the drawing process starts for each picture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size that chats show large, https://ogp.me and the platforms' own guides: about 1.91 to 1."""
MARGIN: Final = 48
TITLE_PX: Final = 36
TITLE_LINE: Final = 44
TEXT_PX: Final = 22
TEXT_LINE: Final = 30
_TITLE_Y: Final = 108
_GAP: Final = 14
_LARGEST: Final = 1.6
"""A chart of few rows is not enlarged further."""
_ROOT: Final = re.compile(r"<svg\b[^>]*>")
_SIZE: Final = re.compile(r'\b(width|height)="([0-9.]+)"')


@dataclass(frozen=True)
class Card:
    """The texts of a picture in lines, and its colours as "#rrggbb"."""

    title: Sequence[str]
    lines: Sequence[str]
    note: str
    background: str
    ink: str
    ink_2: str
    accent: str
    font: str

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Card:
        """The card of its fields, as JSON has them."""
        return cls(**given)


def composed(chart: str, card: Card) -> str:
    """The whole picture; `chart` is an SVG document. Raises ValueError if it has no width and height."""
    y = _TITLE_Y
    parts = [_brand(card)]
    for line in card.title:
        parts.append(_text(line, MARGIN, y, TITLE_PX, card.ink, bold=card.font))
        y += TITLE_LINE
    y += TEXT_PX - TITLE_PX + 6
    for line in card.lines:
        parts.append(_text(line, MARGIN, y, TEXT_PX, card.ink_2))
        y += TEXT_LINE
    parts.append(_nested(chart, y - TEXT_LINE + _GAP + 6))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
    head += f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{escape(card.font)}">'
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{card.background}"/>'
    return f"{head}{ground}{''.join(parts)}</svg>"


def _brand(card: Card) -> str:
    mark = f'<g transform="translate({MARGIN} 34)" fill="none" stroke="{card.accent}" stroke-width="2.6">'
    mark += '<circle cx="13" cy="11" r="7.2"/><path d="M0 11H26"/></g>'
    note = _text(card.note, WIDTH - MARGIN, 52, 18, card.ink_2, end=True)
    return mark + _text("Plimsoll", MARGIN + 36, 52, 20, card.ink, bold=card.font) + note


def _text(text: str, x: int, y: int, px: int, colour: str, bold: str = "", end: bool = False) -> str:
    """A line of text; `bold` are the names of its font if it is bold."""
    more = f' style="font:bold {px}px {escape(bold)}"' if bold else f' font-size="{px}"'
    more += ' text-anchor="end"' if end else ""
    return f'<text x="{x}" y="{y}" fill="{colour}"{more}>{escape(text)}</text>'


def _nested(chart: str, top: int) -> str:
    """The chart in the room below `top`, as large as it fits."""
    root = _ROOT.search(chart)
    size = dict(_SIZE.findall(root[0])) if root else {}
    if root is None or len(size) != 2:
        raise ValueError("the chart has no size")
    width, height = float(size["width"]), float(size["height"])
    room = (WIDTH - 2 * MARGIN, HEIGHT - MARGIN // 2 - top)
    scale = min(room[0] / width, room[1] / height, _LARGEST)
    shown = (width * scale, height * scale)
    left, down = (WIDTH - shown[0]) / 2, top + (room[1] - shown[1]) / 2
    place = f'x="{left:.1f}" y="{down:.1f}" width="{shown[0]:.1f}" height="{shown[1]:.1f}"'
    inner = f'<svg {place} viewBox="0 0 {width:g} {height:g}">'
    return inner + chart[root.end() :]
