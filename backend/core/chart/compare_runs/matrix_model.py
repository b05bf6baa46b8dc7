"""The ComparisonMatrix: several runs, or cells of them, in columns, ready to draw."""

from __future__ import annotations

from typing import Literal

from backend.core.chart.compare_runs.run_comparison_model import (
    Basis,
    Comparable,
    Relevance,
    RunSide,
    SpreadBetweenRuns,
)
from backend.core.chart.model.model_base import Difference, Interval, Part
from backend.core.messages.message import MessageParts, Sentence, WithMessages
from backend.core.plan.states import RunState
from backend.core.statistics.verdict import VerdictKind

MatrixWarningId = Literal[
    "not_comparable", "unfinished", "aa_check", "interim_analyses", "other_rounds", "own_baselines"
]


class MatrixColumn(RunSide, WithMessages):
    """One column: a run, or one of its cells. `letter` names it in every sentence: A, B, C …

    `comparable`, `reasons`, `overridable` and `refused` are those of the comparison with the reference. A
    refused column has no entries. `run_spread` is the spread between runs that its intervals include; null
    for the reference and for cells of the reference's run.
    """

    letter: str
    state: RunState
    cell_id: str | None
    cell_label: str | None
    is_reference: bool
    comparable: Comparable
    reasons: tuple[Sentence, ...]
    reason_messages: tuple[MessageParts | None, ...] = ()
    overridable: bool
    refused: bool
    run_spread: SpreadBetweenRuns | None


class DifferenceEntry(Part, WithMessages):
    """The value of one column; `relevance` is null where it is the same as in the reference."""

    value: str | None
    relevance: Relevance | None
    remark: Sentence | None
    remark_message: MessageParts | None = None


class MatrixDifference(Part):
    """A key in which some column differs from the reference, with an entry for each column.

    `relevance` is that of the most relevant entry.
    """

    key: str
    relevance: Relevance
    entries: tuple[DifferenceEntry, ...]


class MatrixEntry(Part, WithMessages):
    """One cell of one column: its median, its ratio to its own run's baseline, and to the reference column.

    `median_interval` is the 95 % interval of this median alone; `own_ratio` is the ratio to the baseline
    of its own run, with the interval of that run's result. `ratio` is column ÷ reference, of values or
    (basis ratios) of ratios to the own baseline. Its `interval` and `p_adjusted` hold over all ratios of
    the matrix and include the spread between runs; where that spread is not known `judged` is false,
    `p_adjusted` is null and `interval` covers the noise within the runs alone. `ratio`, `verdict` and
    `sentence` are null in the reference column. Where no ratio exists because a value is zero,
    `difference` is column − reference, in the same family, and `own_difference` is cell − baseline of its
    own run.
    """

    cell_id: str
    n: int
    median: float | None
    median_interval: Interval | None
    own_ratio: float | None
    own_ratio_interval: Interval | None
    compared_n: int
    ratio: float | None
    interval: Interval | None
    p_adjusted: float | None
    interval_unadjusted: Interval | None
    judged: bool
    verdict: VerdictKind | None
    sentence: Sentence | None
    message: MessageParts | None = None
    difference: Difference | None = None
    own_difference: Difference | None = None


class MatrixRow(Part):
    """Matching cells: an entry for each column, null where a column has no such cell or is refused."""

    label: str
    levels: dict[str, str | int | bool]
    is_baseline: bool
    entries: tuple[MatrixEntry | None, ...]


class MatrixMetric(Part):
    """A metric that the reference and another column report."""

    metric: str
    label: str


class MatrixWarning(Part, WithMessages):
    """What qualifies the figures: an id for translations, the letters of the columns, and the text."""

    id: MatrixWarningId
    columns: tuple[str, ...]
    text: Sentence
    text_message: MessageParts | None = None


class ComparisonMatrix(Part):
    """Several runs or cells side by side in one metric.

    `reference` is the index of the reference column, `family` the number of ratios over which intervals and p
    hold. `refused`: no column may be compared with the reference; there are then no rows.
    """

    columns: tuple[MatrixColumn, ...]
    reference: int
    basis: Basis
    margin: float
    overridden: bool
    refused: bool
    differences: tuple[MatrixDifference, ...]
    metrics: tuple[MatrixMetric, ...]
    metric: str | None
    label: str
    unit: str
    better: Literal["higher", "lower"]
    decimals: int
    family: int
    methods: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    warnings: tuple[MatrixWarning, ...]
