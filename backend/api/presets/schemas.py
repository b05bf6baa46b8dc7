"""What comes out of /presets and /factors."""

from __future__ import annotations

from typing import Literal

from backend.api.schema import Body
from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import Level


class Preset(Body):
    """A ready experiment; `full` repeats the study as published, `quick` is for a first look."""

    name: str
    title: str
    summary: str
    study: str | None
    form: Literal["full", "quick"]
    definition: Experiment


class PresetList(Body):
    """Every preset."""

    data: tuple[Preset, ...]


class FactorChoice(Body):
    """A factor with its choices, or with its inclusive bounds where it is a number."""

    name: str
    label: str
    unit: str
    default: Level
    choices: tuple[Level, ...]
    minimum: int | None
    maximum: int | None


class MetricChoice(Body):
    """A metric, its unit and its better direction."""

    name: str
    label: str
    unit: str
    better: Literal["higher", "lower"]


class Vocabulary(Body):
    """What an experiment may vary and measure."""

    factors: tuple[FactorChoice, ...]
    metrics: tuple[MetricChoice, ...]
