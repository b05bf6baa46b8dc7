"""The experiment as a typed, validated document. Data from outside enters the core here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    create_model,
    model_validator,
)

from backend.core.definition.checks import DEFAULT_EVERY, DEFAULT_ROUNDS
from backend.core.definition.factors import FACTORS, LONGEST_TEXT, Factor, Level
from backend.core.definition.nesting import LONGEST_LIST, as_levels, completed, default_metrics
from backend.core.definition.quality import DEFAULT, Quality, is_default
from backend.core.definition.question import with_question
from backend.core.definition.studies import STUDIES
from backend.core.definition.text import LINE_PATTERN, unprintable

API_VERSION: Final = "plimsoll/v1"
MAX_LEVELS = LONGEST_LIST
MAX_RULES = LONGEST_LIST
MAX_ROUNDS = 1000
MAX_MINUTES = 24 * 60
MAX_LATENCY_MS = 60_000
MAX_SEED = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""
NAME_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,62}$"
TITLE_PATTERN = LINE_PATTERN

T = TypeVar("T")

Levels = Annotated[tuple[T, ...], Field(min_length=1, max_length=MAX_LEVELS), BeforeValidator(as_levels)]
ThresholdText = Annotated[StrictStr, Field(min_length=1, max_length=200)]
AnyLevel = StrictBool | StrictInt | StrictStr

if TYPE_CHECKING:
    StudyName = str
else:
    StudyName = Literal[tuple(STUDIES)]


def one_line(text: str) -> str:
    """The text itself. Raises ValueError naming a character that is not allowed in one line."""
    if (found := unprintable(text)) is not None:
        raise ValueError(f"contains {found}")
    return text


class Document(BaseModel):
    """Base of every object in the document: unknown fields are refused, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class FactorLevels(Document):
    """The levels of every factor that applies to some cell; other factors have none and are not written."""

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, data: Any) -> Any:
        return completed(data) if isinstance(data, dict) else data

    def levels(self, name: str) -> tuple[Level, ...]:
        """The levels of one factor; empty where it applies to no cell."""
        found: tuple[Level, ...] = getattr(self, name)
        return found


def _level_type(factor: Factor) -> Any:
    """The type of one level, with the bounds of the factor."""
    if factor.choices:
        words = all(isinstance(choice, str) for choice in factor.choices)
        return Literal[factor.choices] if words else StrictBool
    if factor.pattern:
        return Annotated[StrictStr, Field(pattern=factor.pattern, max_length=LONGEST_TEXT)]
    return Annotated[StrictInt, Field(ge=factor.minimum, le=factor.maximum)]


def _field(factor: Factor) -> Any:
    """A factor's field. An empty tuple means that the factor applies to no cell, and is not written."""
    about = ": ".join(text for text in (factor.label, factor.about) if text)
    return Field(
        default=(),
        exclude_if=_is_empty,
        description=about + (f" ({factor.unit})" if factor.unit else ""),
        json_schema_extra={"default": [factor.default]},
    )


def _is_empty(values: tuple[object, ...]) -> bool:
    return not values


def _is_none(value: object) -> bool:
    return value is None


def _is_false(value: object) -> bool:
    return value is False


if TYPE_CHECKING:

    class Factors(FactorLevels):
        """The levels of every factor."""
else:
    Factors = create_model(
        "Factors",
        __base__=FactorLevels,
        __module__=__name__,
        __doc__="The levels of every factor. An omitted factor has its default level where it applies.",
        **{name: (Levels[_level_type(factor)], _field(factor)) for name, factor in FACTORS.items()},
    )


class Stopping(Document):
    """Interim analyses at fixed rounds: the rule by which decided cells stop and the others go on.

    The first interim analysis is after `rounds`, then one every `every` rounds, the last after `at_most`. A
    cell whose comparison an analysis decides gets no further rounds. With `budget_minutes`, no rounds begin
    that would end after the budget by the plan's estimate.
    """

    every: Annotated[StrictInt, Field(ge=1, le=100)] = DEFAULT_EVERY
    at_most: Annotated[StrictInt, Field(ge=2, le=MAX_ROUNDS)]
    budget_minutes: Annotated[StrictInt, Field(ge=1, le=MAX_MINUTES)] | None = None


Rule = Annotated[dict[StrictStr, Levels[AnyLevel]], Field(min_length=1)]
"""Levels of one or more factors."""


class Experiment(Document):
    """One question: factors, metrics, rounds, seed, and what is compared.

    `compare` names the factor whose levels are compared with each other, everything else equal; `baseline`
    names levels of factors instead: a cell is compared with the cell that has these levels and its own levels
    of every other factor. Of a compared factor it has the level that the others are compared with. `exclude`
    has rules, each with a level or a list of levels of some factors: cells of the product that match a rule
    are left out. `include` has rules of the same form; each adds the product of its levels with the
    experiment's own levels of every factor that it does not name. Exclusions are applied first, so that an
    included cell is never excluded. `thresholds` (see `definition.thresholds`) are what the run must reach,
    `latency_limit_ms` is the limit of the open-loop latency of a sweep. `margin` is the equivalence margin
    (0.05: 5 %). `study` names a published study whose figures are shown beside the measured ones, `quality`
    limits what other processes and the hypervisor may use. With `profile`, an extra trial of each cell after
    the measured ones, itself not measured, samples call stacks. Without `seed` each run draws its own.
    Without `metrics`: the rate of the first tool, and CPU per transaction.
    """

    api_version: Literal["plimsoll/v1"] = API_VERSION
    name: Annotated[StrictStr, Field(pattern=NAME_PATTERN)]
    title: Annotated[
        StrictStr,
        Field(min_length=1, max_length=200, pattern=TITLE_PATTERN),
        AfterValidator(one_line),
    ]
    study: StudyName | None = None
    factors: Factors = Field(default_factory=lambda: Factors())
    exclude: Annotated[tuple[Rule, ...], Field(max_length=MAX_RULES)] = ()
    include: Annotated[tuple[Rule, ...], Field(max_length=MAX_RULES, exclude_if=_is_empty)] = ()
    rounds: Annotated[StrictInt, Field(ge=1, le=MAX_ROUNDS)] = DEFAULT_ROUNDS
    stopping: Annotated[Stopping | None, Field(exclude_if=_is_none)] = None
    seed: Annotated[Annotated[StrictInt, Field(ge=0, le=MAX_SEED)] | None, Field(exclude_if=_is_none)] = None
    compare: Annotated[StrictStr | None, Field(exclude_if=_is_none)] = None
    baseline: dict[StrictStr, AnyLevel] = Field(min_length=1)
    quality: Annotated[Quality, Field(exclude_if=is_default)] = DEFAULT
    metrics: tuple[StrictStr, ...] = Field(default=default_metrics({}), min_length=1, max_length=LONGEST_LIST)
    margin: Annotated[StrictFloat, Field(gt=0, le=0.5)] = 0.05
    thresholds: Annotated[
        tuple[ThresholdText, ...], Field(max_length=LONGEST_LIST, exclude_if=_is_empty)
    ] = ()
    latency_limit_ms: Annotated[
        Annotated[StrictFloat, Field(gt=0, le=MAX_LATENCY_MS)] | None, Field(exclude_if=_is_none)
    ] = None
    profile: Annotated[StrictBool, Field(exclude_if=_is_false)] = False

    @property
    def question_pointer(self) -> str:
        """The JSON Pointer to the field that says what is compared."""
        return "/baseline" if self.compare is None else "/compare"

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        question = with_question(data)
        return {"metrics": default_metrics(data.get("factors"))} | question
