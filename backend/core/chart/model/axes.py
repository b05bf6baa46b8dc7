"""Axes: domains to draw in, and how many digits are worth showing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Protocol

from backend.core.chart.model.cell_models import Axis, ChartCell, Summary
from backend.core.chart.model.model_base import Interval
from backend.core.definition.metrics import METRICS

_STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
_SMALLEST = 1e-9
"""Below this an axis shows nothing but zero."""
_HIDDEN = ("contradicted", "not_proven", "invalid", "contaminated", "excluded")


def build_axis(metric: str, cells: Sequence[ChartCell]) -> Axis:
    """One metric's axis over every value that is drawn."""
    row = METRICS[metric]
    shown = [
        cell.summaries[metric] for cell in cells if metric in cell.summaries and cell.state not in _HIDDEN
    ]
    values = list(_values(shown))
    top = max([0.0, *values, *_published(metric, cells)])
    return Axis(
        metric=metric,
        label=row.label,
        unit=row.unit,
        better=row.better,
        domain=(0.0, nice_above(top) if top > _SMALLEST else 1.0),
        zoom=zoom_domain(values),
        decimals=decimals(shown, top),
    )


def _published(metric: str, cells: Sequence[ChartCell]) -> Iterable[float]:
    """Where the study's figures are drawn: their ratio on the baseline that was measured here."""
    by_id = {cell.id: cell for cell in cells}
    for cell in cells:
        found = cell.comparisons.get(metric)
        baseline = by_id.get(found.baseline_id) if found else None
        if baseline is None or cell.published is None or cell.published.ratio is None:
            continue
        if metric in cell.published.values and (centre := baseline.summaries[metric].median) is not None:
            yield cell.published.ratio * centre


def _values(summaries: Iterable[Summary]) -> Iterable[float]:
    for summary in summaries:
        yield from (value for value in summary.values if value is not None)
        if summary.interval is not None:
            yield from (summary.interval.low, summary.interval.high)


def nice_above(value: float) -> float:
    """The smallest round number that is not below a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in _STEPS if step * power >= value), 10 * power)


def zoom_domain(values: Sequence[float]) -> tuple[float, float]:
    """Just the values, with a twentieth of their spread to either side, on round numbers."""
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    spread = max(high - low or abs(high) / 10, _SMALLEST)
    low, high = low - spread / 20, high + spread / 20
    step = nice_above((high - low) / 20)
    start = math.floor(low / step) * step
    if low >= -spread / 20:
        start = max(0.0, start)
    return round(start, 12), round(math.ceil(high / step) * step, 12)


class WithInterval(Protocol):
    """A figure with its interval."""

    @property
    def interval(self) -> Interval | None:
        """The interval; None where there are too few values."""


def decimals(summaries: Iterable[WithInterval], top: float) -> int:
    """Decimals so that a typical interval is two digits wide; four digits where there is none."""
    widths = [s.interval.high - s.interval.low for s in summaries if s.interval is not None]
    width = median([w for w in widths if w > 0] or [0.0])
    if width > 0:
        return min(6, max(0, 1 - math.floor(math.log10(width))))
    return min(6, max(0, 3 - math.floor(math.log10(top)))) if top > 0 else 0
