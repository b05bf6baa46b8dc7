"""Experiment to Plan: cells, blocks, estimate, and what is refused before anything starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from backend.core.definition.experiment import Experiment
from backend.core.errors import Invalid
from backend.core.plan.cells import Infeasible, count_cells, enumerate_cells, varied_factors
from backend.core.plan.model import Cell, Estimate, Plan
from backend.core.plan.power import max_comparisons, rounds_needed
from backend.core.plan.schedule import schedule

MAX_TRIALS: Final = 10_000
MAX_SECONDS: Final = 24 * 3600
TRIAL_OVERHEAD_S: Final = 0.3
"""Beside warm-up and window: start of the tool, counters, recording."""
DEPLOYMENT_S: Final = 2.0
"""One engine: look, make the database. The engines themselves stand before a run begins."""
SCALE_S: Final = 0.2
"""One unit of pgbench's scale (100,000 rows) to initialise."""


def build_plan(experiment: Experiment, infeasible: Infeasible) -> Plan:
    """The plan of an experiment on a host that cannot run what `infeasible` gives a reason for.

    Raises Invalid: too many trials, too long, nothing feasible, or a baseline that cannot run.
    """
    _refuse_matrix(count_cells(experiment), experiment.rounds)
    cells = enumerate_cells(experiment, infeasible)
    _refuse_baseline(cells)
    feasible = [cell for cell in cells if cell.infeasible is None]
    _refuse_matrix(len(feasible), experiment.rounds)
    estimate = _estimate(feasible, experiment.rounds)
    if estimate.seconds > MAX_SECONDS:
        hours = estimate.seconds / 3600
        detail = f"the plan would take about {hours:,.1f} hours, at most 24 are allowed; use fewer rounds"
        raise Invalid.at("/rounds", "plan_too_long", detail)
    return Plan(
        cells=cells,
        trials=schedule([cell.id for cell in feasible], experiment.seed, experiment.rounds),
        estimate=estimate,
        varied=varied_factors(experiment),
        warnings=tuple(_warnings(experiment, cells)),
    )


def _refuse_matrix(cells: int, rounds: int) -> None:
    if cells * rounds > MAX_TRIALS:
        trials = f"{cells:,} cells × {rounds:,} rounds make {cells * rounds:,} trials"
        detail = f"{trials}, at most {MAX_TRIALS:,} are allowed; use fewer levels or rounds"
        raise Invalid.at("/factors", "matrix_too_large", detail)


def _refuse_baseline(cells: Sequence[Cell]) -> None:
    """Refuse a plan without a feasible cell, or with cells whose baseline cannot run."""
    by_id = {cell.id: cell for cell in cells}
    if all(cell.infeasible is not None for cell in cells):
        detail = f"no cell can run here; the first: {cells[0].label}: {cells[0].infeasible}"
        raise Invalid.at("/factors", "nothing_feasible", detail)
    for cell in cells:
        baseline = by_id[cell.baseline_id or cell.id]
        if cell.infeasible is None and baseline.infeasible is not None:
            detail = f"the baseline {baseline.label} cannot run here: {baseline.infeasible}; name another one"
            raise Invalid.at("/baseline", "baseline_infeasible", detail)


def _estimate(cells: Sequence[Cell], rounds: int) -> Estimate:
    """Seconds: windows, warm-ups, a constant for each trial, and every server once."""
    window = float(sum(int(cell.levels["duration_s"]) for cell in cells) * rounds)
    warm_up = sum(int(cell.levels["warm_up_s"]) for cell in cells) * rounds
    servers = {(cell.levels["userland_proxy"], int(cell.levels["scale"])) for cell in cells}
    preparation = sum(DEPLOYMENT_S + SCALE_S * scale for _, scale in servers)
    trials = len(cells) * rounds
    seconds = window + warm_up + trials * TRIAL_OVERHEAD_S + preparation
    return Estimate(trials, round(seconds, 1), window, len(servers))


def _warnings(experiment: Experiment, cells: Sequence[Cell]) -> Iterator[str]:
    comparisons = sum(c.infeasible is None and not c.is_baseline and not c.is_duplicate for c in cells)
    missing = sum(c.infeasible is not None for c in cells)
    if missing:
        total = sum(not c.is_duplicate for c in cells)
        yield f"{missing} of {total} cells cannot run on this host and are left out."
    if comparisons == 0:
        yield "There is nothing to compare: the only cell that can run is the baseline."
    elif comparisons > max_comparisons(experiment.rounds):
        yield _too_few_rounds(experiment.rounds, comparisons)
    if 0 in experiment.factors.warm_up_s:
        yield "Without a warm-up the windows hold cold caches and the first connections."


def _too_few_rounds(rounds: int, comparisons: int) -> str:
    able = max_comparisons(rounds) or "none"
    return (
        f"Too few rounds: with {rounds} no result could be significant. The plan has {comparisons} "
        f"comparisons with the baseline, {rounds} rounds can decide {able}; "
        f"{rounds_needed(comparisons)} rounds are enough."
    )
