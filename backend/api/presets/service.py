"""Presets and vocabulary, read from the core."""

from __future__ import annotations

from backend.api.presets.schemas import FactorChoice, MetricChoice, Preset, PresetList, Vocabulary
from backend.core.definition.factors import FACTORS, Factor
from backend.core.definition.metrics import METRICS
from backend.core.definition.presets import presets


def every() -> PresetList:
    """Every preset."""
    return PresetList(
        data=tuple(
            Preset(
                name=preset.name,
                title=preset.title,
                summary=preset.summary,
                study=preset.study,
                form=preset.form,
                definition=preset.experiment,
            )
            for preset in presets()
        )
    )


def vocabulary() -> Vocabulary:
    """Every factor and metric, in the order in which they are shown."""
    return Vocabulary(
        factors=tuple(_choice(factor) for factor in FACTORS.values()),
        metrics=tuple(
            MetricChoice(name=m.name, label=m.label, unit=m.unit, better=m.better) for m in METRICS.values()
        ),
    )


def _choice(factor: Factor) -> FactorChoice:
    numeric = not factor.choices
    return FactorChoice(
        name=factor.name,
        label=factor.label,
        unit=factor.unit,
        default=factor.default,
        choices=factor.choices,
        minimum=factor.minimum if numeric else None,
        maximum=factor.maximum if numeric else None,
    )
