"""What a history takes of one run: each cell's figures with intervals, and the environment."""

from __future__ import annotations

from typing import Literal

from backend.core.chart.cells.programs import PROGRAMS, cell_uses
from backend.core.chart.compare_runs.differences import judge_key
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Interval, Part
from backend.core.chart.quality.environment_changes import AT_START
from backend.core.definition.factors import Level


class PointFigure(Part):
    """One figure of one run: `n` trials or pairs of them, and its 95 % interval where there are enough."""

    value: float
    interval: Interval | None
    n: int


class PointCell(Part):
    """One cell of one run: medians, and ratios to its baseline, by metric.

    `without_ratio` are the metrics in which it was compared by a difference, because a value is zero.
    """

    id: str
    label: str
    path_title: str
    levels: dict[str, Level]
    is_baseline: bool
    values: dict[str, PointFigure]
    ratios: dict[str, PointFigure]
    without_ratio: tuple[str, ...] = ()


class PointMetric(Part):
    """One metric of a history."""

    metric: str
    label: str
    unit: str
    better: Literal["higher", "lower"]
    decimals: int


class RunPoint(Part):
    """One run of a history. `environment` has the facts that may move figures, and no other.

    `suspect`: a figure of the run is qualified by its A/A check.
    """

    run_id: str
    name: str
    title: str
    state: str
    rounds: int
    suspect: bool
    metrics: tuple[PointMetric, ...]
    environment: dict[str, str]
    cells: tuple[PointCell, ...]


def run_point(chart: ChartModel) -> RunPoint:
    """The point of a run in a history, from its result."""
    return RunPoint(
        run_id=chart.run_id,
        name=chart.name,
        title=chart.title,
        state=chart.state,
        rounds=chart.rounds_complete,
        suspect=chart.trust is not None,
        metrics=tuple(
            PointMetric(
                metric=axis.metric,
                label=axis.label,
                unit=axis.unit,
                better=axis.better,
                decimals=axis.decimals,
            )
            for axis in chart.axes
        ),
        environment=_environment(chart),
        cells=tuple(_cell(cell) for cell in chart.cells if not cell.is_duplicate),
    )


def _environment(chart: ChartModel) -> dict[str, str]:
    levels = [cell.levels for cell in chart.cells if cell.state != "infeasible"]
    used = frozenset(program for program in PROGRAMS if any(cell_uses(own, program) for own in levels))
    return {
        key: value
        for key, value in chart.environment.items()
        if not key.startswith(AT_START) and judge_key(key, used)[0] != "minor"
    }


def _cell(cell: ChartCell) -> PointCell:
    values = {
        metric: PointFigure(value=found.median, interval=found.interval, n=found.n)
        for metric, found in cell.summaries.items()
        if found.median is not None
    }
    ratios = {
        metric: PointFigure(value=found.ratio, interval=found.interval, n=found.n)
        for metric, found in cell.comparisons.items()
        if found.ratio is not None
    }
    return PointCell(
        id=cell.id,
        label=cell.label,
        path_title=cell.path_title,
        levels=cell.levels,
        is_baseline=cell.is_baseline,
        values=values,
        ratios=ratios,
        without_ratio=tuple(m for m, found in cell.comparisons.items() if found.difference is not None),
    )
