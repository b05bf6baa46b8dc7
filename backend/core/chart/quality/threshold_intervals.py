"""The intervals by which thresholds are tested, simultaneous over all figures that they test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.chart.cells.pairing import series_of_pair
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.model.model_base import Difference, Interval, as_interval
from backend.core.definition.metrics import METRICS
from backend.core.statistics.compared_pair import Series
from backend.core.statistics.family import family_differences, joint_intervals
from backend.core.statistics.ratio_estimate import Undefined


@dataclass(frozen=True)
class TestedFigure:
    """A figure that some threshold tests: a cell's median of a metric, or its ratio to the baseline.

    Where there is no ratio because a value is zero, the figure is the cell minus `times` its baseline.
    """

    metric: str
    cell_id: str
    of_ratio: bool
    times: float | None = None


@dataclass(frozen=True)
class ThresholdIntervals:
    """95 % intervals, simultaneous over `size` figures; figures without an interval are left out.

    Of figures that are differences the intervals are in `differences`, with their estimates. `not_judged`
    says why cells that have values are not tested.
    """

    size: int
    intervals: Mapping[TestedFigure, Interval]
    differences: Mapping[TestedFigure, Difference] = field(default_factory=dict)
    not_judged: Mapping[TestedFigure, str] = field(default_factory=dict)


def threshold_intervals(
    figures: Iterable[TestedFigure], cells: Cells, analyses: int = 1
) -> ThresholdIntervals:
    """The intervals of these figures; several thresholds on one figure test one interval.

    A cell or run exactly at its bounds then fails in at most 5 % of runs. The family is that of the
    thresholds, so its intervals may differ from those of the verdicts, whose family is a metric's
    comparisons.
    """
    ratios, differences, medians = [], [], []
    pairs, scaled, values = [], [], []
    not_judged: dict[TestedFigure, str] = {}
    for figure in dict.fromkeys(figures):
        trials = cells[figure.cell_id]
        if (why := trials.why_not_judged(figure.metric)) is not None:
            not_judged[figure] = why
            continue
        if not figure.of_ratio:
            medians.append(figure)
            values.append(trials.values(figure.metric))
            continue
        try:
            base, own = series_of_pair(trials, cells, figure.metric)
        except Undefined:
            continue
        if figure.times is None:
            ratios.append(figure)
            pairs.append((base, own))
        else:
            differences.append(figure)
            scaled.append(({round_: figure.times * value for round_, value in base.items()}, own))
    of_pairs, of_medians, size = joint_intervals(pairs, values, analyses, scaled)
    found = zip([*ratios, *differences, *medians], [*of_pairs, *of_medians], strict=True)
    intervals = {figure: as_interval(bounds) for figure, bounds in found}
    return ThresholdIntervals(
        size=size,
        intervals={f: own for f, own in intervals.items() if own is not None and f.times is None},
        differences=_differences(differences, scaled, intervals),
        not_judged=not_judged,
    )


def _differences(
    figures: Sequence[TestedFigure],
    pairs: Sequence[tuple[Series, Series]],
    intervals: Mapping[TestedFigure, Interval | None],
) -> dict[TestedFigure, Difference]:
    estimates = family_differences([base for base, _ in pairs], [own for _, own in pairs])
    return {
        figure: Difference(value=found.estimate, interval=intervals[figure], unit=METRICS[figure.metric].unit)
        for figure, found in zip(figures, estimates, strict=True)
        if not isinstance(found, Undefined)
    }
