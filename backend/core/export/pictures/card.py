"""What the picture of a shared result says and draws: title, verdict and the first cells."""

from __future__ import annotations

from typing import Final

from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.colours import THEMES, ThemeName
from backend.core.export.pictures.card_svg import Card
from backend.core.export.pictures.frame import FONT, HIDDEN, Spec, wrapped
from backend.core.export.pictures.joint import ROW, joint

CELLS: Final = 6
"""The rows that stay readable in a chat's preview."""
_TITLE_COLUMNS: Final = 50
_TITLE_LINES: Final = 2
_COLUMNS: Final = 94
_LINES: Final = 2
_HEIGHT: Final = 360
"""Of all rows together, and of one at most."""
_ROW: Final = 64


def card_of(model: ChartModel, title: str, theme: ThemeName) -> Card:
    """The texts of the picture: `title`, the answer, rounds and how many cells are drawn."""
    colours = THEMES[theme]
    drawn = _drawn(model)
    shown = len(drawn)
    cells = f"{shown} of {len(model.cells)} cells, " if shown < len(model.cells) else ""
    answer = model.answer.sentence if model.answer else model.headline
    return Card(
        title=_cut(title, _TITLE_COLUMNS, _TITLE_LINES),
        lines=_cut(answer, _COLUMNS, _LINES),
        note=f"{cells}{model.rounds_complete} of {model.rounds_planned} rounds, {model.state}",
        background=colours.background,
        ink=colours.ink,
        ink_2=colours.ink_2,
        accent=colours.accent,
        font=FONT,
    )


def card_chart(model: ChartModel, theme: ThemeName) -> Spec:
    """The chart below the texts: throughput and CPU by role of the first cells."""
    ids = _drawn(model)
    row = min(_ROW, max(ROW, _HEIGHT // max(1, len(ids))))
    drawn = joint(model, model.axes[0].metric, theme, ids, row)
    del drawn["title"]
    return drawn | {"padding": 0}


def _drawn(model: ChartModel) -> tuple[str, ...]:
    """The ids of the first cells with figures, the A/A duplicate last; of the first cells if none has."""
    with_figures = [cell for cell in model.cells if cell.state not in (*HIDDEN, "infeasible", "failed")]
    found = sorted(with_figures or model.cells, key=lambda cell: cell.is_duplicate)
    return tuple(cell.id for cell in found[:CELLS])


def _cut(text: str, columns: int, lines: int) -> list[str]:
    """The text in at most so many lines; an ellipsis ends a longer one."""
    found = wrapped(text, columns)
    if len(found) <= lines:
        return found
    return [*found[: lines - 1], f"{found[lines - 1].rstrip(' .,;:')}…"]
