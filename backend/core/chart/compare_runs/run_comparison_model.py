"""The RunComparison: two runs side by side, ready to draw. Nothing that reads it computes a statistic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import Field, computed_field, model_validator

from backend.core.chart.model.model_base import Difference, Interval, Part
from backend.core.definition.deprecation import deprecated
from backend.core.messages.message import MessageParts, Sentence, WithMessages
from backend.core.plan.states import Origin
from backend.core.statistics.verdict import VerdictKind

Basis = Literal["values", "ratios"]
"""Values: the cells themselves, on one host. Ratios: each cell over its own run's baseline, then compared."""
Comparable = Literal["comparable", "partly", "not"]
Relevance = Literal["blocking", "relevant", "minor"]
Weight = Literal["decides", "matters", "noted"]
_WEIGHTS: Final[Mapping[Relevance, Weight]] = {"blocking": "decides", "relevant": "matters", "minor": "noted"}


class RunSide(Part):
    """One of the two runs: `a` is the reference, `b` is compared with it."""

    run_id: str
    name: str
    title: str
    host: str
    started_at: str | None
    origin: Origin
    rounds: int


class EnvironmentDifference(Part, WithMessages):
    """One key in which the two runs differ.

    A `blocking` difference makes the runs not comparable, a `relevant` one comparable with care, a `minor`
    one has no known effect.
    """

    key: str
    a: str | None
    b: str | None
    relevance: Relevance
    remark: Sentence
    remark_message: MessageParts | None = None

    @computed_field(json_schema_extra=deprecated)  # type: ignore[prop-decorator]  # mypy #1362
    @property
    def weight(self) -> Weight:
        """Deprecated: `relevance` as decides, matters, noted."""
        return _WEIGHTS[self.relevance]

    @model_validator(mode="before")
    @classmethod
    def _without_weight(cls, found: Any) -> Any:
        return {k: v for k, v in found.items() if k != "weight"} if isinstance(found, Mapping) else found


class RunComparisonCell(Part):
    """One side of a row: the cell's median, and its ratio to its own run's baseline.

    `ratio` and `ratio_interval` are those of the run's result, simultaneous over the run's comparisons.

    `difference` is cell − baseline where no ratio exists because a value is zero.
    """

    cell_id: str
    n: int
    median: float | None
    interval: Interval | None
    ratio: float | None
    ratio_interval: Interval | None
    difference: Difference | None = None


class RunComparisonRow(Part, WithMessages):
    """One cell that both runs have: `ratio` is b ÷ a, of values or of ratios to the own baseline.

    `interval` and `p_adjusted` hold for the `family` of rows together, and include the spread between runs of
    the host; where that is not known, `interval` covers the noise within the runs alone, `p_adjusted` is
    null, and the row is not tested. `interval_unadjusted` is this row's own, within the runs. Where no ratio
    exists because a value is zero, `difference` is b − a, in the same family.
    """

    label: str
    levels: dict[str, str | int | bool]
    is_baseline: bool
    a: RunComparisonCell | None
    b: RunComparisonCell | None
    n: int
    ratio: float | None
    interval: Interval | None
    interval_90: Interval | None
    p: float | None
    p_holm: float | None = Field(
        description="Deprecated: the same as `p_adjusted`.", json_schema_extra={"deprecated": True}
    )
    p_adjusted: float | None = None
    family: int = 1
    interval_unadjusted: Interval | None = None
    method: str
    verdict: VerdictKind | None
    sentence: Sentence
    message: MessageParts | None = None
    difference: Difference | None = None


class SpreadBetweenRuns(Part, WithMessages):
    """The spread between runs: the standard deviation of one cell's median in per cent.

    `percent` is null where it is not known.
    """

    percent: float | None
    runs: int
    cells: int
    sentence: Sentence
    message: MessageParts | None = None


class RunComparisonTable(Part, WithMessages):
    """All rows of one metric; cells that only one run has are listed with their one side.

    `run_spread` is the spread between runs of the host, or that it is not known; null for two cells of one
    run.
    """

    metric: str
    label: str
    unit: str
    better: Literal["higher", "lower"]
    decimals: int
    headline: str
    headline_message: MessageParts | None = None
    run_spread: SpreadBetweenRuns | None = None
    rows: tuple[RunComparisonRow, ...]


class RunComparison(Part, WithMessages):
    """A comparison of two runs. Where it is refused it has differences and reasons, and no table.

    `overridable`: not comparable, but an override would show figures.
    """

    a: RunSide
    b: RunSide
    basis: Basis
    margin: float
    comparable: Comparable
    reasons: tuple[Sentence, ...]
    reason_messages: tuple[MessageParts | None, ...] = ()
    overridden: bool
    overridable: bool
    refused: bool
    differences: tuple[EnvironmentDifference, ...]
    tables: tuple[RunComparisonTable, ...]
    warnings: tuple[Sentence, ...]
    warning_messages: tuple[MessageParts | None, ...] = ()
