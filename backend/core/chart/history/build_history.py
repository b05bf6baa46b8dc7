"""Builds the history of an experiment on one host from its runs."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.core.chart.compare_runs.compared_cells import complete_levels
from backend.core.chart.compare_runs.matching import same_cells
from backend.core.chart.compare_runs.run_comparison_model import Basis
from backend.core.chart.history.history_model import (
    History,
    HistoryCell,
    HistoryChange,
    HistoryDifference,
    HistoryRun,
    HistorySeries,
    HostHistory,
    OtherVersion,
    RecordedChange,
)
from backend.core.chart.history.run_point import PointCell, PointFigure, RunPoint
from backend.core.chart.history.shown_changes import DatedPoint as DatedPoint
from backend.core.chart.history.shown_changes import has_zero, shown_changes
from backend.core.statistics.change_points import FEWEST_RUNS, LEVEL, change_points


@dataclass(frozen=True)
class OtherHistory:
    """Another experiment of the same name on the host: the number of its runs, and its newest run."""

    experiment_id: str
    runs: int
    newest: RunPoint


@dataclass(frozen=True)
class HistoryInput:
    """An experiment on one host: its newest runs in the order of their starts, at least one."""

    experiment_id: str
    host: str
    hosts: tuple[HostHistory, ...]
    runs_total: int
    runs: Sequence[DatedPoint]
    others: Sequence[OtherHistory] = ()


def build_history(data: HistoryInput) -> History:
    """The history, with its change points. The same input gives the same result."""
    newest = data.runs[-1].point
    series = list(_series(data.runs))
    marks = tuple(_environment_changes(data.runs))
    found = change_points([_on_its_scale(one) for one in series], _seed(data))
    metrics = {metric.metric: metric for metric in newest.metrics}
    every = [
        change
        for one, points in zip(series, found.of_series, strict=True)
        for change in shown_changes(one, points, data.runs, marks, metrics[one.metric])
    ]
    changes = [one for one in every if isinstance(one, HistoryChange)]
    return History(
        experiment_id=data.experiment_id,
        name=newest.name,
        title=newest.title,
        host=data.host,
        hosts=data.hosts,
        runs_shown=len(data.runs),
        runs_total=data.runs_total,
        fewest_runs=FEWEST_RUNS,
        runs_missing=min((one.runs_missing for one in series), default=FEWEST_RUNS),
        family=sum(one.runs_missing == 0 for one in series),
        permutations=found.permutations,
        alpha=LEVEL,
        metrics=newest.metrics,
        runs=tuple(_run(index, run, marks) for index, run in enumerate(data.runs)),
        cells=tuple(_cell(cell) for cell in newest.cells),
        series=tuple(series),
        changes=tuple(sorted(changes, key=lambda one: -abs(math.log(one.ratio)))),
        other_versions=tuple(_other(newest, other) for other in data.others),
        differences=tuple(one for one in every if isinstance(one, HistoryDifference)),
    )


def _seed(data: HistoryInput) -> int:
    """The same for the same experiment and host."""
    return int.from_bytes(hashlib.sha256(f"{data.experiment_id}\n{data.host}".encode()).digest()[:8], "big")


def _series(runs: Sequence[DatedPoint]) -> Iterator[HistorySeries]:
    """Every series of the newest run's cells that has a figure: ratios before values."""
    newest = runs[-1].point
    by_run = [_matched(newest, run.point) for run in runs]
    for cell in newest.cells:
        for basis in _bases(cell):
            for metric in newest.metrics:
                if basis == "ratios" and _lacks_ratio(by_run, cell.id, metric.metric):
                    continue
                points = tuple(_figure(own.get(cell.id), metric.metric, basis) for own in by_run)
                known = sum(point is not None for point in points)
                if known:
                    yield HistorySeries(
                        cell_id=cell.id,
                        metric=metric.metric,
                        basis=basis,
                        points=points,
                        runs_missing=max(0, FEWEST_RUNS - known),
                    )


def _bases(cell: PointCell) -> tuple[Basis, ...]:
    return ("values",) if cell.is_baseline else ("ratios", "values")


def _matched(newest: RunPoint, other: RunPoint) -> dict[str, PointCell]:
    """The cells of another run by the ids of the newest run's cells with the same levels."""
    own = {cell.id: cell for cell in other.cells}
    if [(cell.id, cell.levels) for cell in newest.cells] == [(cell.id, cell.levels) for cell in other.cells]:
        return own
    return {id_: own[theirs] for id_, theirs in same_cells(_levels(newest), _levels(other)).items()}


def _levels(point: RunPoint) -> dict[str, dict[str, str | int | bool]]:
    return {cell.id: complete_levels(cell.levels) for cell in point.cells}


def _figure(cell: PointCell | None, metric: str, basis: Basis) -> PointFigure | None:
    if cell is None:
        return None
    return (cell.values if basis == "values" else cell.ratios).get(metric)


def _lacks_ratio(by_run: Sequence[Mapping[str, PointCell]], cell_id: str, metric: str) -> bool:
    """Whether some run has no ratio because a value is zero: a series without it would be of a selection."""
    return any(metric in own[cell_id].without_ratio for own in by_run if cell_id in own)


def _on_its_scale(series: HistorySeries) -> list[float | None]:
    """The logarithms of the figures, or the figures themselves where one is zero."""
    scale = float if has_zero(series) else math.log
    return [None if point is None else scale(point.value) for point in series.points]


def _environment_changes(runs: Sequence[DatedPoint]) -> Iterator[RecordedChange]:
    """Facts that differ from the last run in which they were recorded."""
    known: dict[str, str] = {}
    for index, run in enumerate(runs):
        for key, value in sorted(run.point.environment.items()):
            if key in known and known[key] != value:
                yield RecordedChange(key=key, before=known[key], after=value, run=index)
            known[key] = value


def _run(index: int, run: DatedPoint, marks: Sequence[RecordedChange]) -> HistoryRun:
    return HistoryRun(
        run_id=run.point.run_id,
        started_at=run.started_at,
        state=run.point.state,
        rounds=run.point.rounds,
        suspect=run.point.suspect,
        environment_changes=tuple(mark for mark in marks if mark.run == index),
    )


def _cell(cell: PointCell) -> HistoryCell:
    return HistoryCell(
        id=cell.id,
        label=cell.label,
        path_title=cell.path_title,
        levels=cell.levels,
        is_baseline=cell.is_baseline,
    )


def _other(newest: RunPoint, other: OtherHistory) -> OtherVersion:
    levels: Mapping[str, dict[str, str | int | bool]] = _levels(newest)
    return OtherVersion(
        experiment_id=other.experiment_id,
        title=other.newest.title,
        runs=other.runs,
        same_cells=len(same_cells(levels, _levels(other.newest))),
    )
