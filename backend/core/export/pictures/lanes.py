"""Charts with one lane per cell: its name, its position, and the text instead of a missing figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.errors import Invalid
from backend.core.export.colours import Theme
from backend.core.export.pictures.frame import Spec, framed, layer, of_run, with_values
from backend.core.export.pictures.names import LINE, beside
from backend.core.messages.message import message

WIDTH: Final = 560
LANE: Final = 22
MAX_LANES: Final = 120
"""A picture of more rows would be taller than viewers open; the subtitle names what is left out."""


def chosen(model: ChartModel, ids: Sequence[str]) -> tuple[ChartCell, ...]:
    """The cells that get a lane, in the plan's order: those of these ids, or all where there are none.

    Raises Invalid where the run has no cell of an id.
    """
    known = {cell.id for cell in model.cells}
    for id_ in ids:
        if id_ not in known:
            raise Invalid.at("/cells", "unknown_cell", f"this run has no cell {id_[:64]!r}")
    wanted = set(ids) or known
    return tuple(cell for cell in model.cells if cell.id in wanted)[:MAX_LANES]


def chart(
    model: ChartModel,
    layers: Sequence[Spec],
    cells: Sequence[ChartCell],
    colours: Theme,
    notes: Sequence[str] = (),
) -> Spec:
    """The picture of these cells; `notes` are below its headline."""
    mark = {"color": colours.ink, "fontSize": 10}
    names, lines = beside({name: name for name, _ in named(cells)}, lane_axis(cells), mark)
    drawn = with_values([*names, *layers]) or [layer([{}], {"type": "text", "text": "No cell"}, None)]
    height = {"step": LANE + (LINE if lines > 1 else 0)}
    heading = of_run(model, [*notes, *left_out(model.cells, cells)])
    return framed(heading, {"width": WIDTH, "height": height, "layer": drawn}, colours)


def left_out(of: Sequence[ChartCell], cells: Sequence[ChartCell]) -> list[str]:
    """How many of these cells are drawn, where any is not."""
    if len(cells) == len(of):
        return []
    first = list(cells) == list(of[: len(cells)])
    counts = {"n": str(len(cells)), "of": str(len(of))}
    return [message("pictureFirstCells" if first else "pictureSomeCells", **counts)]


def named(cells: Sequence[ChartCell]) -> list[tuple[str, ChartCell]]:
    """Every cell with the name of its lane: row and series, with the id where two are equal."""
    names = [message("pictureLane", row=cell.row, series=cell.series) for cell in cells]
    return [
        (message("pictureLaneId", lane=name, id=cell.id) if names.count(name) > 1 else name, cell)
        for name, cell in zip(names, cells, strict=True)
    ]


def lane_axis(cells: Sequence[ChartCell]) -> Spec:
    """The y that puts a value with the field "lane" into its cell's lane."""
    order = [name for name, _ in named(cells)]
    scale = {"domain": order}
    return {"field": "lane", "type": "nominal", "sort": None, "scale": scale, "axis": None}


def why_none(cell: ChartCell) -> str:
    """The reason why a cell has no figure, or empty."""
    return "" if cell.state in ("measured", "partial") else cell.state.replace("_", " ")


def end_mark(colours: Theme) -> Spec:
    """The text at a lane's end."""
    return {"type": "text", "align": "left", "color": colours.ink_2, "fontSize": 10}
