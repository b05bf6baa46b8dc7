"""The page's colours (frontend/src/theme/tokens.css), for pictures drawn on the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from backend.core.errors import Invalid

ThemeName = Literal["light", "dark"]


@dataclass(frozen=True)
class Theme:
    """One theme: `series` by index, as ChartModel counts them, and `roles` by name."""

    background: str
    ink: str
    ink_2: str
    line: str
    accent: str
    bad: str
    series: tuple[str, ...]
    roles: dict[str, str]


THEMES: Final[dict[ThemeName, Theme]] = {
    "light": Theme(
        background="#ffffff",
        ink="#131920",
        ink_2="#384049",
        line="#dde2e8",
        accent="#094e82",
        bad="#931616",
        series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#3f9ed3", "#4a4f55"),
        roles={
            "client": "#56b4e9",
            "server": "#009e73",
            "proxy": "#e69f00",
            "kernel": "#7b858f",
            "other": "#cc79a7",
            "unattributed": "#a9b1ba",
            "steal": "#b23a00",
        },
    ),
    "dark": Theme(
        background="#151a20",
        ink="#e8ecf0",
        ink_2="#c3cbd3",
        line="#29313b",
        accent="#7bbff2",
        bad="#ffa268",
        series=("#57b1ea", "#ff9147", "#35cfa2", "#e7a6c8", "#f5bd45", "#a2d8f7", "#c3c9cf"),
        roles={
            "client": "#6fbfec",
            "server": "#1fae85",
            "proxy": "#f0b030",
            "kernel": "#8a95a1",
            "other": "#d58fb5",
            "unattributed": "#5d6873",
            "steal": "#ff9a5c",
        },
    ),
}
"""Okabe-Ito with a step of its own for each theme; a test compares them with the page's file."""


def theme_named(name: str) -> ThemeName:
    """The theme of this name. Raises Invalid."""
    for theme in THEMES:
        if theme == name:
            return theme
    raise Invalid.at("/theme", "unknown_theme", f"theme is one of {', '.join(THEMES)}")


SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross")


def mixed(colour: str, other: str, share: float) -> str:
    """`share` of the one colour and the rest of the other, both "#rrggbb", as CSS mixes them in sRGB."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(one * share + two * (1 - share)):02x}" for one, two in pairs)
