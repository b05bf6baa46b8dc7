"""Two cells of one run: compared as the run's own result compares them, by round or by server start."""

from __future__ import annotations

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.compare_runs.run_comparison import ComparedRun, RunComparisonQuery, compare_runs
from backend.core.chart.compare_runs.run_comparison_model import Basis, RunComparisonRow
from tests.core.chart.cells.test_servers import OWN, SHARED, restarting
from tests.core.chart.compare_runs.two_runs import made_up_run
from tests.core.chart.runs import cell_of


def row(data: ComparedRun, a: str, b: str, basis: Basis = "values") -> RunComparisonRow:
    (found,) = compare_runs(data, data, RunComparisonQuery(a_cell=a, b_cell=b, basis=basis)).tables[0].rows
    return found


@pytest.mark.parametrize(("levels", "n"), [(OWN, 8), (SHARED, 16)])
def test_a_cell_and_its_baseline_have_the_same_figures_as_in_the_result(
    levels: tuple[str, bool], n: int
) -> None:
    """Rounds of the same two starts are one value; a start that both cells share cancels."""
    data = restarting(2)
    cell = cell_of(build_chart(data), *levels)
    expected = cell.comparisons["tps"]
    found = row(made_up_run(data), expected.baseline_id, cell.id)
    assert (found.n, expected.n) == (n, n)
    assert (found.ratio, found.p, found.interval) == (
        expected.ratio,
        expected.p,
        expected.interval_unadjusted,
    )


@pytest.mark.parametrize(("levels", "n"), [(OWN, 8), (SHARED, 16)])
def test_ratios_over_one_baseline_count_the_same(levels: tuple[str, bool], n: int) -> None:
    """The common baseline cancels, so that only the two cells' own servers matter."""
    data = restarting(2)
    model = build_chart(data)
    first = next(
        c
        for c in model.cells
        if (c.levels["path"], c.levels["userland_proxy"]) == ("published_loopback", True)
    )
    second = cell_of(model, *levels)
    values, ratios = (row(made_up_run(data), first.id, second.id, basis) for basis in ("values", "ratios"))
    assert (values.n, ratios.n) == (n, n)
    assert ratios.ratio == pytest.approx(values.ratio, rel=0.02)
