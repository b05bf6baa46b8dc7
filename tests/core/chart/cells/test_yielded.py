"""Which cells can yield a metric, and that the others have no comparison of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.pairing import deciding_metrics
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery, compare_runs
from backend.core.chart.interim.interim_analysis import replay_interim_analyses
from backend.core.chart.interim.skipping import trials_to_skip
from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import Level
from backend.core.definition.metrics import METRICS
from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.model import Cell
from tests.core.chart.compare_runs.two_runs import made_up_run
from tests.core.chart.runs import made_up

OPEN = "open_latency_p99_ms"


@pytest.mark.parametrize(
    ("metric", "levels", "found"),
    [
        ("tps", {"tool": "pgbench"}, True),
        ("tps", {"tool": "wrk"}, False),
        ("cpu_us_per_txn", {}, True),
        (OPEN, {"tool": "pgbench", "rate": 100}, True),
        (OPEN, {"tool": "pgbench", "rate": 0}, False),
        (OPEN, {"tool": "pgbench"}, False),
        ("latency_avg_ms", {"tool": "pgbench", "rate": 0}, True),
        ("latency_avg_ms", {"tool": "pgbench", "rate": 100}, False),
        ("latency_avg_ms", {"tool": "ab"}, True),
    ],
)
def test_tool_and_offered_rate_decide_which_metrics_apply_to_a_cell(
    metric: str, levels: dict[str, Level], found: bool
) -> None:
    assert METRICS[metric].applies(levels) is found


def experiment_of(**changes: object) -> Experiment:
    return validate_document(
        {
            "name": "open",
            "title": "Open and closed",
            "factors": {"path": ["same_container", "published_loopback"], "rate": [0, 1000]},
            "baseline": {"path": "same_container"},
            "metrics": [OPEN, "tps"],
            **changes,
        }
    )


def run(change_duplicate: float = 1.0, **changes: object) -> ChartInput:
    """Cells with a rate have open latency, cells without have none, as pgbench measures them."""

    def measured(row: TrialRow, cell: Cell) -> TrialRow:
        rate = (row.metrics or {})["tps"] * (change_duplicate if cell.is_duplicate else 1.0)
        if not cell.levels["rate"]:
            return replace(row, metrics={"tps": rate})
        return replace(row, metrics={"tps": 1000.0, OPEN: 5.0 + 0.01 * row.round})

    return made_up(experiment_of(**changes), measured)


def test_the_first_metric_that_a_cell_and_its_baseline_yield_decides_it() -> None:
    def judges(**baseline: object) -> dict[int, str]:
        data = run(baseline={"path": "same_container", **baseline})
        cells = by_cell(data)
        found = deciding_metrics(cells, data.experiment.metrics)
        return {
            int(cells[id_].cell.levels["rate"]): metric
            for id_, metric in found.items()
            if not cells[id_].cell.is_duplicate
        }

    assert judges() == {0: "tps", 1000: OPEN}
    assert judges(rate=0) == {0: "tps", 1000: "tps"}, "the baseline has no open latency"


def cell_id(data: ChartInput, path: str, rate: int) -> str:
    return next(c.id for c in data.plan.cells if (c.levels["path"], c.levels["rate"]) == (path, rate))


def test_interim_analyses_decide_a_cell_without_a_rate_by_what_it_yields() -> None:
    """10 of 18 rounds are done: the cell as fast as it goes is slower in tps, and is decided by it."""
    experiment = experiment_of(rounds=10, stopping={"every": 4, "at_most": 18})
    plan = build_plan(experiment, lambda _levels: None)
    levels = {cell.id: cell.levels for cell in plan.cells}
    rows = []
    for trial in plan.trials:
        own = levels[trial.cell_id]
        slow = own["path"] == "published_loopback"
        closed = {"tps": (6e3 if slow else 1e4) + trial.round}
        opened = {"tps": 1000.0, OPEN: (5.0 if trial.round % 2 else 7.0) if slow else 6.0}
        done = trial.round <= 10
        rows.append(
            TrialRow(
                f"t{trial.seq}",
                trial.cell_id,
                trial.round,
                "done" if done else "queued",
                metrics=(opened if own["rate"] else closed) if done else None,
                evidence="proven" if done else None,
            )
        )
    data = ChartInput("run_1", "exp_1", "running", experiment, plan, rows)
    found = replay_interim_analyses(data, by_cell(data))
    fast, offered = (cell_id(data, "published_loopback", rate) for rate in (0, 1000))
    assert found.taken == (10,)
    assert found.decided == {fast: 10} and found.open == {offered}
    assert fast not in found.ratios[OPEN]
    assert (fast, 11) in trials_to_skip(data) and (offered, 11) not in trials_to_skip(data)


def test_the_duplicate_of_a_baseline_without_a_rate_can_be_suspect() -> None:
    checks = {check.cell_id: check for check in build_chart(run(change_duplicate=1.5)).duplicates}
    assert [(check.metric, check.suspect) for check in checks.values()] == [("tps", True), (OPEN, False)]


def test_a_threshold_of_open_latency_concerns_cells_with_a_rate_alone() -> None:
    gate = build_chart(run(thresholds=[f"{OPEN} <= 20"])).gate
    assert gate is not None and gate.outcome == "pass"
    assert gate.rules[0].sentence == "2 cells: 2 pass. Intervals hold 95 % over all 2 tested figures."


def test_two_runs_have_rows_of_the_cells_that_yield_the_metric() -> None:
    a, b = (made_up_run(replace(run(), run_id=run_id)) for run_id in ("run_a", "run_b"))
    tables = {table.metric: table for table in compare_runs(a, b, RunComparisonQuery()).tables}
    assert [row.levels["rate"] for row in tables[OPEN].rows] == [1000, 1000]
    assert len(tables["tps"].rows) == 4
