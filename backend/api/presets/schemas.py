"""What comes out of /presets and /factors."""

from __future__ import annotations

from typing import Literal

from backend.api.schema import Body
from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import Level, Scope


class PresetSize(Body):
    """What a preset's plan takes on a host that can run everything: cells without A/A duplicates."""

    cells: int
    trials: int
    seconds: float


class Preset(Body):
    """A ready experiment; `full` repeats the study as published, `quick` is for a first look."""

    name: str
    title: str
    summary: str
    study: str | None
    form: Literal["full", "quick"]
    definition: Experiment
    size: PresetSize


class PresetList(Body):
    """Every preset."""

    data: tuple[Preset, ...]


class FactorNeed(Body):
    """A factor applies only where another one has one of these levels."""

    factor: str
    levels: tuple[Level, ...]


class FactorChoice(Body):
    """A factor: its choices, its inclusive bounds where it is a number, or the pattern of its text.

    `scope` says what it belongs to, `needs` where it makes sense at all (everywhere, if empty), `about`
    is one line of help.
    """

    name: str
    label: str
    unit: str
    default: Level
    choices: tuple[Level, ...]
    minimum: int | None
    maximum: int | None
    pattern: str | None
    scope: Scope
    needs: tuple[FactorNeed, ...]
    about: str


class MetricChoice(Body):
    """A metric, its unit, its better direction, and the tools that yield it."""

    name: str
    label: str
    unit: str
    better: Literal["higher", "lower"]
    tools: tuple[str, ...]


class PathChoice(Body):
    """A path: what it is, and the services that can be reached on it (every one, if empty).

    `hops` by the setting of userland-proxy; null where the path cannot be taken with it, for the reason in
    `unreachable`.
    """

    name: str
    title: str
    summary: str
    services: tuple[str, ...]
    hops: dict[Literal["on", "off"], tuple[str, ...] | None]
    unreachable: str


class ToolChoice(Body):
    """A tool: the services that it can load, its rate, and whether it needs TCP."""

    name: str
    services: tuple[str, ...]
    rate: str
    needs_tcp: bool


class Vocabulary(Body):
    """What an experiment may vary and measure, and what fits together."""

    factors: tuple[FactorChoice, ...]
    metrics: tuple[MetricChoice, ...]
    paths: tuple[PathChoice, ...]
    tools: tuple[ToolChoice, ...]
