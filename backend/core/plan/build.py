"""Experiment to Plan: cells, blocks, estimate, and what is refused before anything starts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final

from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import FACTORS, Level
from backend.core.errors import Invalid, Problem
from backend.core.plan.cells import (
    MAX_PRODUCT,
    Infeasible,
    count_cells,
    enumerate_rows,
    judge_cells,
    varied_factors,
)
from backend.core.plan.model import Cell, Estimate, Obstacle, Plan
from backend.core.plan.power import max_comparisons, rounds_needed
from backend.core.plan.schedule import schedule

Deployment = Callable[[Mapping[str, Level]], Hashable]
"""Which server a cell needs: equal values share one."""

MAX_TRIALS: Final = 10_000
MAX_SECONDS: Final = 24 * 3600
TRIAL_OVERHEAD_S: Final = 0.3
"""Beside warm-up and window: start of the tool, counters, recording."""
DEPLOYMENT_S: Final = 2.0
"""One server: start it and wait for its first reply. The engines themselves stand before a run begins."""
SCALE_S: Final = 0.2
"""One unit of pgbench's scale (100,000 rows) to initialise."""
FRESH_S: Final = 2.0
"""To drop the caches and start the server again before a trial."""


def by_settings(levels: Mapping[str, Level]) -> Hashable:
    """A server by everything but the path, for callers that know no topology."""
    own = ("engine", "userland_proxy", "proxy_program")
    return tuple(
        (name, level)
        for name, level in levels.items()
        if name in own or FACTORS[name].scope in ("service", "limits")
    )


def build_plan(experiment: Experiment, infeasible: Infeasible, deployment: Deployment = by_settings) -> Plan:
    """The plan of an experiment on a host that cannot run what `infeasible` gives a reason for.

    Raises Invalid: too many trials, too long, nothing feasible, rules or a baseline that do not fit the
    cells, or a baseline that cannot run.
    """
    product = count_cells(experiment)
    if not experiment.exclude or product > MAX_PRODUCT:
        _refuse_matrix(product, experiment.rounds)
    rows = enumerate_rows(experiment)
    _refuse_matrix(len(rows), experiment.rounds)
    cells, obstacles = judge_cells(rows, infeasible)
    _refuse_obstacles(cells, obstacles)
    feasible = [cell for cell in cells if cell.infeasible is None]
    _refuse_matrix(len(feasible), experiment.rounds)
    estimate = _estimate(feasible, experiment.rounds, deployment)
    if estimate.seconds > MAX_SECONDS:
        hours = estimate.seconds / 3600
        detail = f"the plan would take about {hours:,.1f} hours, at most 24 are allowed; use fewer rounds"
        raise Invalid.at("/rounds", "plan_too_long", detail)
    return Plan(
        cells=cells,
        trials=schedule([cell.id for cell in feasible], experiment.seed, experiment.rounds),
        estimate=estimate,
        varied=varied_factors(rows),
        warnings=tuple(_warnings(experiment, cells)),
    )


def _refuse_matrix(cells: int, rounds: int) -> None:
    if cells * rounds > MAX_TRIALS:
        trials = f"{cells:,} cells × {rounds:,} rounds make {cells * rounds:,} trials"
        detail = f"{trials}, at most {MAX_TRIALS:,} are allowed; use fewer levels or rounds"
        raise Invalid.at("/factors", "matrix_too_large", detail)


def _refuse_obstacles(cells: Sequence[Cell], obstacles: Mapping[str, Obstacle]) -> None:
    """Refuse a plan without a feasible cell, or with cells whose baseline cannot run."""
    if all(cell.infeasible is not None for cell in cells):
        distinct = dict.fromkeys(obstacles.values())
        raise Invalid(tuple(Problem(f"/factors/{o.factor}", o.code, o.detail) for o in distinct))
    by_id = {cell.id: cell for cell in cells}
    for cell in cells:
        baseline = by_id[cell.baseline_id or cell.id]
        if cell.infeasible is None and baseline.infeasible is not None:
            detail = f"the baseline {baseline.label} cannot run here: {baseline.infeasible}; name another one"
            raise Invalid.at("/baseline", "baseline_infeasible", detail)


def _estimate(cells: Sequence[Cell], rounds: int, deployment: Deployment) -> Estimate:
    """Seconds: windows, warm-ups, a constant for each trial, and every server and database once."""
    window = float(sum(int(cell.levels["duration_s"]) for cell in cells) * rounds)
    warm_up = sum(int(cell.levels["warm_up_s"]) for cell in cells) * rounds
    fresh = sum(FRESH_S for cell in cells if cell.levels.get("fresh_server")) * rounds
    servers = {deployment(cell.levels) for cell in cells}
    databases = {(deployment(cell.levels), int(cell.levels.get("scale", 0))) for cell in cells}
    preparation = DEPLOYMENT_S * len(servers) + SCALE_S * sum(scale for _, scale in databases)
    trials = len(cells) * rounds
    seconds = window + warm_up + fresh + trials * TRIAL_OVERHEAD_S + preparation
    return Estimate(trials, round(seconds, 1), window, len(servers))


def _warnings(experiment: Experiment, cells: Sequence[Cell]) -> Iterator[str]:
    comparisons = sum(c.infeasible is None and not c.is_baseline and not c.is_duplicate for c in cells)
    missing = sum(c.infeasible is not None for c in cells)
    if missing:
        total = sum(not c.is_duplicate for c in cells)
        yield f"{missing} of {total} cells cannot run on this host and are left out."
    if comparisons == 0:
        yield "There is nothing to compare: the only cells that can run are baselines."
    elif comparisons > max_comparisons(experiment.rounds):
        yield _too_few_rounds(experiment.rounds, comparisons)
    if 0 in experiment.factors.levels("warm_up_s"):
        yield "Without a warm-up the windows hold cold caches and the first connections."


def _too_few_rounds(rounds: int, comparisons: int) -> str:
    able = max_comparisons(rounds) or "none"
    return (
        f"Too few rounds: with {rounds} no result could be significant. The plan has {comparisons} "
        f"comparisons with the baseline, {rounds} rounds can decide {able}; "
        f"{rounds_needed(comparisons)} rounds are enough."
    )
