"""Names beside rows and above columns: as much of each as there is room for, and no two that seem equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from backend.core.export.pictures.frame import NO_BREAK, Spec, layer, width_of, wrapped
from backend.core.messages.translation import Written, said

LINE: Final = 12
"""Pixels from one line of a name to the next."""
COLUMNS: Final = 48
"""Of a name at the left of a chart: about 300 pixels."""
_SHARES: Final = (0.5, 0.7, 0.3, 0.85, 0.15)
"""How much of what stays of a name that is too long is its beginning: the first with which all differ."""


def fitted(names: Sequence[str], columns: int, lines: int = 1) -> list[list[str]]:
    """Each name in at most `lines` lines of `columns` characters; of a longer one the middle is left out.

    So the end stays, where A/A mark and series are. Names are in the picture's language; those that differ
    come out different; East Asian characters count double.
    """
    names = [said(name) for name in names]
    for share in _SHARES:
        found = [_fitted(name, columns, lines, share) for name in names]
        if len({*map(tuple, found)}) == len({*names}):
            return found
    places = {name: place for place, name in enumerate(dict.fromkeys(names), start=1)}
    return [_fitted(f"{name} ({places[name]})", columns, lines, 0.5) for name in names]


def beside(
    names: Mapping[str, str], y: Spec, mark: Spec, grow: int = 0, line: int = LINE
) -> tuple[list[Spec], int]:
    """The names of lanes at the left, in one line or two; and how many the longest has.

    `names` are by the value's field "lane"; `y` puts that into its lane. A second line makes a
    name larger upwards (`grow` −1), downwards (1), or both ways alike. `line` is the height of one in pixels.
    """
    all_ = dict(zip(names, fitted([*names.values()], COLUMNS, 2), strict=True))
    layers = []
    for size in sorted({len(each) for each in all_.values()}):
        values: list[Spec] = [
            {"lane": lane, "text": each if size > 1 else each[0]}
            for lane, each in all_.items()
            if len(each) == size
        ]
        dy = mark.get("dy", 0) + (grow - 1) * (size - 1) * line / 2
        at_left = {"type": "text", "align": "right", "lineHeight": line, "dy": dy}
        layers.append(layer(values, mark | at_left, None, y))
        layers[-1]["encoding"] |= {"text": {"field": "text"}, "x": {"value": -10}}
    return layers, max((len(each) for each in all_.values()), default=1)


def _fitted(name: str, columns: int, lines: int, share: float) -> list[str]:
    """In whole words, where as many lines hold them; a broken word says more than one that is left out."""
    for room in range(columns * lines, columns, -1):
        text = _cut(name, room, share)
        for found in (
            wrapped(Written(text), columns),
            wrapped(Written(text.replace(" ", NO_BREAK)), columns),
        ):
            if len(found) <= lines:
                return [Written(line.replace(NO_BREAK, " ").strip()) for line in found]
    return [Written(_cut(name, columns, share))]


def _cut(name: str, room: int, share: float) -> str:
    if width_of(name) <= room:
        return name
    head = _start(name, int((room - 1) * share))
    tail = _start(name[::-1], room - 1 - width_of(head))[::-1]
    return f"{head.rstrip()}…{tail.lstrip()}"


def _start(text: str, room: int) -> str:
    used = 0
    for place, char in enumerate(text):
        used += width_of(char)
        if used > room:
            return text[:place]
    return text
