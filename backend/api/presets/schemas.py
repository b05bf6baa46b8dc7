"""Responses of /presets and /factors."""

from __future__ import annotations

from typing import Literal

from backend.api.schema import Body
from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import Level, Scope


class PresetSize(Body):
    """The size of a preset's plan on a host that can run everything; `cells` without A/A duplicates."""

    cells: int
    trials: int
    seconds: float


class Preset(Body):
    """An experiment that comes with Plimsoll; `full` is as published, `quick` is a small form.

    `full_form` is the name of the full preset of the same `question`.
    """

    name: str
    title: str
    question: str
    summary: str
    study: str | None
    form: Literal["full", "quick"]
    full_form: str
    definition: Experiment
    size: PresetSize


class StudyRow(Body):
    """The published values of one path, in the order of the study."""

    label: str
    values: tuple[float, ...]


class PublishedStudy(Body):
    """A published study, and what it printed of one metric, for a small picture.

    It has no rows where it printed no figures. `citation` is author, title, medium and year.
    """

    name: str
    title: str
    citation: str
    environment: str
    metric: str | None
    metric_label: str
    unit: str
    rows: tuple[StudyRow, ...]


class PresetList(Body):
    """Every preset, and the published studies that some of them repeat."""

    data: tuple[Preset, ...]
    studies: tuple[PublishedStudy, ...] = ()


class FactorNeed(Body):
    """A factor applies only if another one has one of these levels."""

    factor: str
    levels: tuple[Level, ...]


class FactorChoice(Body):
    """A factor: its choices, its inclusive bounds if it is a number, or the pattern of its text.

    `scope` is what it belongs to, `needs` when it applies (always, if empty), `about` one line of help.
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
    """A metric, its unit, its better direction, and the tools that measure it."""

    name: str
    label: str
    unit: str
    better: Literal["higher", "lower"]
    tools: tuple[str, ...]


class PathChoice(Body):
    """A path, and the services that it can reach (all, if empty).

    `hops` by the setting of userland-proxy; null if the path does not exist with it, for the reason in
    `unreachable`. `two_hosts`: its client may run on a run's client host.
    """

    name: str
    title: str
    summary: str
    services: tuple[str, ...]
    hops: dict[Literal["on", "off"], tuple[str, ...] | None]
    unreachable: str
    two_hosts: bool = False


class ToolChoice(Body):
    """A tool: the services that it can load, its rate metric, and whether it needs TCP."""

    name: str
    services: tuple[str, ...]
    rate: str
    needs_tcp: bool


class Vocabulary(Body):
    """The factors, metrics, paths and tools of experiments, and their compatibility."""

    factors: tuple[FactorChoice, ...]
    metrics: tuple[MetricChoice, ...]
    paths: tuple[PathChoice, ...]
    tools: tuple[ToolChoice, ...]
