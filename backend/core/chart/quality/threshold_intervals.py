"""The intervals that thresholds are judged by: simultaneous over everything that a run's thresholds judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.core.chart.cells.pairing import series_of_pair
from backend.core.chart.cells.trials import Cells
from backend.core.chart.model.model_base import Interval, as_interval
from backend.core.statistics.family import joint_intervals
from backend.core.statistics.paired import Undefined


@dataclass(frozen=True)
class Judgement:
    """One figure that some threshold judges: a cell's median of a metric, or its ratio to the baseline."""

    metric: str
    cell_id: str
    of_ratio: bool


@dataclass(frozen=True)
class ThresholdIntervals:
    """95 % intervals over `size` judgements at once; a judgement without one is not there."""

    size: int
    intervals: Mapping[Judgement, Interval]


def threshold_intervals(asked: Iterable[Judgement], cells: Cells, analyses: int = 1) -> ThresholdIntervals:
    """The intervals of these judgements; several thresholds on one figure judge one interval.

    A cell or run exactly at its bounds then fails in at most 5 % of runs. The family is that of the
    thresholds, so its intervals may differ from those beside the verdicts, whose family is a metric's
    comparisons.
    """
    ratios, medians = [], []
    pairs, values = [], []
    for judgement in dict.fromkeys(asked):
        trials = cells[judgement.cell_id]
        if not judgement.of_ratio:
            medians.append(judgement)
            values.append(trials.values(judgement.metric))
            continue
        try:
            pairs.append(series_of_pair(trials, cells, judgement.metric))
        except Undefined:
            continue
        ratios.append(judgement)
    of_ratios, of_medians, size = joint_intervals(pairs, values, analyses)
    found = zip([*ratios, *medians], [*of_ratios, *of_medians], strict=True)
    intervals = {judgement: as_interval(bounds) for judgement, bounds in found}
    return ThresholdIntervals(size, {key: own for key, own in intervals.items() if own is not None})
