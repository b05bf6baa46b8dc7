"""The history of an experiment on one host, ready to draw: ids and figures, no sentences."""

from __future__ import annotations

from typing import Literal

from backend.core.chart.compare_runs.run_comparison_model import Basis
from backend.core.chart.history.run_point import PointFigure, PointMetric
from backend.core.chart.model.model_base import Difference, Interval, Part
from backend.core.definition.factors import Level

Direction = Literal["better", "worse"]


class RecordedChange(Part):
    """A fact about host, kernel, Docker, image or tools that differs from the run before.

    `before` and `after` are null where it was not recorded. `run` is the index of the first run with it.
    """

    key: str
    before: str | None
    after: str | None
    run: int


class HistoryRun(Part):
    """One run. `suspect`: its A/A check qualifies its figures."""

    run_id: str
    started_at: str
    state: str
    rounds: int
    suspect: bool
    environment_changes: tuple[RecordedChange, ...]


class HistoryCell(Part):
    """One cell of the newest run."""

    id: str
    label: str
    path_title: str
    levels: dict[str, Level]
    is_baseline: bool


class HistoryChange(Part):
    """A change point that was shown: p, adjusted for all series of the history, is at most 1 %.

    `at` is the index of the first run after it. It happened, with 95 % confidence, before one of the runs
    `first` to `last`: after `after_time`, the start of the run before `first`, and by `until_time`, that of
    `last`. `ratio` is after ÷ before, the Hodges-Lehmann ratio of the runs' centres, with its own 95 %
    interval (null: too few runs for one); it is read at a position that the data chose, so that it tends to
    be too far from 1. `environment` are the changes of the environment in the same time: they coincide,
    which proves no cause.
    """

    cell_id: str
    metric: str
    basis: Basis
    at: int
    first: int
    last: int
    after_time: str
    until_time: str
    p_adjusted: float
    ratio: float
    interval: Interval | None
    runs_before: int
    runs_after: int
    direction: Direction
    environment: tuple[RecordedChange, ...]


class HistoryDifference(Part):
    """As `HistoryChange`, of a series in which a value is zero: `difference` is after − before.

    It is the Hodges-Lehmann difference of the runs' centres in the metric's unit, with its own 95 % interval.
    """

    cell_id: str
    metric: str
    basis: Basis
    at: int
    first: int
    last: int
    after_time: str
    until_time: str
    p_adjusted: float
    difference: Difference
    runs_before: int
    runs_after: int
    direction: Direction
    environment: tuple[RecordedChange, ...]


class HistorySeries(Part):
    """One metric of one cell over the runs, by index; null where a run has no such figure.

    `basis` is "values" (medians) or "ratios" (to the run's own baseline); a metric that has no ratio in some
    run, because a value is zero, has series of values alone. With `runs_missing` runs more it
    is long enough for a change to be shown; 0: it is.
    """

    cell_id: str
    metric: str
    basis: Basis
    points: tuple[PointFigure | None, ...]
    runs_missing: int


class OtherVersion(Part):
    """Another experiment of the same name on the same host, which is a history of its own.

    `same_cells` of its cells have the same levels as cells of this history.
    """

    experiment_id: str
    title: str
    runs: int
    same_cells: int


class HostHistory(Part):
    """A host on which the experiment was run, and how often."""

    host: str
    runs: int


class History(Part):
    """One experiment over time on one host.

    `runs` are in the order of their starts, the newest `runs_shown` of `runs_total`. Change points are found
    by E-divisive with `permutations` permutations, and p is adjusted for the `family` of series that are long
    enough: every cell, metric and basis that is here. `fewest_runs` are needed. `changes` begins with the
    largest; changes of series with a zero are in `differences`. `other_versions` are other experiments of the
    same name.
    """

    schema_version: Literal[1] = 1
    experiment_id: str
    name: str
    title: str
    host: str
    hosts: tuple[HostHistory, ...]
    runs_shown: int
    runs_total: int
    fewest_runs: int
    runs_missing: int
    method: Literal["e_divisive"] = "e_divisive"
    family: int
    permutations: int
    alpha: float
    metrics: tuple[PointMetric, ...]
    runs: tuple[HistoryRun, ...]
    cells: tuple[HistoryCell, ...]
    series: tuple[HistorySeries, ...]
    changes: tuple[HistoryChange, ...]
    other_versions: tuple[OtherVersion, ...]
    differences: tuple[HistoryDifference, ...] = ()
