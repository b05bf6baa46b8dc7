"""How often each statement of a result is wrong, on hosts of many kinds.

Whole runs are simulated: planned by the product, filled with values whose truth is known, and judged by the
product's own `build_chart`. A statement of `scripts.benchmark.promises` may be wrong in at most 5 % of runs.
`scripts.benchmark.coverage` holds the single functions to what they promise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.definition.experiment import Experiment
from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.model import Plan
from backend.core.plan.states import TrialState
from backend.core.topology.paths import hops_of
from scripts.benchmark.noise_models import MODELS, Model, Order, Values
from scripts.benchmark.promises import PROMISES, Promise, document, equal, false_difference

SEED: Final = 20261122
RUNS: Final = 500
LIMIT: Final = 0.05
WATCHED: Final = range(6, 16)
"""After each of these rounds a user reads a run of thirty, and cancels it where a difference is shown."""
RATE: Final = 1000.0
COST: Final = 50.0


@dataclass(frozen=True)
class Row:
    """One promise on one kind of host: the share of simulated runs that break it."""

    promise: str
    host: str
    broken: float
    runs: int

    @property
    def error(self) -> float:
        """Standard error of the simulation."""
        return math.sqrt(max(self.broken * (1 - self.broken), 1 / self.runs) / self.runs)


def rows(runs: int = RUNS, seed: int = SEED) -> Iterator[Row]:
    """Every statement on every kind of host, then the run that a user watches and cancels."""
    for promise in PROMISES:
        for host, model in MODELS.items():
            yield row(promise, host, model, runs, seed)
    for host, model in MODELS.items():
        yield watched(host, model, max(1, runs // 5), seed)


def row(promise: Promise, host: str, model: Model, runs: int, seed: int) -> Row:
    """One promise on one kind of host."""
    generator = np.random.default_rng([seed, *host.encode()])
    experiment, plan = _planned(promise)
    broken = 0
    for _ in range(runs):
        data, truth = _run(experiment, plan, promise, model, generator)
        broken += promise.broken(build_chart(data, complete=True), truth)
    return Row(promise.name, host, broken / runs, runs)


def watched(host: str, model: Model, runs: int, seed: int) -> Row:
    """Thirty fixed rounds of equal cells, cancelled once a difference is shown: how often that is final."""
    promise = Promise("", document(6, rounds=30), equal, false_difference)
    generator = np.random.default_rng([seed, *host.encode()])
    experiment, plan = _planned(promise)
    broken = 0
    for _ in range(runs):
        data, truth = _run(experiment, plan, promise, model, generator)
        for seen in WATCHED:
            if false_difference(build_chart(_until(data, seen, "running"), complete=True), truth):
                broken += false_difference(build_chart(_until(data, seen, "cancelled"), complete=True), truth)
                break
    name = "a run that was watched and cancelled shows a difference where there is none"
    return Row(name, host, broken / runs, runs)


def _until(data: ChartInput, rounds: int, state: str) -> ChartInput:
    """The same run after so many rounds: the others wait, or were cancelled."""
    rest: TrialState = "queued" if state == "running" else "cancelled"
    trials = [
        row if row.round <= rounds else TrialRow(row.trial_id, row.cell_id, row.round, rest)
        for row in data.trials
    ]
    return replace(data, trials=trials, state=state)


def _planned(promise: Promise) -> tuple[Experiment, Plan]:
    experiment = validate_document(dict(promise.document))
    return experiment, build_plan(experiment, lambda _levels: None)


def _order(plan: Plan, index: Mapping[str, int], rounds: int) -> Order:
    order = np.zeros((len(index), rounds), dtype=np.int64)
    for trial in plan.trials:
        order[index[trial.cell_id], trial.round - 1] = trial.seq - 1
    return order


def _run(
    experiment: Experiment, plan: Plan, promise: Promise, model: Model, generator: np.random.Generator
) -> tuple[ChartInput, dict[str, float]]:
    """One simulated run with its true ratios by cell id; CPU per transaction is drawn like the rate."""
    index = {cell.id: place for place, cell in enumerate(plan.cells)}
    compared = [c.id for c in plan.cells if not c.is_baseline and not c.is_duplicate]
    ratios = dict.fromkeys(index, 1.0) | dict(zip(compared, promise.truth(len(compared)), strict=True))
    order = _order(plan, index, experiment.rounds)
    rate, cost = (np.exp(promise.noise * model(generator, order)) for _ in range(2))
    trials = [
        TrialRow(
            trial_id=f"t{trial.seq}",
            cell_id=trial.cell_id,
            round=trial.round,
            state="done",
            metrics=_metrics(ratios[trial.cell_id], rate, cost, index[trial.cell_id], trial.round - 1),
            evidence="proven",
        )
        for trial in plan.trials
    ]
    hops = {cell.id: hops_of(cell.levels) for cell in plan.cells}
    data = ChartInput("run_1", "exp_1", "done", experiment, plan, trials, hops=hops)
    return data, ratios


def _metrics(ratio: float, rate: Values, cost: Values, cell: int, round_: int) -> dict[str, float]:
    return {
        "tps": RATE * ratio * float(rate[cell, round_]),
        "cpu_us_per_txn": COST * float(cost[cell, round_]),
    }


def markdown(table: Sequence[Row]) -> str:
    """One line a promise, one column a kind of host, in per cent of the runs."""
    hosts = list(dict.fromkeys(one.host for one in table))
    found = {(one.promise, one.host): one for one in table}
    lines = [
        f"| what a reader would take wrongly, % of runs (at most {LIMIT:.0%}) | {' | '.join(hosts)} |",
        f"| --- |{' ---: |' * len(hosts)}",
    ]
    for promise in dict.fromkeys(one.promise for one in table):
        cells = (f"{100 * found[promise, host].broken:.1f}" for host in hosts)
        lines.append(f"| {promise} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown(list(rows())))
