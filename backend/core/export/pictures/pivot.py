"""A run's cells by rows, columns, colour and panels: the role of each factor and the position of each cell.

The page arranges its pivot by the same rules (frontend/src/charts/pivot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from backend.core.chart.model.cell_models import ChartCell, Comparison, Summary
from backend.core.chart.model.chart_model import ChartModel
from backend.core.errors import Invalid
from backend.core.export.pictures.lanes import why_none
from backend.core.messages.message import key, message, named
from backend.core.plan.labels import factor_label, level_label

ROLES: Final = ("rows", "columns", "panels", "color")
"""The roles of factors, in the order of their defaults."""
NOTHING: Final = "none"
"""Requests no factor for a role, instead of the default."""
NO_LEVEL: Final = "–"


@dataclass(frozen=True)
class FactorRoles:
    """The factor of each role, or None."""

    rows: str | None
    columns: str | None
    panels: str | None
    color: str | None


@dataclass(frozen=True)
class Entry:
    """One cell. `names` are the levels of the factors that are neither row, column nor panel.

    `summary` is None where nothing may be drawn, `comparison` also where nothing is compared.
    """

    cell: ChartCell
    summary: Summary | None
    comparison: Comparison | None
    names: tuple[str, ...]
    color: int
    shape: int


@dataclass(frozen=True)
class Panel:
    """One level of the panels' factor: entries by row, then column; empty where the plan has no such cell."""

    title: str
    entries: tuple[tuple[tuple[Entry, ...], ...], ...]


@dataclass(frozen=True)
class Shade:
    """One level of the colour's factor."""

    label: str
    color: int
    shape: int


@dataclass(frozen=True)
class Pivot:
    """Rows and columns by their levels, the panels that have any cell, and the colours in use."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    panels: tuple[Panel, ...]
    shades: tuple[Shade, ...]


def varied_factors(model: ChartModel) -> dict[str, tuple[str, ...]]:
    """The factors with more than one level among the cells, and their levels in the plan's order."""
    cells = _cells(model)
    names = dict.fromkeys(name for cell in cells for name in cell.levels)
    found = {name: tuple(dict.fromkeys(level_of(cell, name) for cell in cells)) for name in names}
    return {name: levels for name, levels in found.items() if len({*levels} - {NO_LEVEL}) > 1}


def factor_roles(model: ChartModel, requested: Mapping[str, str]) -> FactorRoles:
    """The requested factors of the roles; the page's defaults where none is requested.

    `requested` has a factor, NOTHING or "" for each of ROLES. Raises Invalid naming the role.
    """
    varied = [*varied_factors(model)]
    if len(varied) < 2:
        detail = "this run varies fewer than two factors, so it has no pivot; use kind=dots"
        raise Invalid.at("/kind", "no_pivot", detail)
    if not any(requested.values()):
        known = [name for name in (model.row_factor, model.series_factor) if name in varied]
        usual = [*dict.fromkeys([*known, *varied]), None, None]
        return FactorRoles(*usual[: len(ROLES)])
    taken: dict[str, str] = {}
    for role in ROLES:
        wish = requested.get(role, "")
        if wish in ("", NOTHING):
            continue
        if wish not in varied:
            detail = f"{role} is one of the factors that this run varies: {', '.join(varied)}; or {NOTHING}"
            raise Invalid.at(f"/{role}", "unknown_factor", detail)
        before = [other for other, factor in taken.items() if factor == wish]
        if before:
            detail = f"{wish} is already {before[0]}; a factor has one role"
            raise Invalid.at(f"/{role}", "factor_twice", detail)
        taken[role] = wish
    return FactorRoles(**{role: taken.get(role) for role in ROLES})


def pivot(model: ChartModel, placed: FactorRoles, metric: str) -> Pivot:
    """The cells by row, column and panel, without A/A duplicates, which have their baselines' levels."""
    varied, painted = varied_factors(model), _paint(model, placed)
    shown = (placed.rows, placed.columns, placed.panels)
    others = [name for name in varied if name not in shown]
    entries = [_entry(cell, metric, others, painted) for cell in _cells(model)]
    rows, columns = _levels(varied, placed.rows), _levels(varied, placed.columns)
    panels = []
    for level in _levels(varied, placed.panels):
        inside = [entry for entry in entries if _at(entry, placed.panels) == level]
        slots = tuple(
            tuple(
                tuple(e for e in inside if (_at(e, placed.rows), _at(e, placed.columns)) == (row, column))
                for column in columns
            )
            for row in rows
        )
        if inside:
            panels.append(Panel(titled(placed.panels, level), slots))
    return Pivot(rows, columns, tuple(panels), _shades(model, placed, painted))


def level_of(cell: ChartCell, factor: str) -> str:
    """A level as text: a path's title, "on" for true, "1,000", NO_LEVEL where the factor does not apply."""
    level = cell.levels.get(factor)
    if level is None:
        return NO_LEVEL
    if factor == "path":
        return level_label(factor, level)
    if isinstance(level, bool):
        return "on" if level else "off"
    return f"{level:,}" if isinstance(level, int) else level or message("pictureNotSet")


def no_figure(cell: ChartCell) -> str:
    """The text instead of a missing figure: the cell's state, or that its tool does not report the metric."""
    return why_none(cell) or message("pictureNotReportedBy", tool=str(cell.levels.get("tool", "its tool")))


def titled(factor: str | None, level: str) -> str:
    """A level with its factor's name: "clients 8"; a path's title alone; nothing without a factor."""
    if factor is None:
        return ""
    return level if factor == "path" else message("pictureLevel", factor=factor_label(factor), level=level)


def factor_words(factor: str) -> str:
    """The words of a factor's name, such as "userland proxy"."""
    return named(key("factor", factor), factor.replace("_", " "))


def _cells(model: ChartModel) -> list[ChartCell]:
    return [cell for cell in model.cells if not cell.is_duplicate]


def _levels(varied: Mapping[str, tuple[str, ...]], factor: str | None) -> tuple[str, ...]:
    return ("",) if factor is None else varied[factor]


def _at(entry: Entry, factor: str | None) -> str:
    return "" if factor is None else level_of(entry.cell, factor)


_Paint = Callable[[ChartCell], tuple[int, int]]


def _paint(model: ChartModel, placed: FactorRoles) -> _Paint:
    """Colour and shape by the colour's factor; the run's own where that is what the run is coloured by.

    One for all without such a factor: without a legend colours would have no meaning.
    """
    factor = placed.color
    if factor is None:
        return lambda _cell: (0, 0)
    if factor == model.series_factor:
        return lambda cell: (cell.color, cell.shape)
    levels = varied_factors(model)[factor]
    return lambda cell: (levels.index(level_of(cell, factor)),) * 2


def _entry(cell: ChartCell, metric: str, others: Iterable[str], painted: _Paint) -> Entry:
    found = cell.summaries.get(metric)
    summary = None if why_none(cell) or found is None or found.median is None else found
    comparison = None if summary is None else cell.comparisons.get(metric)
    levels = ((name, level_of(cell, name)) for name in others)
    names = tuple(titled(name, level) for name, level in levels if level != NO_LEVEL)
    color, shape = painted(cell)
    return Entry(cell, summary, comparison, names, color, shape)


def _shades(model: ChartModel, placed: FactorRoles, painted: _Paint) -> tuple[Shade, ...]:
    factor = placed.color
    if factor is None:
        return ()
    first: dict[str, ChartCell] = {}
    for cell in _cells(model):
        first.setdefault(level_of(cell, factor), cell)
    order = (level for level in varied_factors(model)[factor] if level in first)
    return tuple(Shade(titled(factor, level), *painted(first[level])) for level in order)
