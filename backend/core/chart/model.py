"""The ChartModel: everything that page, terminal table and exports draw, ready to draw.

Nothing that reads it computes a statistic. All numbers are finite; missing is null, never 0.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backend.core.chart.judged import (
    AaOutcome,
    BestGroup,
    Claim,
    ClaimOutcome,
    DriftCheck,
    DuplicateCheck,
    Gate,
    GateCell,
    GateOutcome,
    GateRule,
    Looks,
    RunQuality,
    Study,
)
from backend.core.chart.parts import Interval, Origin, Part, ServedBy, VerdictKind
from backend.core.chart.sweeps import Knee, Ladder, Price, Rung

__all__ = [
    "AaOutcome",
    "Axis",
    "BestGroup",
    "CellState",
    "ChartCell",
    "ChartModel",
    "Claim",
    "ClaimOutcome",
    "Comparison",
    "DriftCheck",
    "DuplicateCheck",
    "EvidenceCount",
    "Gate",
    "GateCell",
    "GateOutcome",
    "GateRule",
    "Interval",
    "Knee",
    "Ladder",
    "Legend",
    "Looks",
    "Origin",
    "Part",
    "Price",
    "ProcessShare",
    "Published",
    "Reduced",
    "RoleShare",
    "RunQuality",
    "Rung",
    "ServedBy",
    "Servers",
    "Study",
    "Summary",
    "VerdictCounts",
    "VerdictKind",
]

CellState = Literal[
    "measured",
    "partial",
    "waiting",
    "failed",
    "contradicted",
    "not_proven",
    "invalid",
    "contaminated",
    "infeasible",
    "cancelled",
]


class Summary(Part):
    """One metric of one cell: n trials, median, interval of the median, and every recorded value.

    `values` stand in the order of the cell's `rounds`; null where the trial yielded none. They are empty
    where ChartModel.reduced names the metric.
    """

    n: int
    median: float | None
    interval: Interval | None
    cv_percent: float | None
    values: tuple[float | None, ...]


class Comparison(Part):
    """One metric of one cell against its baseline cell, paired by round.

    `ratio` is cell ÷ baseline, the pseudo-median of the paired ratios. `interval` holds 95 % simultaneously
    over the `family` comparisons of the metric, and excludes 1 exactly where `p_adjusted` is at most 5 %:
    both are of one single-step procedure. `interval_90` is what equivalence is judged by: the chance that
    any of the family is falsely called equivalent is at most 5 %. `interval_unadjusted` is this
    comparison's own 95 % interval and judges nothing. `p` is raw. `server` says
    whether one running server serves both cells (`n` are rounds) or each has its own (`n` are server starts);
    null where it is not known.
    """

    baseline_id: str
    n: int
    ratio: float | None
    interval: Interval | None
    interval_90: Interval | None
    p: float | None
    p_holm: float | None = Field(
        description="Deprecated: Holm's adjusted p, by which no verdict is judged; see `p_adjusted`.",
        json_schema_extra={"deprecated": True},
    )
    p_adjusted: float | None = None
    family: int = 1
    interval_unadjusted: Interval | None = None
    method: str
    verdict: VerdictKind
    sentence: str
    server: ServedBy | None = None


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
    looks the same everywhere. `rounds` are those of its recorded trials; of them `left_out` take no
    part in the statistics (path not proven, `invalid`, `contaminated`) and `unsteady` were flagged, but
    count. `retakes` takes were discarded. `decided_at` is the look (its round) at which a run that spends
    rounds where they decide had its answer.
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
    decided_at: int | None
    rounds: tuple[int, ...]
    left_out: tuple[int, ...]
    unsteady: tuple[int, ...]
    invalid: tuple[int, ...] = ()
    contaminated: tuple[int, ...] = ()
    retakes: int = 0
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


class Servers(Part):
    """How often the run's servers were started, and what a start changes.

    `restart_every` is the plan's rounds a start, null where one start served the whole run; `starts` are the
    different starts among the recorded trials, null where these do not name them. `between` is the standard
    deviation of ln x that a start adds and `within` that of one trial on a running server (0.02 is 2 %), in
    the first metric, null where this run cannot tell them.
    """

    restart_every: int | None
    starts: int | None
    between: float | None
    within: float | None
    sentence: str


class Reduced(Part):
    """What a very large run leaves out of its ChartModel; each cell can be read whole by itself.

    All numbers have `digits` significant digits. The metrics in `without_values` have no values, no
    coefficients of variation and no 90 % intervals; `ladders_left_out` ladders are not there, and
    everything else is.
    """

    digits: int
    without_values: tuple[str, ...]
    ladders_left_out: int
    sentence: str


class Legend(Part):
    """One level of the series factor, with its colour and shape."""

    level: str
    label: str
    color: int
    shape: int


class ChartModel(Part):
    """A run's result, complete: what the page, the terminal and every export draw.

    `trust` qualifies every figure where the A/A check is suspect or cannot tell; the headline ends with it
    where A/A is suspect, or the headline rests on comparisons. Numbers have six significant digits, fewer
    where `reduced` says so.
    """

    schema_version: Literal[2] = 2
    run_id: str
    origin: Origin
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
    trust: str | None = None
    counts: VerdictCounts
    axes: tuple[Axis, ...]
    cores: int | None
    cells: tuple[ChartCell, ...]
    duplicates: tuple[DuplicateCheck, ...]
    drifts: tuple[DriftCheck, ...]
    best: tuple[BestGroup, ...]
    ladders: tuple[Ladder, ...]
    knees: tuple[Knee, ...]
    gate: Gate | None
    looks: Looks | None
    study: Study | None
    warnings: tuple[str, ...]
    environment: dict[str, str]
    quality: RunQuality | None = None
    reduced: Reduced | None
    servers: Servers | None = None
