"""The experiment: the question, as a typed document. Outside data enters the core here."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
)

from backend.core.definition.factors import FACTORS, Level, Path, Protocol

API_VERSION: Final = "plimsoll/v1"
MAX_LEVELS = 100
MAX_ROUNDS = 1000
MAX_SEED = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""
NAME_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,62}$"
TITLE_PATTERN = r"^[^\x00-\x1f\x7f]+$"

T = TypeVar("T")


def _one_or_many(value: Any) -> Any:
    """A single level stands for a list of one."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


Levels = Annotated[tuple[T, ...], Field(min_length=1, max_length=MAX_LEVELS), BeforeValidator(_one_or_many)]
Clients = Annotated[StrictInt, Field(ge=FACTORS["clients"].minimum, le=FACTORS["clients"].maximum)]
Threads = Annotated[StrictInt, Field(ge=FACTORS["threads"].minimum, le=FACTORS["threads"].maximum)]
Scale = Annotated[StrictInt, Field(ge=FACTORS["scale"].minimum, le=FACTORS["scale"].maximum)]
Duration = Annotated[StrictInt, Field(ge=FACTORS["duration_s"].minimum, le=FACTORS["duration_s"].maximum)]
WarmUp = Annotated[StrictInt, Field(ge=FACTORS["warm_up_s"].minimum, le=FACTORS["warm_up_s"].maximum)]


class Document(BaseModel):
    """Base of every part of the document: unknown fields are refused, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Factors(Document):
    """The levels of every factor. A factor left out has its single default level."""

    path: Levels[Path] = (Path.PUBLISHED_LOOPBACK,)
    userland_proxy: Levels[StrictBool] = (True,)
    clients: Levels[Clients] = (5,)
    threads: Levels[Threads] = (1,)
    protocol: Levels[Protocol] = (Protocol.PREPARED,)
    scale: Levels[Scale] = (5,)
    duration_s: Levels[Duration] = (10,)
    warm_up_s: Levels[WarmUp] = (2,)

    def levels(self, name: str) -> tuple[Level, ...]:
        """The levels of one factor as plain values."""
        return tuple(v.value if isinstance(v, Path | Protocol) else v for v in getattr(self, name))


class Workload(Document):
    """What is run against what. Images, commands and container settings belong to the worker."""

    tool: Literal["pgbench"] = "pgbench"
    service: Literal["postgres"] = "postgres"
    script: Literal["select_only"] = "select_only"


class Experiment(Document):
    """One question: factors, workload, metrics, rounds, seed and baseline.

    `baseline` names levels of factors; a cell is compared with the cell that has these levels and
    its own levels of every factor not named. `margin` is the equivalence margin of
    `core.statistics` (0.05 = 5 %). `study` names a published study whose figures are shown beside
    the measured ones.
    """

    api_version: Literal["plimsoll/v1"] = API_VERSION
    name: Annotated[StrictStr, Field(pattern=NAME_PATTERN)]
    title: Annotated[StrictStr, Field(min_length=1, max_length=200, pattern=TITLE_PATTERN)]
    study: Literal["pachot-2019"] | None = None
    workload: Workload = Workload()
    factors: Factors = Factors()
    rounds: Annotated[StrictInt, Field(ge=1, le=MAX_ROUNDS)] = 10
    seed: Annotated[StrictInt, Field(ge=0, le=MAX_SEED)] = 1
    baseline: dict[StrictStr, StrictBool | StrictInt | StrictStr] = Field(min_length=1)
    metrics: tuple[StrictStr, ...] = Field(default=("tps", "cpu_us_per_txn"), min_length=1)
    margin: Annotated[StrictFloat, Field(gt=0, le=0.5)] = 0.05
