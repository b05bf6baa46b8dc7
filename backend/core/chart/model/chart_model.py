"""The ChartModel: everything that page, terminal table and exports draw, ready to draw.

Nothing that reads it computes a statistic. All numbers are finite; missing is null, never 0.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from backend.core.chart.model.answer_model import Answer
from backend.core.chart.model.cell_models import Axis, ChartCell
from backend.core.chart.model.model_base import Part
from backend.core.chart.model.quality_models import (
    BestGroup,
    DriftCheck,
    DuplicateCheck,
    ExcludedTrial,
    InterimAnalyses,
    RunQuality,
    Study,
    ThresholdReport,
)
from backend.core.chart.model.sweep_models import Knee, Ladder
from backend.core.messages.message import MessageParts, Sentence, WithMessages
from backend.core.plan.states import Origin


class VerdictCounts(Part):
    """How the comparisons of the first metric came out, those of the answer.

    `undecided` have no answer, also because trials of them are lost. `failed` and `infeasible` count cells:
    those without figures, baselines among them, and those that the host cannot run.
    """

    better: int
    worse: int
    equivalent: int
    undecided: int
    failed: int
    infeasible: int


class Servers(Part, WithMessages):
    """How often the run's servers were started, and the variance between starts.

    `restart_every` is the plan's rounds a start, null where one start served the whole run; `starts` are the
    different starts among the recorded trials, null where the trials do not record them. `between` is the
    standard deviation of ln x that a start adds and `within` that of one trial on a running server (0.02 is 2
    %), in the first metric, null where this run cannot estimate them.
    """

    restart_every: int | None
    starts: int | None
    between: float | None
    within: float | None
    sentence: Sentence
    message: MessageParts | None = None


class Reduced(Part, WithMessages):
    """What a very large run leaves out of its ChartModel; each cell by itself has all of its values.

    All numbers have `digits` significant digits. The metrics in `without_values` have no values, no
    coefficients of variation and no 90 % intervals; `ladders_left_out` ladders are not there, and
    everything else is.
    """

    digits: int
    without_values: tuple[str, ...]
    ladders_left_out: int
    sentence: Sentence
    message: MessageParts | None = None


class Legend(Part):
    """One level of the series factor, with its colour and shape."""

    level: str
    label: str
    color: int
    shape: int


class RunNotice(Part, WithMessages):
    """A sentence that qualifies the figures of the run, or of one of its cells (`cell_id`)."""

    sentence: Sentence
    message: MessageParts | None = None
    cell_id: str | None = None


class ChartModel(Part, WithMessages):
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
    headline: Sentence
    headline_message: MessageParts | None = None
    answer: Answer | None = None
    trust: Sentence | None = None
    trust_message: MessageParts | None = None
    counts: VerdictCounts
    axes: tuple[Axis, ...]
    cores: int | None
    cells: tuple[ChartCell, ...]
    duplicates: tuple[DuplicateCheck, ...]
    drifts: tuple[DriftCheck, ...]
    best: tuple[BestGroup, ...]
    ladders: tuple[Ladder, ...]
    knees: tuple[Knee, ...]
    gate: ThresholdReport | None
    interim_analyses: Annotated[
        InterimAnalyses | None, Field(validation_alias=AliasChoices("interim_analyses", "looks"))
    ]
    looks: Annotated[
        InterimAnalyses | None,
        Field(
            validation_alias=AliasChoices("looks", "interim_analyses"),
            description="Deprecated: the same as `interim_analyses`.",
            json_schema_extra={"deprecated": True},
        ),
    ]
    study: Study | None
    notices: tuple[RunNotice, ...] = ()
    warnings: tuple[str, ...] = Field(
        description="Deprecated: `notices` as text; one of a cell begins with the cell's label.",
        json_schema_extra={"deprecated": True},
    )
    environment: dict[str, str]
    quality: RunQuality | None = None
    excluded_trials: tuple[ExcludedTrial, ...] = Field(
        default=(), description="The first 100 trials that were excluded by hand; `quality` counts all."
    )
    reduced: Reduced | None
    servers: Servers | None = None
