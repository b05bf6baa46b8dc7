"""The CPU of a run's cells by role, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from backend.core.chart.model.cell_models import ChartCell, RoleShare
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.colours import THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import HIDDEN, Spec, layer, with_values
from backend.core.export.pictures.lanes import LANE, chart, chosen, end_mark, lane_axis, named, why_none
from backend.core.messages.message import message

DRAWN: Final = ("client", "server", "proxy", "kernel", "other", "unattributed", "steal")
"""The roles in the order of their parts of a bar; idle time has none."""
_TITLES: Final = {"cores": "pictureCpuCores", "us_per_txn": "pictureCpuCost"}
UNITS: Final = ("cores", "us_per_txn")


def roles(model: ChartModel, theme: ThemeName, unit: str = "cores", ids: Sequence[str] = ()) -> Spec:
    """One bar a cell: the host's CPU by role, stacked; one of UNITS.

    In cores the rule is all of the host's cores; in us_per_txn the bars are microseconds per transaction.
    `ids` name the cells, none of them all. Raises Invalid.
    """
    cells, colours = chosen(model, ids), THEMES[theme]
    lanes = [(lane, cell) for lane, cell in named(cells) if cell.state not in HIDDEN]
    cores = model.cores if unit == "cores" else None
    top = max([cores or 0, *(drawn_total(cell, unit) for cell in cells)]) or 1
    title = message(_TITLES[unit])
    x = {"type": "quantitative", "scale": {"domain": [0, top], "nice": False}}
    x |= {"axis": {"title": title, "tickCount": 6}}
    bar = role_bars(lanes, lane_axis(cells), LANE - 6, x, colours, unit)
    ceiling = [{"x": cores}] if cores else []
    rule = layer(ceiling, {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x)
    missing = [{"lane": lane, "text": why_none(c)} for lane, c in named(cells) if why_none(c) or not c.cpu]
    text = layer(missing, end_mark(colours), None, lane_axis(cells))
    text["encoding"] |= {"text": {"field": "text"}, "x": {"value": 6}}
    return chart(model, with_values((bar, rule, text)), cells, colours)


def role_bars(
    lanes: Sequence[tuple[str, ChartCell]],
    y: Spec,
    height: float,
    x: Spec,
    colours: Theme,
    unit: str = "cores",
) -> Spec:
    """The stacked bars of cells in their lanes. `height` is that of a bar in pixels, `x` scale and axis."""
    shown = [role for role in DRAWN if any(share.role == role for _, cell in lanes for share in cell.cpu)]
    bars: list[Spec] = [
        {"lane": lane, "role": share.role, "used": _of(share, unit), "order": DRAWN.index(share.role)}
        for lane, cell in lanes
        for share in cell.cpu
        if share.role in DRAWN
    ]
    scale = {"domain": shown, "range": [colours.roles[role] for role in shown]}
    bar = layer(bars, {"type": "bar", "height": height}, None, y)
    bar["encoding"] |= {
        "x": {"field": "used", "stack": "zero", **x},
        "color": {"field": "role", "type": "nominal", "scale": scale, "legend": {"title": None}},
        "order": {"field": "order"},
    }
    return bar


def drawn_total(cell: ChartCell, unit: str = "cores") -> float:
    """The length of a cell's bar."""
    return sum(_of(share, unit) for share in cell.cpu if share.role in DRAWN)


def _of(share: RoleShare, unit: str) -> float:
    return share.cores if unit == "cores" else share.us_per_txn
