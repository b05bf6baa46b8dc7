"""The changes that a history shows of one series: where, how large, and what changed at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from backend.core.chart.cells.corrected_estimate import as_difference
from backend.core.chart.history.history_model import (
    HistoryChange,
    HistoryDifference,
    HistorySeries,
    RecordedChange,
)
from backend.core.chart.history.run_point import PointFigure, PointMetric, RunPoint
from backend.core.chart.model.model_base import as_interval
from backend.core.statistics.change_points import ChangePoint
from backend.core.statistics.paired import Undefined
from backend.core.statistics.unpaired import unpaired_ratio
from backend.core.statistics.unpaired_difference import unpaired_difference


@dataclass(frozen=True)
class DatedPoint:
    """A run with the time of its start, RFC 3339."""

    started_at: str
    point: RunPoint


def has_zero(series: HistorySeries) -> bool:
    """Whether some run's figure has no logarithm, so that changes are differences."""
    return any(point is not None and point.value <= 0 for point in series.points)


def shown_changes(
    series: HistorySeries,
    points: Sequence[ChangePoint],
    runs: Sequence[DatedPoint],
    marks: Sequence[RecordedChange],
    metric: PointMetric,
) -> Iterator[HistoryChange | HistoryDifference]:
    """The changes at these points of a series of a metric; `marks` are the changes of the environment."""
    ends = [0, *(point.at for point in points), len(series.points)]
    for number, point in enumerate(points):
        before = _known(series.points[ends[number] : point.at])
        after = _known(series.points[point.at : ends[number + 2]])
        since = _before(series, point.first)
        where = {
            "cell_id": series.cell_id,
            "metric": series.metric,
            "basis": series.basis,
            "at": point.at,
            "first": point.first,
            "last": point.last,
            "after_time": runs[since].started_at,
            "until_time": runs[point.last].started_at,
            "p_adjusted": point.p_adjusted,
            "runs_before": len(before),
            "runs_after": len(after),
            "environment": tuple(mark for mark in marks if since < mark.run <= point.last),
        }
        yield _change(where, before, after, metric)


def _change(
    where: dict[str, Any], before: list[float], after: list[float], metric: PointMetric
) -> HistoryChange | HistoryDifference:
    """A ratio, or a difference where a value is zero or the ratio is no number."""
    try:
        found = unpaired_ratio(before, after)
    except Undefined:
        apart = unpaired_difference(before, after)
        unit = metric.unit if where["basis"] == "values" else ""
        direction = "better" if (apart.estimate > 0) == (metric.better == "higher") else "worse"
        return HistoryDifference(**where, difference=as_difference(apart, unit), direction=direction)
    direction = "better" if (found.ratio > 1) == (metric.better == "higher") else "worse"
    return HistoryChange(
        **where, ratio=found.ratio, interval=as_interval(found.interval), direction=direction
    )


def _before(series: HistorySeries, first: int) -> int:
    """The index of the last run of the series before this one."""
    return next(index for index in range(first - 1, -1, -1) if series.points[index] is not None)


def _known(points: Sequence[PointFigure | None]) -> list[float]:
    return [point.value for point in points if point is not None]
