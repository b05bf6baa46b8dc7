"""Row, series, colour and shape of each cell; a level has the same colour and shape everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.chart.model.chart_model import Legend
from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.labels import cell_label, level_label
from backend.core.plan.model import Cell

_PREFERRED = ("userland_proxy", "clients")
"""The factors that are preferred as series where they are varied: docker-proxy, then concurrency."""


@dataclass(frozen=True)
class Layout:
    """Rows by one factor, colour and shape by another; a row's label names the `row_factors`."""

    row_factor: str
    series_factor: str
    row_factors: tuple[str, ...]
    series_levels: tuple[Level, ...]

    def row(self, cell: Cell) -> str:
        """The row's label. The A/A duplicate has a row of its own."""
        return cell_label(cell.levels, self.row_factors) + (" (A/A)" if cell.is_duplicate else "")

    def row_group(self, cell: Cell) -> str:
        """The first label of the row: its level of the first row factor that applies to the cell."""
        first = next((name for name in self.row_factors if name in cell.levels), "path")
        return level_label(first, cell.levels[first])

    def series(self, cell: Cell) -> str:
        """The series' label."""
        return level_label(self.series_factor, cell.levels[self.series_factor])

    def color(self, cell: Cell) -> int:
        """The level's index among all levels of its factor, so that it does not depend on the run."""
        return self._color(cell.levels[self.series_factor])

    def _color(self, level: Level) -> int:
        factor = FACTORS[self.series_factor]
        key = str if factor.pattern else int
        return (factor.choices or tuple(sorted(self.series_levels, key=key))).index(level)

    def legend(self) -> tuple[Legend, ...]:
        """The levels of the series factor, in the experiment's order."""
        return tuple(
            Legend(
                level=_written(level),
                label=level_label(self.series_factor, level),
                color=self._color(level),
                shape=self._color(level),
            )
            for level in self.series_levels
        )


def _written(level: Level) -> str:
    return str(level).lower() if isinstance(level, bool) else str(level)


def lay_out(cells: Sequence[Cell], varied: Sequence[str]) -> Layout:
    """Rows are paths where these vary, else the first factor that does; series the best of the rest.

    A series is a factor that every cell has, whose levels are drawn side by side: userland-proxy or clients
    if they are varied evenly over the cells, then any such factor, then any that is varied.
    """
    single = [cell for cell in cells if not cell.is_duplicate]
    row = "path" if "path" in varied else next((n for n in varied if n != "userland_proxy"), "path")
    open_ = [n for n in varied if n != row and all(n in cell.levels for cell in single)]
    ordered = sorted(open_, key=lambda n: (_uneven(single, n), _rank(n)))
    series = ordered[0] if ordered else "userland_proxy"
    named = tuple(name for name in varied if name != series) or (row,)
    levels = dict.fromkeys(cell.levels[series] for cell in single)
    return Layout(row, series, named, tuple(levels))


def _rank(name: str) -> tuple[int, int]:
    preferred = _PREFERRED.index(name) if name in _PREFERRED else len(_PREFERRED)
    return preferred, list(FACTORS).index(name)


def _uneven(cells: Sequence[Cell], name: str) -> float:
    """How far a factor is from having equally many cells at each level; 0 from a half on."""
    count = Counter(cell.levels[name] for cell in cells)
    share = min(count.values()) / max(count.values())
    return 0.0 if share >= 0.5 else 1 - share
