"""The figures of a published study for the measured cells of a run."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.cell_models import Published
from backend.core.definition.factors import FACTORS, Level
from backend.core.definition.studies.model import HIGHEST, PublishedStudy
from backend.core.plan.labels import level_label

Levels = Mapping[str, Level]


def published_for(study: PublishedStudy, cells: Cells, metric: str) -> dict[str, Published]:
    """The study's figures by the id of the one cell that repeats each.

    The ratio is that of `metric` to the figure of the cell that this cell is compared with; None without one.
    """
    repeated = ((repeating_cell(study, cells, figure.levels), figure.values) for figure in study.figures)
    values = {trials.cell.id: dict(found) for trials, found in repeated if trials is not None}
    return {
        id_: Published(values=own, ratio=_ratio(own, values.get(cells[id_].cell.baseline_id or id_), metric))
        for id_, own in values.items()
    }


def _ratio(own: Mapping[str, float], other: Mapping[str, float] | None, metric: str) -> float | None:
    if other is None or metric not in own or metric not in other:
        return None
    return own[metric] / other[metric]


def repeating_cell(study: PublishedStudy, cells: Cells, levels: Levels) -> CellTrials | None:
    """The one cell with these levels; of several, the one with the study's own settings.

    HIGHEST means the highest level among the feasible cells with the other levels.
    """
    fixed = {name: level for name, level in levels.items() if level != HIGHEST}
    matching = [c for c in cells.values() if not c.cell.is_duplicate and _has(c, fixed)]
    for name in (name for name, level in levels.items() if level == HIGHEST):
        able = [int(c.cell.levels[name]) for c in matching if name in c.cell.levels and not c.cell.infeasible]
        matching = [c for c in matching if able and c.cell.levels.get(name) == max(able)]
    if len(matching) > 1:
        matching = [c for c in matching if _has(c, study.settings)]
    return matching[0] if len(matching) == 1 else None


def departures(study: PublishedStudy, cells: Cells) -> tuple[str, ...]:
    """The study's settings that no cell of this run has, as "5 clients"."""
    return tuple(
        level_label(name, level) if name in FACTORS else f"{name} {level}"
        for name, level in study.settings.items()
        if not any(trials.cell.levels.get(name) == level for trials in cells.values())
    )


def _has(trials: CellTrials, levels: Levels) -> bool:
    return all(trials.cell.levels.get(name) == level for name, level in levels.items())
