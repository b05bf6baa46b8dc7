"""Presets and the catalog of factors, metrics, paths and tools, from the core."""

from __future__ import annotations

from functools import lru_cache

from backend.api.plans.service import plan_on
from backend.api.presets.schemas import (
    FactorChoice,
    FactorNeed,
    MetricChoice,
    PathChoice,
    Preset,
    PresetList,
    PresetSize,
    ToolChoice,
    Vocabulary,
)
from backend.api.presets.studies import as_study
from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import FACTORS, Factor
from backend.core.definition.metrics import METRICS, RATES
from backend.core.definition.presets import presets
from backend.core.definition.studies import STUDIES
from backend.core.topology.model import PathDefinition
from backend.core.topology.paths import PATHS
from backend.core.topology.two_hosts import TWO_HOST_PATHS
from backend.core.workload.tools import TOOLS


@lru_cache(maxsize=1)
def list_all() -> PresetList:
    """Every preset with its size, planned once, on the first call."""
    return PresetList(
        data=tuple(
            Preset(
                name=preset.name,
                title=preset.title,
                question=preset.question,
                summary=preset.summary,
                study=preset.study,
                form=preset.form,
                full_form=preset.full_form,
                definition=preset.experiment,
                size=_size(preset.experiment),
            )
            for preset in presets()
        ),
        studies=tuple(map(as_study, STUDIES.values())),
    )


def _size(experiment: Experiment) -> PresetSize:
    plan = plan_on(experiment, {})
    cells = sum(not cell.is_duplicate and cell.infeasible is None for cell in plan.cells)
    return PresetSize(cells=cells, trials=plan.estimate.trials, seconds=plan.estimate.seconds)


def vocabulary() -> Vocabulary:
    """Every factor, metric, path and tool, in the order of the page."""
    return Vocabulary(
        factors=tuple(_factor(factor) for factor in FACTORS.values()),
        metrics=tuple(
            MetricChoice(name=m.name, label=m.label, unit=m.unit, better=m.better, tools=m.tools)
            for m in METRICS.values()
        ),
        paths=tuple(_path(path) for path in PATHS.values()),
        tools=tuple(
            ToolChoice(name=t.name, services=t.services, rate=RATES[t.name], needs_tcp=t.needs_tcp)
            for t in TOOLS.values()
        ),
    )


def _factor(factor: Factor) -> FactorChoice:
    numeric = not factor.choices and not factor.pattern
    return FactorChoice(
        name=factor.name,
        label=factor.label,
        unit=factor.unit,
        default=factor.default,
        choices=factor.choices,
        minimum=factor.minimum if numeric else None,
        maximum=factor.maximum if numeric else None,
        pattern=factor.pattern or None,
        scope=factor.scope,
        needs=tuple(FactorNeed(factor=need.factor, levels=need.levels) for need in factor.needs),
        about=factor.about,
    )


def _path(path: PathDefinition) -> PathChoice:
    return PathChoice(
        name=path.name,
        title=path.title,
        summary=path.summary,
        services=path.services,
        hops={
            "on": path.hops(True) if path.route(True) else None,
            "off": path.hops(False) if path.route(False) else None,
        },
        two_hosts=path.name in TWO_HOST_PATHS,
        unreachable=path.unreachable,
    )
