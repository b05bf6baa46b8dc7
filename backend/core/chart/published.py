"""The published study beside the measured cells: which printed figure belongs to which cell."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.chart.model import Published
from backend.core.chart.trials import CellTrials
from backend.core.definition.factors import Level
from backend.core.definition.studies.model import PublishedStudy


def published_for(study: PublishedStudy, cells: Mapping[str, CellTrials]) -> dict[str, Published]:
    """The study's figures by the id of the one cell that repeats each."""
    found = {}
    for (path, proxy), figure in study.figures.items():
        cell = repeating_cell(study, cells, {"path": path, "userland_proxy": proxy})
        if cell is not None:
            found[cell.cell.id] = Published(
                tps=figure.tps, ratio=study.ratio(path, proxy), latency_avg_ms=figure.latency_avg_ms
            )
    return found


def repeating_cell(
    study: PublishedStudy, cells: Mapping[str, CellTrials], levels: Mapping[str, Level]
) -> CellTrials | None:
    """The one cell with these levels; of several, the one with the study's own settings."""
    matching = [c for c in cells.values() if not c.cell.is_duplicate and _has(c, levels)]
    if len(matching) > 1:
        matching = [c for c in matching if _has(c, study.settings)]
    return matching[0] if len(matching) == 1 else None


def departures(study: PublishedStudy, cells: Mapping[str, CellTrials]) -> tuple[str, ...]:
    """The study's settings that no cell of this run has, as "clients 5"."""
    return tuple(
        f"{name} {level}"
        for name, level in study.settings.items()
        if not any(trials.cell.levels[name] == level for trials in cells.values())
    )


def _has(trials: CellTrials, levels: Mapping[str, Level]) -> bool:
    return all(trials.cell.levels[name] == level for name, level in levels.items())
