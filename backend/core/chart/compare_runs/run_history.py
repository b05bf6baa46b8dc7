"""The spread between runs of a host, estimated from its other runs of the same cells."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.core.chart.cells.trials import Cells, CellTrials
from backend.core.chart.compare_runs.matching import match_cells
from backend.core.chart.compare_runs.run_comparison_model import SpreadBetweenRuns
from backend.core.statistics.between_runs import FEWEST_RUNS, RunSpread, of_difference, run_spread
from backend.core.statistics.paired import Undefined

Values = Callable[[CellTrials, Cells], Mapping[int, float]]
"""The values to compare, by round, of a cell among the cells of its run; raises Undefined."""


@dataclass(frozen=True)
class RunToRunSpread:
    """The spread between runs, for the statistics and as it is shown.

    `difference` is (variance, degrees of freedom) of the difference of two single runs; None where it is not
    known.
    """

    difference: tuple[float, float] | None
    shown: SpreadBetweenRuns


def history_of(run: Cells, others: Sequence[Cells]) -> tuple[Cells, ...]:
    """The runs from which a host's spread is estimated: the others, and with a single other one this run too.

    With two and more others neither of the compared runs is used, so that a real difference between them
    does not widen the intervals.
    """
    return tuple(others) if len(others) >= FEWEST_RUNS or not others else (run, *others)


def run_to_run_spread(
    a: Cells, others_a: Sequence[Cells], b: Cells, others_b: Sequence[Cells] | None, values: Values
) -> RunToRunSpread:
    """The spread between single runs of `a` and `b`; `others_b` is None where both are of one host."""
    of_a = run_spread(list(_centres(a, history_of(a, others_a), values)))
    of_b = of_a if others_b is None else run_spread(list(_centres(b, history_of(b, others_b), values)))
    if of_a is None or of_b is None:
        return RunToRunSpread(None, _unknown(both=others_b is not None))
    return RunToRunSpread(of_difference(of_a, of_b), _estimated(of_a, of_b))


def _centres(own: Cells, runs: Sequence[Cells], values: Values) -> Iterator[dict[str, float]]:
    """Each run's logarithmic medians by the cells of `own` that it has; runs without any are left out."""
    for run in runs:
        found = dict(_of_run(own, run, values))
        if found:
            yield found


def _of_run(own: Cells, run: Cells, values: Values) -> Iterator[tuple[str, float]]:
    for match in match_cells(own, run):
        if match.a is None or match.b is None:
            continue
        try:
            centre = statistics.median(values(match.b, run).values())
        except Undefined:
            continue
        if math.isfinite(centre) and centre > 0:
            yield match.a.cell.id, math.log(centre)


def _estimated(a: RunSpread, b: RunSpread) -> SpreadBetweenRuns:
    widest = max(a, b, key=lambda spread: spread.variance)
    percent = 100 * math.expm1(widest.deviation)
    return SpreadBetweenRuns(
        percent=percent,
        runs=widest.runs,
        cells=widest.cells,
        sentence=(
            f"The median of one cell varies by {percent:.2g} % from run to run (standard deviation over "
            f"{widest.runs} runs, {widest.cells} {'cell' if widest.cells == 1 else 'cells'}); the intervals "
            "include it."
        ),
    )


def _unknown(both: bool) -> SpreadBetweenRuns:
    host = "one of the hosts" if both else "this host"
    return SpreadBetweenRuns(
        percent=None,
        runs=0,
        cells=0,
        sentence=(
            f"No spread between runs has been shown on {host}, so a difference of two single runs cannot be "
            "distinguished from it: measure a third run of the same experiment there."
        ),
    )
