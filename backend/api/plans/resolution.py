"""The resolution of a plan, and what fits into a time budget."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from backend.api.plans.schemas import BudgetPlan, Resolution, RoundsFor
from backend.core.definition.experiment import Experiment
from backend.core.definition.metrics import METRICS
from backend.core.plan.build import count_comparisons
from backend.core.plan.estimate import rounds_in_budget
from backend.core.plan.model import Plan
from backend.core.plan.restarts import blocks
from backend.core.statistics.budget import fit_budget
from backend.core.statistics.power import rounds_for_effect, smallest_effect, spread_of_pairs, upper_spread
from backend.store.repositories.aa_pairs import AaPairs

ASSUMED_SPREAD: Final = 0.05
EFFECTS: Final = (0.02, 0.05, 0.10)
FEWEST_PAIRS: Final = 6
"""Fewer pairs give no usable standard deviation."""


def loads(plan: Plan, metric: str) -> tuple[tuple[str, str], ...]:
    """The (tool, service) pairs under which the plan's cells yield a metric."""
    cells = (cell for cell in plan.cells if METRICS[metric].applies(cell.levels))
    found = ((str(cell.levels["tool"]), str(cell.levels["service"])) for cell in cells)
    return tuple(dict.fromkeys(found))


def resolution(
    experiment: Experiment, plan: Plan, pairs: AaPairs | None, effect: float | None = None
) -> Resolution:
    """The smallest difference that the plan detects with 80 % power, from a host's A/A pairs (None: no host).

    `rounds_for` has the requested `effect` beside 2, 5 and 10 %. The spread is the upper 80 % confidence
    bound of the pairs' spread, or assumed if there are too few; `source` says which. With interim analyses
    and a budget, the rounds are those that fit the budget for all cells.
    """
    enough = pairs.values if pairs and len(pairs.values) >= FEWEST_PAIRS else ()
    measured, bound = spread_of_pairs(enough), upper_spread(enough)
    spread = ASSUMED_SPREAD if bound is None else bound
    comparisons = count_comparisons(plan.cells, experiment.metrics[0])
    family, analyses = max(1, comparisons), max(1, len(plan.interim_rounds))
    rounds = rounds_in_budget(experiment, plan.estimate.preparation_seconds, plan.estimate.round_seconds)
    starts = blocks(rounds, plan.restart_every or 1)  # n of a comparison across servers
    return Resolution(
        metric=experiment.metrics[0],
        spread=spread,
        spread_estimate=measured,
        pairs=0 if pairs is None else len(pairs.values),
        source=_source(plan, experiment.metrics[0], pairs, measured),
        comparisons=comparisons,
        smallest_effect=smallest_effect(starts, spread, family, analyses) if comparisons else None,
        rounds_for=tuple(
            RoundsFor(effect=each, rounds=rounds_for_effect(each, spread, family, analyses))
            for each in sorted({*EFFECTS, *([] if effect is None else [effect])})
        ),
    )


def _source(plan: Plan, metric: str, pairs: AaPairs | None, measured: float | None) -> str:
    if pairs is None:
        return "assumed: no host is named"
    if not pairs.values:
        return "assumed: no A/A pair has been measured on this host"
    count = f"{len(pairs.values)} A/A pair{'' if len(pairs.values) == 1 else 's'}"
    if measured is None:
        return f"assumed: only {count} measured on this host, {FEWEST_PAIRS} are needed"
    under = " or ".join(f"{tool} on {service}" for tool, service in loads(plan, metric))
    return (
        f"{count} of {pairs.runs} run{'' if pairs.runs == 1 else 's'} on this host, {under}; "
        f"their spread is {100 * measured:.2g} %, planned is with its upper 80 % confidence bound"
    )


def budget_plan(plan: Plan, minutes: int, spread: float, metric: str) -> BudgetPlan:
    """The rounds that fit into a time budget, for the comparisons in this metric."""
    return BudgetPlan.model_validate(asdict(fit_budget(plan, minutes, spread, metric)))
