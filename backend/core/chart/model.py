"""The ChartModel: everything that page, terminal table and exports draw, ready to draw.

Nothing that reads it computes a statistic. All numbers are finite; missing is null, never 0.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

CellState = Literal[
    "measured", "partial", "waiting", "failed", "contradicted", "not_proven", "infeasible", "cancelled"
]
VerdictKind = Literal[
    "better",
    "worse",
    "different_within_margin",
    "equivalent",
    "no_difference_shown",
    "not_enough_rounds",
    "undefined",
]


class Part(BaseModel):
    """Base of every part: frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Interval(Part):
    """A 95 % interval; null where the number of rounds allows none."""

    low: float
    high: float


class Replicate(Part):
    """One trial's value, and whether it takes part in the statistics."""

    trial_id: str
    round: int
    value: float
    used: bool


class Summary(Part):
    """One metric of one cell: n trials, median, interval of the median, every replicate."""

    n: int
    median: float | None
    interval: Interval | None
    cv_percent: float | None
    replicates: tuple[Replicate, ...]


class Comparison(Part):
    """One metric of one cell against its baseline cell, paired by round.

    `ratio` is cell ÷ baseline; `interval` its 95 % interval, `interval_90` the one that
    equivalence is judged by; `p` raw, `p_holm` adjusted within the metric's family.
    """

    baseline_id: str
    n: int
    ratio: float | None
    interval: Interval | None
    interval_90: Interval | None
    p: float | None
    p_holm: float | None
    method: str
    verdict: VerdictKind
    sentence: str


class RoleShare(Part):
    """One part of the host's CPU: cores, and microseconds per transaction, medians over the trials.

    `role` is a role, "unattributed", "idle" or "steal"; in each trial all of them together are the host's
    cores. `busy` is false for idle and steal, which belong to nobody's work.
    """

    role: str
    cores: float
    us_per_txn: float
    busy: bool


class ProcessShare(Part):
    """Cores of one of several equal processes or threads, by rank: the busiest of each trial has rank 1.

    The median over the trials; a trial that had fewer of them counts as 0 there.
    """

    name: str
    role: str
    thread: bool
    rank: int
    cores: float


class Published(Part):
    """The study's own figures for this cell by metric, and the first metric's ratio to its own baseline."""

    values: dict[str, float]
    ratio: float | None


class EvidenceCount(Part):
    """How many of the cell's trials were proven, not proven and contradicted."""

    proven: int
    not_proven: int
    contradicted: int


class ChartCell(Part):
    """One cell, as a row of the table and a mark on each chart.

    `color` and `shape` index the page's palettes; they are keyed by level, so that the same level
    looks the same everywhere.
    """

    id: str
    label: str
    levels: dict[str, str | int | bool]
    row: str
    series: str
    color: int
    shape: int
    state: CellState
    reason: str | None
    is_baseline: bool
    is_duplicate: bool
    trials_done: int
    trials_failed: int
    trials_planned: int
    hops: tuple[str, ...]
    summaries: dict[str, Summary]
    comparisons: dict[str, Comparison]
    cpu: tuple[RoleShare, ...]
    processes: tuple[ProcessShare, ...]
    evidence: EvidenceCount
    published: Published | None
    warnings: tuple[str, ...]


class Axis(Part):
    """One metric's axis: label, unit, better direction and the domain to draw, from zero."""

    metric: str
    label: str
    unit: str
    better: Literal["higher", "lower"]
    domain: tuple[float, float]
    zoom: tuple[float, float]
    decimals: int


class VerdictCounts(Part):
    """How the comparisons of the first metric came out."""

    better: int
    worse: int
    equivalent: int
    undecided: int
    failed: int
    infeasible: int


class DuplicateCheck(Part):
    """The A/A duplicate: the same cell twice; a difference here marks the run as suspect."""

    cell_id: str
    metric: str
    ratio: float | None
    interval: Interval | None
    p: float | None
    suspect: bool
    sentence: str


class Claim(Part):
    """One claim of the published study, held against this run's own intervals."""

    text: str
    outcome: Literal["reproduced", "contradicted", "undecided"]
    detail: str


class Study(Part):
    """The published study that the run repeats, with its attribution."""

    name: str
    title: str
    author: str
    year: int
    citation: str
    environment: str
    claims: tuple[Claim, ...]


class Legend(Part):
    """One level of the series factor, with its colour and shape."""

    level: str
    label: str
    color: int
    shape: int


class ChartModel(Part):
    """A run's result, complete: what the page, the terminal and every export draw."""

    schema_version: Literal[1] = 1
    run_id: str
    experiment_id: str
    name: str
    title: str
    state: str
    seed: int
    rounds_planned: int
    rounds_complete: int
    margin: float
    row_factor: str
    series_factor: str
    legend: tuple[Legend, ...]
    headline: str
    counts: VerdictCounts
    axes: tuple[Axis, ...]
    cores: int | None
    cells: tuple[ChartCell, ...]
    duplicates: tuple[DuplicateCheck, ...]
    study: Study | None
    warnings: tuple[str, ...]
    environment: dict[str, str]
