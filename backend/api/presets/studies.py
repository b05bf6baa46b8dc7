"""Published studies with the figures that they printed, for lists."""

from __future__ import annotations

from typing import Final

from backend.api.presets.schemas import PublishedStudy, StudyRow
from backend.core.definition.metrics import METRICS
from backend.core.definition.studies import model
from backend.core.plan.labels import cell_label

_OF_A_ROW: Final = ("path", "userland_proxy", "tool")
"""Factors whose levels make a row; figures that differ in others only are values of one row."""


def as_study(study: model.PublishedStudy) -> PublishedStudy:
    """A study with its first metric's figures by path, as they were printed."""
    metric = next((name for figure in study.figures for name in figure.values), None)
    known = None if metric is None else METRICS[metric]
    return PublishedStudy(
        name=study.name,
        title=study.title,
        citation=study.citation,
        environment=study.environment,
        metric=metric,
        metric_label="" if known is None else known.label,
        unit="" if known is None else known.unit,
        rows=() if metric is None else _rows(study, metric),
    )


def _rows(study: model.PublishedStudy, metric: str) -> tuple[StudyRow, ...]:
    levels = [figure.levels for figure in study.figures]
    varied = [name for name in _OF_A_ROW if len({own.get(name) for own in levels}) > 1]
    rows: dict[str, list[float]] = {}
    for figure in study.figures:
        if metric in figure.values:
            rows.setdefault(cell_label(figure.levels, varied), []).append(figure.values[metric])
    return tuple(StudyRow(label=label, values=tuple(values)) for label, values in rows.items())
