"""The CPU of a run's cells by role, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from backend.core.chart.model.cell_models import ChartCell, RoleShare
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.colours import THEMES, ThemeName
from backend.core.export.pictures.frame import HIDDEN, Spec, layer, with_values
from backend.core.export.pictures.lanes import LANE, chart, chosen, end_mark, lane_axis, named, why_none
from backend.core.messages.message import message

_ROLES: Final = ("client", "server", "proxy", "kernel", "other", "unattributed", "steal")
_TITLES: Final = {"cores": "pictureCpuCores", "us_per_txn": "pictureCpuCost"}
UNITS: Final = ("cores", "us_per_txn")


def roles(model: ChartModel, theme: ThemeName, unit: str = "cores", ids: Sequence[str] = ()) -> Spec:
    """One bar a cell: the host's CPU by role, stacked; one of UNITS.

    In cores the rule is all of the host's cores; in us_per_txn the bars are microseconds per transaction.
    `ids` name the cells, none of them all. Raises Invalid.
    """
    cells, colours = chosen(model, ids), THEMES[theme]
    shown = [role for role in _ROLES if any(s.role == role for c in cells for s in c.cpu)]
    bars: list[Spec] = [
        {"lane": lane, "role": share.role, "used": _of(share, unit), "order": _ROLES.index(share.role)}
        for lane, cell in named(cells)
        if cell.state not in HIDDEN
        for share in cell.cpu
        if share.role in _ROLES
    ]
    cores = model.cores if unit == "cores" else None
    top = max([cores or 0, *(_busy(cell, unit) for cell in cells)]) or 1
    title = message(_TITLES[unit])
    x = {"type": "quantitative", "scale": {"domain": [0, top], "nice": False}}
    x |= {"axis": {"title": title, "tickCount": 6}}
    scale = {"domain": shown, "range": [colours.roles[role] for role in shown]}
    bar = layer(bars, {"type": "bar", "height": LANE - 6}, None, lane_axis(cells))
    bar["encoding"] |= {
        "x": {"field": "used", "stack": "zero", **x},
        "color": {"field": "role", "type": "nominal", "scale": scale, "legend": {"title": None}},
        "order": {"field": "order"},
    }
    ceiling = [{"x": cores}] if cores else []
    rule = layer(ceiling, {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x)
    missing = [{"lane": lane, "text": why_none(c)} for lane, c in named(cells) if why_none(c) or not c.cpu]
    text = layer(missing, end_mark(colours), None, lane_axis(cells))
    text["encoding"] |= {"text": {"field": "text"}, "x": {"value": 6}}
    return chart(model, with_values((bar, rule, text)), cells, colours)


def _busy(cell: ChartCell, unit: str) -> float:
    return sum(_of(share, unit) for share in cell.cpu if share.role in _ROLES)


def _of(share: RoleShare, unit: str) -> float:
    return share.cores if unit == "cores" else share.us_per_txn
