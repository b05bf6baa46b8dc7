"""Made-up runs for the tests of the chart: a study's shape with figures of our choosing."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from backend.core.chart.cells.inputs import ChartInput, TrialCpu, TrialRow
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.definition.experiment import Experiment
from backend.core.definition.metrics import RATES as RATES_OF
from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.cells import Infeasible
from backend.core.plan.model import Cell, PlannedTrial

Change = Callable[[TrialRow, Cell], TrialRow]

RATES = {
    ("same_container", True): 17_500.0,
    ("sibling_container", True): 14_000.0,
    ("published_loopback", True): 10_800.0,
    ("same_container", False): 17_500.0,
    ("sibling_container", False): 16_500.0,
    ("published_loopback", False): 16_600.0,
}
SECONDS = 10.0
CORES = 4
STEAL = 0.05


def study_experiment(**changes: Any) -> Experiment:
    document: dict[str, Any] = {
        "name": "study",
        "title": "The study, made up",
        "study": "pachot-2019",
        "factors": {
            "path": ["same_container", "sibling_container", "published_loopback"],
            "userland_proxy": [True, False],
        },
        "seed": 7,
        "baseline": {"path": "same_container", "userland_proxy": True},
        "metrics": ["tps", "cpu_us_per_txn", "proxy_cpu_us_per_txn"],
    }
    return validate_document(document | changes)


def as_measured(row: TrialRow, _cell: Cell) -> TrialRow:
    return row


def made_up(
    experiment: Experiment | None = None,
    change: Change = as_measured,
    state: str = "done",
    noise: float = 0.01,
    infeasible: Infeasible = lambda _levels: None,
) -> ChartInput:
    """A finished run whose trials `change` may spoil one by one."""
    experiment = experiment or study_experiment()
    plan = build_plan(experiment, infeasible)
    cells = {cell.id: cell for cell in plan.cells}
    generator = random.Random(1)
    rows = [
        change(measured(trial, cells[trial.cell_id], generator, noise), cells[trial.cell_id])
        for trial in plan.trials
    ]
    return ChartInput(
        run_id="run_1",
        experiment_id="exp_1",
        state=state,
        experiment=experiment,
        plan=plan,
        trials=rows,
        environment={"kernel": "6.1"},
        cores=CORES,
        hops={cell.id: ("loopback",) for cell in plan.cells},
    )


def measured(trial: PlannedTrial, cell: Cell, generator: random.Random, noise: float) -> TrialRow:
    """One good trial with the rate of its path and some noise."""
    path, proxied = str(cell.levels["path"]), bool(cell.levels["userland_proxy"])
    rate = RATES.get((path, proxied), 12_000.0) * generator.lognormvariate(0, noise)
    proxy = 0.6 if path == "published_loopback" and proxied else 0.0
    cores = {"client": 0.7, "server": 1.0, "proxy": proxy, "kernel": 0.1, "other": 0.02}
    total = sum(cores.values()) + 0.01
    name = RATES_OF[str(cell.levels["tool"])]
    return TrialRow(
        trial_id=f"trl_{trial.seq:03}",
        cell_id=cell.id,
        round=trial.round,
        state="done",
        metrics={
            name: rate,
            "cpu_us_per_txn": 1e6 * total / rate,
            "proxy_cpu_us_per_txn": 1e6 * proxy / rate,
            "proxy_cpu_cores": proxy,
            "latency_avg_ms": 5e3 / rate,
        },
        transactions=round(rate * SECONDS),
        cpu=TrialCpu(
            {role: value * SECONDS for role, value in cores.items()},
            unattributed=0.01 * SECONDS,
            window_seconds=SECONDS,
            idle=(CORES - total - STEAL) * SECONDS,
            steal=STEAL * SECONDS,
        ),
        evidence="proven",
    )


def is_cell(cell: Cell, path: str, proxied: bool) -> bool:
    """Whether this is the cell of a path and a proxy setting; the A/A duplicate is not."""
    return (cell.levels["path"], cell.levels["userland_proxy"], cell.is_duplicate) == (path, proxied, False)


def failed(row: TrialRow, code: str = "timeout", detail: str = "pgbench took 20 s") -> TrialRow:
    """The same trial, failed."""
    return replace(
        row,
        state="failed",
        failure_code=code,
        failure_detail=detail,
        metrics=None,
        transactions=None,
        cpu=None,
        evidence=None,
    )


def cell_of(model: ChartModel, path: str, proxied: bool) -> ChartCell:
    """The result of that cell."""
    return next(
        c
        for c in model.cells
        if (c.levels["path"], c.levels["userland_proxy"], c.is_duplicate) == (path, proxied, False)
    )
