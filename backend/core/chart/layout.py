"""Where a cell stands: row, series, colour and shape; the same level looks the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.chart.model import Legend
from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.labels import cell_label, level_label
from backend.core.plan.model import Cell


@dataclass(frozen=True)
class Layout:
    """Rows by one factor, colour and shape by another; `row_factors` are all that a row names."""

    row_factor: str
    series_factor: str
    row_factors: tuple[str, ...]
    series_levels: tuple[Level, ...]

    def row(self, cell: Cell) -> str:
        """The row's label. The A/A duplicate has a row of its own."""
        return cell_label(cell.levels, self.row_factors) + (" (A/A)" if cell.is_duplicate else "")

    def series(self, cell: Cell) -> str:
        """The series' label."""
        return level_label(self.series_factor, cell.levels[self.series_factor])

    def color(self, level: Level) -> int:
        """The level's place among all levels of its factor, so that it does not depend on the run."""
        choices = FACTORS[self.series_factor].choices or tuple(sorted(self.series_levels, key=int))
        return choices.index(level)

    def legend(self) -> tuple[Legend, ...]:
        """The levels of the series factor, in the experiment's order."""
        return tuple(
            Legend(
                level=_written(level),
                label=level_label(self.series_factor, level),
                color=self.color(level),
                shape=self.color(level),
            )
            for level in self.series_levels
        )


def _written(level: Level) -> str:
    return str(level).lower() if isinstance(level, bool) else str(level)


def lay_out(experiment: Experiment, varied: Sequence[str]) -> Layout:
    """Rows are paths and series userland-proxy where these vary, else the next factors that do."""
    rest = [name for name in varied if name not in ("path", "userland_proxy")]
    rows = ["path"] if "path" in varied else rest[:1] or ["path"]
    if "userland_proxy" in varied:
        series = "userland_proxy"
    else:
        series = next((name for name in rest if name not in rows), "userland_proxy")
    named = tuple(name for name in varied if name != series) or tuple(rows)
    return Layout(rows[0], series, named, experiment.factors.levels(series))
