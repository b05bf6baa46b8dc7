"""The ratio of each cell to its own run's baseline, beside a comparison of runs: as the run's result has it.

Its interval is that of the result's verdict, simultaneous over all comparisons of the run in the metric: one
comparison has one interval, wherever it is printed.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.chart.cells.replicates import means_by_start, rounds_per_start
from backend.core.chart.compare_runs.compared_cells import ComparedCell, ComparedCells, RunFigures
from backend.core.definition.metrics import METRICS
from backend.core.statistics.compared_pair import Estimate, Series
from backend.core.statistics.family import family_estimates
from backend.core.statistics.ratio_estimate import Undefined

OwnRatios = Mapping[str, Estimate]


def own_ratios(run: RunFigures, metric: str) -> dict[str, Estimate]:
    """By cell id the ratio to its baseline, or the difference where there is none."""
    found: dict[str, Estimate] = {}
    for is_duplicate in (False, True):
        pairs = dict(_pairs(run, metric, is_duplicate))
        bases, others = ([pair[side] for pair in pairs.values()] for side in (0, 1))
        estimates = family_estimates(bases, others, run.corrected_for)
        found |= {id_: e for id_, e in zip(pairs, estimates, strict=True) if not isinstance(e, Undefined)}
    return found


def _pairs(run: RunFigures, metric: str, is_duplicate: bool) -> list[tuple[str, tuple[Series, Series]]]:
    """The values of the baseline and of the cell, of each cell that the result judges."""
    return [
        (id_, _values(cell, baseline, metric, run.result_until))
        for id_, cell in run.cells.items()
        if cell.cell.is_duplicate == is_duplicate
        and (baseline := _baseline(cell, run.cells)) is not None
        and all(_is_judged(one, metric) for one in (cell, baseline))
        and cell.other_settings == baseline.other_settings
    ]


def _baseline(cell: ComparedCell, cells: ComparedCells) -> ComparedCell | None:
    return None if cell.cell.baseline_id is None else cells.get(cell.cell.baseline_id)


def _is_judged(cell: ComparedCell, metric: str) -> bool:
    is_known = METRICS[metric].applies(cell.cell.levels) and cell.missing is None
    return is_known and metric not in cell.not_judged


def _values(
    cell: ComparedCell, baseline: ComparedCell, metric: str, until: int | None
) -> tuple[Series, Series]:
    base, own = (
        {round_: v for round_, v in one.values(metric).items() if until is None or round_ <= until}
        for one in (baseline, cell)
    )
    return means_by_start(base, own, rounds_per_start(cell, baseline))
