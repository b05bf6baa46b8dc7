"""The intervals by which thresholds are tested, simultaneous over all figures that they test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.core.chart.cells.pairing import series_of_pair
from backend.core.chart.cells.trials import Cells
from backend.core.chart.model.model_base import Interval, as_interval
from backend.core.statistics.family import joint_intervals
from backend.core.statistics.paired import Undefined


@dataclass(frozen=True)
class TestedFigure:
    """A figure that some threshold tests: a cell's median of a metric, or its ratio to the baseline."""

    metric: str
    cell_id: str
    of_ratio: bool


@dataclass(frozen=True)
class ThresholdIntervals:
    """95 % intervals, simultaneous over `size` figures; figures without an interval are left out."""

    size: int
    intervals: Mapping[TestedFigure, Interval]


def threshold_intervals(
    figures: Iterable[TestedFigure], cells: Cells, analyses: int = 1
) -> ThresholdIntervals:
    """The intervals of these figures; several thresholds on one figure test one interval.

    A cell or run exactly at its bounds then fails in at most 5 % of runs. The family is that of the
    thresholds, so its intervals may differ from those of the verdicts, whose family is a metric's
    comparisons.
    """
    ratios, medians = [], []
    pairs, values = [], []
    for figure in dict.fromkeys(figures):
        trials = cells[figure.cell_id]
        if not figure.of_ratio:
            medians.append(figure)
            values.append(trials.values(figure.metric))
            continue
        try:
            pairs.append(series_of_pair(trials, cells, figure.metric))
        except Undefined:
            continue
        ratios.append(figure)
    of_ratios, of_medians, size = joint_intervals(pairs, values, analyses)
    found = zip([*ratios, *medians], [*of_ratios, *of_medians], strict=True)
    intervals = {figure: as_interval(bounds) for figure, bounds in found}
    return ThresholdIntervals(size, {key: own for key, own in intervals.items() if own is not None})
