"""The figures of a run: equal after JSON, and the same figures of each side as of the result's pairing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.cells.comparisons import compare_all
from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.compare_runs.compared_cells import figures_of, from_json, to_json
from backend.core.chart.compare_runs.run_comparison import ComparedRun, RunComparisonQuery, compare_runs
from backend.core.plan.model import Cell
from tests.core.chart.compare_runs.two_runs import MadeUpRun, made_up_run, one
from tests.core.chart.runs import failed


def spoilt(row: TrialRow, cell: Cell) -> TrialRow:
    """A failed cell, an excluded round, a disturbed one."""
    if cell.id == "c2":
        return failed(row)
    if row.round == 2:
        return replace(row, metrics=None, excluded="a cable was loose")
    return replace(row, contaminated=("a backup",)) if row.round == 3 else row


PLAIN = one()
OTHER = one("run_b", change=spoilt, scale=0.9)
RESTARTED = made_up_run(replace(OTHER.data, plan=replace(OTHER.data.plan, restart_every=2)))
IMPORTED = made_up_run(replace(OTHER.data, origin="imported", environment={}))
CANCELLED = made_up_run(replace(OTHER.data, state="cancelled"))
ANALYSED = made_up_run(replace(OTHER.data, plan=replace(OTHER.data.plan, interim_rounds=(4, 7))))


@pytest.mark.parametrize("other", [OTHER, RESTARTED, IMPORTED, CANCELLED, ANALYSED])
@pytest.mark.parametrize("basis", ["values", "ratios"])
def test_a_comparison_is_the_same_from_json(other: MadeUpRun, basis: str) -> None:
    query = RunComparisonQuery(basis="values" if basis == "values" else "ratios", override=True)
    stored = [ComparedRun(from_json(to_json(figures_of(run.data))), "h", None) for run in (PLAIN, other)]
    direct = [ComparedRun(run.figures, "h", None) for run in (PLAIN, other)]
    assert compare_runs(*stored, query).model_dump_json() == compare_runs(*direct, query).model_dump_json()


@pytest.mark.parametrize("run", [PLAIN, OTHER, RESTARTED, ANALYSED])
def test_the_ratio_of_each_side_is_that_of_the_result(run: MadeUpRun) -> None:
    cells = by_cell(run.data)
    model = compare_runs(replace(PLAIN, figures=replace(PLAIN.figures, run_id="run_z")), run)
    sides = [row.b for row in model.tables[0].rows if row.b is not None and row.b.ratio is not None]
    assert sides
    of_result = compare_all(cells, "tps", 0.05, run.figures.analyses)
    for side in sides:
        found = of_result[side.cell_id]
        assert side.ratio == pytest.approx(found.ratio, rel=1e-5)
        assert (side.ratio_interval is None) == (found.interval is None)
        if found.interval is not None and side.ratio_interval is not None:
            bounds = side.ratio_interval.low, side.ratio_interval.high
            assert bounds == pytest.approx((found.interval.low, found.interval.high), rel=1e-5)
