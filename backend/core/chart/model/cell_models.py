"""Parts of the ChartModel for one cell: summaries, comparisons, CPU by role; and the axis of a metric."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from backend.core.chart.model.model_base import Difference, Interval, Part, ServedBy
from backend.core.messages.message import MessageParts, Sentence, WithMessages
from backend.core.sample.notice import Notice
from backend.core.statistics.verdict import VerdictKind

CellState = Literal[
    "measured",
    "partial",
    "waiting",
    "failed",
    "contradicted",
    "not_proven",
    "invalid",
    "contaminated",
    "excluded",
    "infeasible",
    "cancelled",
]


class Summary(Part):
    """One metric of one cell: n trials, median, interval of the median, and every recorded value.

    `values` are in the order of the cell's `rounds`; null where the trial yielded none. They are empty
    where ChartModel.reduced names the metric.
    """

    n: int
    median: float | None
    interval: Interval | None
    cv_percent: float | None
    values: tuple[float | None, ...]


class Comparison(Part, WithMessages):
    """One metric of one cell against its baseline cell, paired by round.

    `ratio` is cell ÷ baseline, the pseudo-median of the paired ratios. `interval` holds 95 % simultaneously
    over the `family` comparisons of the metric, and excludes 1 exactly where `p_adjusted` is at most 5 %:
    both are of one single-step procedure. `interval_90` decides equivalence: the chance that any of the
    family is falsely called equivalent is at most 5 %. `interval_unadjusted` is this comparison's own 95 %
    interval and decides nothing. `p` is not adjusted. `server` says
    whether one running server serves both cells (`n` are rounds) or each has its own (`n` are server starts);
    null where it is not known. Where no ratio exists, because a value is zero, `difference` is compared in
    the same family, and p is that of the differences. `rounds_needed` is set where nothing in the family can
    be shown in fewer, and there are fewer.
    """

    baseline_id: str
    n: int
    rounds_needed: int | None = None
    ratio: float | None
    interval: Interval | None
    interval_90: Interval | None
    p: float | None
    p_holm: float | None = Field(
        description="Deprecated: Holm's adjusted p, which no verdict uses; see `p_adjusted`.",
        json_schema_extra={"deprecated": True},
    )
    p_adjusted: float | None = None
    family: int = 1
    interval_unadjusted: Interval | None = None
    method: str
    verdict: VerdictKind
    sentence: Sentence
    message: MessageParts | None = None
    server: ServedBy | None = None
    difference: Difference | None = None


class RoleShare(Part):
    """One part of the host's CPU: cores, and microseconds per transaction, medians over the trials.

    `role` is a role, "unattributed", "idle" or "steal"; in each trial all of them together are the host's
    cores. `busy` is false for idle and steal, in which none of the host's work ran.
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


class CellNotice(Part, WithMessages):
    """One kind of notice of a cell's trials: `trials` of the `of` ended ones have it.

    `figures` are those of the first of them. `figures` or `advice` is empty where there is none.
    """

    kind: str
    figures: str
    figures_message: MessageParts | None = None
    advice: str
    advice_message: MessageParts | None = None
    trials: int
    of: int

    @property
    def text(self) -> str:
        """One line of text, for v1's `warnings`."""
        notice = Notice(self.kind, self.figures, self.advice)
        example = "for example " if self.trials > 1 and (self.figures or self.advice) else ""
        return f"{self.trials} of {self.of} trials: {example}{notice}"


class ChartCell(Part, WithMessages):
    """One cell, as a row of the table and a mark on each chart.

    `path_title` is the title of the path that `levels` names. `row` begins with `row_group`, the label of the
    level of the row factor: rows of one group are shown under one heading.
    `color` and `shape` index the page's palettes; they are keyed by level, so that a level has the same
    colour and shape everywhere. `rounds` are those of its recorded trials; of them `left_out` take no part in
    the statistics (path not proven, `invalid`, `contaminated`, `excluded`) and `unsteady` were flagged, but
    count. `retakes` takes were discarded. `decided_at` is the round of the interim analysis that decided the
    cell.
    """

    id: str
    label: str
    path_title: str = ""
    levels: dict[str, str | int | bool]
    row: str
    row_group: str = ""
    series: str
    color: int
    shape: int
    state: CellState
    reason: Sentence | None
    reason_message: MessageParts | None = None
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
    excluded: tuple[int, ...] = ()
    retakes: int = 0
    notices: tuple[CellNotice, ...] = ()
    warnings: tuple[str, ...] = Field(
        description="Deprecated: `notices`, each as one line of text.", json_schema_extra={"deprecated": True}
    )


class Axis(Part):
    """One metric's axis: label, unit, better direction and the domain to draw, from zero."""

    metric: str
    label: str
    unit: str
    better: Literal["higher", "lower"]
    domain: tuple[float, float]
    zoom: tuple[float, float]
    decimals: int
