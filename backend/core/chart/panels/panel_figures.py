"""Figures of cells for panels, and the axes that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from backend.core.chart.cells.summaries import interval_of
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.axes import decimals, nice_above, zoom_domain
from backend.core.chart.model.cell_models import Axis
from backend.core.chart.panels.panel_models import PanelFigure
from backend.core.definition.metrics import METRICS
from backend.core.statistics.median import median_interval

_SMALLEST: Final = 1e-9


def figure(trials: CellTrials, metric: str) -> PanelFigure | None:
    """The cell's median of a metric with its 95 % interval, None without a trial that counts."""
    values = list(trials.values(metric).values())
    if not values:
        return None
    centre = median_interval(values)
    return PanelFigure(n=centre.n, median=centre.median, interval=interval_of(centre.low, centre.high))


def axis_of(metric: str, figures: Sequence[PanelFigure]) -> Axis:
    """A metric's axis over all medians and intervals that are drawn."""
    row, values = METRICS[metric], list(values_of(figures))
    return Axis(
        metric=metric,
        label=row.label,
        unit=row.unit,
        better=row.better,
        domain=domain_of(figures),
        zoom=zoom_domain(values),
        decimals=decimals(figures, max([0.0, *values])),
    )


def domain_of(figures: Iterable[PanelFigure]) -> tuple[float, float]:
    """From zero to a round number that is not below any median or interval."""
    top = max([0.0, *values_of(figures)])
    return 0.0, nice_above(top) if top > _SMALLEST else 1.0


def values_of(figures: Iterable[PanelFigure]) -> Iterator[float]:
    """Medians and both ends of their intervals."""
    for one in figures:
        yield one.median
        if one.interval is not None:
            yield from (one.interval.low, one.interval.high)
