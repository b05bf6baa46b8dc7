"""What spread between runs a host has shown in the cells of a run, from its other runs of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.core.chart.cells.trials import Cells, CellTrials
from backend.core.chart.compare_runs.matching import match_cells
from backend.core.chart.compare_runs.run_comparison_model import RunSpreadShown
from backend.core.statistics.between_runs import FEWEST_RUNS, RunSpread, of_difference, run_spread
from backend.core.statistics.paired import Undefined

Values = Callable[[CellTrials, Cells], Mapping[int, float]]
"""What is compared, by round, of a cell among the cells of its run; raises Undefined."""


@dataclass(frozen=True)
class Shown:
    """The spread of the difference of two single runs as (variance, degrees of freedom), None if unknown."""

    difference: tuple[float, float] | None
    told: RunSpreadShown


def history_of(run: Cells, others: Sequence[Cells]) -> tuple[Cells, ...]:
    """The runs that show a host's spread: the others, and with a single other one the run itself too.

    With two and more others neither of the compared runs takes part, so that a real difference between
    them widens nothing.
    """
    return tuple(others) if len(others) >= FEWEST_RUNS or not others else (run, *others)


def shown_spread(
    a: Cells, others_a: Sequence[Cells], b: Cells, others_b: Sequence[Cells] | None, values: Values
) -> Shown:
    """The spread between single runs of `a` and `b`; `others_b` is None where both are of one host."""
    of_a = run_spread(list(_centres(a, history_of(a, others_a), values)))
    of_b = of_a if others_b is None else run_spread(list(_centres(b, history_of(b, others_b), values)))
    if of_a is None or of_b is None:
        return Shown(None, _none(both=others_b is not None))
    return Shown(of_difference(of_a, of_b), _told(of_a, of_b))


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


def _told(a: RunSpread, b: RunSpread) -> RunSpreadShown:
    widest = max(a, b, key=lambda spread: spread.variance)
    percent = 100 * math.expm1(widest.deviation)
    return RunSpreadShown(
        percent=percent,
        runs=widest.runs,
        cells=widest.cells,
        sentence=(
            f"The median of one cell varies by {percent:.2g} % from run to run (standard deviation over "
            f"{widest.runs} runs, {widest.cells} {'cell' if widest.cells == 1 else 'cells'}); the intervals "
            "take that in."
        ),
    )


def _none(both: bool) -> RunSpreadShown:
    host = "one of the hosts" if both else "this host"
    return RunSpreadShown(
        percent=None,
        runs=0,
        cells=0,
        sentence=(
            f"No spread between runs has been shown on {host}, so that no difference of two single runs can "
            "be told from what any two runs differ by: measure a third run of the same experiment there."
        ),
    )
