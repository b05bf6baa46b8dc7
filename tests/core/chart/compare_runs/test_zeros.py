"""Two runs, several runs, and cells of one run, by a metric that is zero on one side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.plan.model import Cell
from tests.core.chart.compare_runs.test_run_comparison import row_of
from tests.core.chart.compare_runs.two_runs import one
from tests.core.chart.runs import Change

LABEL = "Published port on 127.0.0.1, userland-proxy on"
QUERY = RunComparisonQuery(metric="proxy_cpu_cores")


def proxy_takes(cores: float) -> Change:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        assert row.metrics is not None
        is_published = cell.levels["path"] == "published_loopback"
        noise = 0.001 * (row.round % 5 - 2) if cores else 0.0
        taken = cores + noise if is_published else 0.0
        return replace(row, metrics={**row.metrics, "proxy_cpu_cores": taken})

    return change


A, B, C, D = (
    one(f"run_{name}", change=proxy_takes(cores), noise_seed=seed)
    for seed, (name, cores) in enumerate((("a", 0.0), ("b", 0.5), ("c", 0.0), ("d", 0.0)))
)


@pytest.mark.parametrize("basis", ["values", "ratios"])
def test_two_runs_are_compared_by_the_difference_from_zero(basis: str) -> None:
    found = row_of(compare_runs(A, B, replace(QUERY, basis=basis), others=(C, D)), LABEL, "proxy_cpu_cores")
    assert (found.verdict, found.ratio) == ("worse", None)
    assert found.difference is not None
    assert found.difference.value == pytest.approx(0.5, abs=0.01)
    assert found.p is not None and found.p < 0.001
    assert "Mann-Whitney" in found.method and "difference" in found.method


def test_without_other_runs_the_difference_is_not_judged() -> None:
    found = row_of(compare_runs(A, B, QUERY), LABEL, "proxy_cpu_cores")
    assert (found.verdict, found.p_adjusted) == ("no_difference_shown", None)
    assert "cores" in found.sentence


def test_zero_in_both_runs_is_equivalent() -> None:
    found = row_of(compare_runs(A, C, QUERY, others=(C, D)), LABEL, "proxy_cpu_cores")
    assert found.verdict == "equivalent"


def test_a_metric_that_a_trial_lacks_is_not_compared_by_the_others() -> None:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        lacks = cell.levels["path"] == "published_loopback" and row.round == 3
        assert row.metrics is not None
        return replace(row, metrics={k: v for k, v in row.metrics.items() if not lacks or k != "tps"})

    found = row_of(compare_runs(one("run_a"), one("run_b", change=change, noise_seed=1)), LABEL)
    assert (found.verdict, found.n) == ("undefined", 0)
    assert "B: not judged: 1 of 10 trials have no value of it" in found.sentence
