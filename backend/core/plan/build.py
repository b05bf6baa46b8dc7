"""Builds the plan of an experiment, and refuses what no host could run or what is too large."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from backend.core.definition.experiment import MAX_ROUNDS, Experiment
from backend.core.definition.metrics import METRICS
from backend.core.errors import Invalid, Problem
from backend.core.plan.cells import (
    MAX_PRODUCT,
    Infeasible,
    count_cells,
    count_included,
    enumerate_rows,
    judge_cells,
    varied_factors,
)
from backend.core.plan.estimate import (
    Deployment,
    ResourceNeeds,
    by_settings,
    estimate,
    no_resource_needs,
    rounds_in_budget,
    start_seconds,
    trial_seconds,
)
from backend.core.plan.extension import extended_cells
from backend.core.plan.interim import interim_rounds, last_round
from backend.core.plan.make_up import plan_make_up
from backend.core.plan.model import Cell, Estimate, Obstacle, Plan
from backend.core.plan.power import max_comparisons, rounds_needed
from backend.core.plan.profiled import MAX_PROFILES
from backend.core.plan.restarts import FRESH, Restarts, StartQuestion, StartSpread, choose_restarts
from backend.core.plan.schedule import EXAMPLE_SEED, schedule

MAX_TRIALS: Final = 10_000
MAX_SECONDS: Final = 24 * 3600


def build_plan(
    experiment: Experiment,
    infeasible: Infeasible,
    deployment: Deployment = by_settings,
    resource_needs: ResourceNeeds = no_resource_needs,
    spread: StartSpread | None = None,
    only: Collection[str] | None = None,
) -> Plan:
    """The plan of an experiment on a host; `infeasible` gives the reason for cells that cannot run there.

    `spread` is the spread between server starts measured on the host; it decides how often servers restart.
    `only` limits the plan to these cells, with their baselines and the A/A duplicates of these.

    Trials are planned for every round up to the last interim analysis; the order of a round does not depend
    on how many there are. Raises Invalid: too many trials, too long, nothing feasible, rules or a baseline
    that do not fit the cells, or a baseline that cannot run.
    """
    rounds = last_round(experiment)
    of_all = 1 if only is not None else rounds
    _refuse_products(experiment, of_all)
    rows = enumerate_rows(experiment)
    _refuse_matrix(len(rows), of_all)
    cells, obstacles = judge_cells(rows, infeasible, experiment.compare)
    if only is not None:
        cells = extended_cells(cells, only)
    _refuse_obstacles(cells, obstacles, experiment.question_pointer)
    feasible = [cell for cell in cells if cell.infeasible is None]
    _refuse_matrix(len(feasible), rounds, sum(cell.is_duplicate for cell in feasible))
    restarts = _restarts(experiment, feasible, deployment, spread)
    estimated = estimate(feasible, experiment, deployment, resource_needs, restarts.every)
    if estimated.seconds > MAX_SECONDS:
        _refuse_length(experiment, estimated)
    seed = EXAMPLE_SEED if experiment.seed is None else experiment.seed
    return Plan(
        cells=cells,
        trials=schedule(
            [cell.id for cell in feasible],
            seed,
            rounds,
            {cell.id: cell.baseline_id for cell in feasible if cell.is_duplicate and cell.baseline_id},
        ),
        estimate=estimated,
        varied=varied_factors(rows),
        warnings=tuple(_warnings(experiment, cells, estimated)),
        interim_rounds=interim_rounds(experiment),
        seed=seed,
        restart_every=restarts.every,
        restart_reason=restarts.reason,
        make_up=plan_make_up(experiment, estimated),
    )


def _restarts(
    experiment: Experiment, cells: Sequence[Cell], deployment: Deployment, spread: StartSpread | None
) -> Restarts:
    """How often the servers of these feasible cells restart, with the reason."""
    if all(cell.levels.get("fresh_server") for cell in cells):
        return FRESH
    families = [count_comparisons(cells, metric) for metric in experiment.metrics]
    duplicates = sum(cell.is_duplicate for cell in cells)
    question = StartQuestion(
        rounds=last_round(experiment),
        interim_rounds=interim_rounds(experiment),
        comparisons=max(*families, duplicates),
        start_seconds=start_seconds(cells, deployment),
        round_seconds=sum(trial_seconds(cell.levels) for cell in cells),
    )
    return choose_restarts(question, spread)


def _refuse_products(experiment: Experiment, rounds: int) -> None:
    """Refuse a product that is too large to enumerate, or too large without exclusions."""
    product, included = count_cells(experiment), count_included(experiment)
    if not experiment.exclude or product > MAX_PRODUCT:
        _refuse_matrix(product, rounds)
    if included > MAX_PRODUCT:
        detail = (
            f"the rules include {included:,} cells, at most {MAX_PRODUCT:,} are allowed; use fewer levels"
        )
        raise Invalid.at("/include", "matrix_too_large", detail)


def _refuse_matrix(cells: int, rounds: int, duplicates: int = 0) -> None:
    if cells * rounds > MAX_TRIALS:
        own = f" ({duplicates:,} of them A/A duplicates of baselines)" if duplicates else ""
        trials = f"{cells:,} cells{own} × {rounds:,} rounds make {cells * rounds:,} trials"
        fewer = f"{MAX_TRIALS // cells:,} rounds of these cells, or " if cells <= MAX_TRIALS else ""
        detail = (
            f"{trials}, at most {MAX_TRIALS:,} are allowed; use fewer levels or rounds: at most {fewer}"
            f"{MAX_TRIALS // rounds:,} cells in {rounds:,} rounds, A/A duplicates counted"
        )
        raise Invalid.at("/factors", "matrix_too_large", detail)


def _refuse_length(experiment: Experiment, estimated: Estimate) -> None:
    """Refuse a plan of more than MAX_SECONDS, at the field that sets its last round."""
    stopping = experiment.stopping
    if (
        stopping is None
        or estimated.preparation_seconds + experiment.rounds * estimated.round_seconds > MAX_SECONDS
    ):
        field, remedy = "/rounds", "use fewer rounds"
    else:
        field, remedy = "/stopping/at_most", "set a lower at_most, or a budget_minutes"
    detail = (
        f"the plan would take about {estimated.seconds / 3600:,.1f} hours, at most 24 are allowed; {remedy}"
    )
    raise Invalid.at(field, "plan_too_long", detail)


def _refuse_obstacles(cells: Sequence[Cell], obstacles: Mapping[str, Obstacle], question: str) -> None:
    """Refuse a plan without a feasible cell, or with cells whose baseline, at `question`, cannot run."""
    if all(cell.infeasible is not None for cell in cells):
        distinct = dict.fromkeys(obstacles.values())
        raise Invalid(tuple(Problem(f"/factors/{o.factor}", o.code, o.detail) for o in distinct))
    by_id = {cell.id: cell for cell in cells}
    for cell in cells:
        baseline = by_id[cell.baseline_id or cell.id]
        if cell.infeasible is None and baseline.infeasible is not None:
            detail = f"the baseline {baseline.label} cannot run here: {baseline.infeasible}; name another one"
            raise Invalid.at(question, "baseline_infeasible", detail)


def _warnings(experiment: Experiment, cells: Sequence[Cell], estimated: Estimate) -> Iterator[str]:
    comparisons = count_comparisons(cells)
    missing = sum(c.infeasible is not None for c in cells)
    if missing:
        total = sum(not c.is_duplicate for c in cells)
        yield f"{missing} of {total} cells cannot run on this host and are left out."
    planned = interim_rounds(experiment)
    families = {metric: n for metric in experiment.metrics if (n := count_comparisons(cells, metric))}
    able = max_comparisons(last_round(experiment), len(planned) or 1)
    too_large = {metric: n for metric, n in families.items() if n > able}
    if comparisons == 0:
        yield "There is nothing to compare: the only cells that can run are baselines."
    elif too_large:
        yield _too_few_rounds(experiment, too_large, len(planned), all_=len(too_large) == len(families))
    elif planned and families and min(families.values()) > max_comparisons(planned[0], len(planned)):
        yield _early_analysis(planned, min(families.values()))
    yield from _budget(experiment, estimated)
    profiled = sum(c.infeasible is None and not c.is_duplicate for c in cells)
    if experiment.profile and profiled > MAX_PROFILES:
        yield f"CPU profiles are taken of {MAX_PROFILES} of {profiled} cells, the baselines first."
    if any(c.levels["warm_up_s"] == 0 for c in cells):
        yield "Without a warm-up the windows include cold caches and the first connections."


def count_comparisons(cells: Sequence[Cell], metric: str | None = None) -> int:
    """The number of feasible cells that are compared with a baseline, without A/A duplicates.

    With a metric: only those in which it applies to the cell and its baseline, the family of its p-values.
    """
    reporting = {c.id for c in cells if metric is None or METRICS[metric].applies(c.levels)}
    return sum(
        c.infeasible is None
        and not c.is_baseline
        and not c.is_duplicate
        and c.id in reporting
        and c.baseline_id in reporting
        for c in cells
    )


def _too_few_rounds(experiment: Experiment, too_large: Mapping[str, int], analyses: int, all_: bool) -> str:
    """`too_large` are the sizes of the families that the rounds cannot decide, by metric; `all_`: no
    others."""
    rounds, comparisons = last_round(experiment), max(too_large.values())
    able = max_comparisons(rounds, analyses or 1)
    analysed = f" and {analyses} interim analyses" if analyses else ""
    where = "" if all_ else f" in {' or '.join(METRICS[metric].label for metric in too_large)}"
    enough = _rounds_enough(experiment, comparisons)
    remedy = f"{enough} rounds are enough" if enough else "use fewer cells, or fewer interim analyses"
    effect = (
        f"it is not certain that any result{where} could be significant"
        if able
        else f"no result{where} could be significant"
    )
    return (
        f"Too few rounds: with {rounds} rounds{analysed} {effect}. The plan has {comparisons} comparisons "
        f"with the baseline, and {rounds} rounds are certain to be able to decide {able or 'none'}; "
        f"{remedy}."
    )


def _rounds_enough(experiment: Experiment, comparisons: int) -> int | None:
    """The fewest rounds that decide so many comparisons, with the interim analyses they then have."""
    stopping = experiment.stopping
    if stopping is None:
        return rounds_needed(comparisons)
    for at_most in range(last_round(experiment) + 1, MAX_ROUNDS + 1):
        longer = experiment.model_copy(update={"stopping": stopping.model_copy(update={"at_most": at_most})})
        if comparisons <= max_comparisons(at_most, len(interim_rounds(longer))):
            return at_most
    return None


def _early_analysis(planned: Sequence[int], comparisons: int) -> str:
    """A first interim analysis that cannot decide anything, and takes its share of the significance level."""
    needed = rounds_needed(comparisons, len(planned))
    return (
        f"The first interim analysis, after {planned[0]} rounds, is too early to find a significant "
        f"difference among {comparisons} comparisons, and makes the {len(planned) - 1} others stricter; set "
        f"rounds to {needed} or more."
    )


def _budget(experiment: Experiment, estimated: Estimate) -> Iterator[str]:
    """Warns where the budget ends the run before its last interim analysis."""
    stopping = experiment.stopping
    if stopping is None or stopping.budget_minutes is None:
        return
    minutes = f"{stopping.budget_minutes} minute{'s' if stopping.budget_minutes > 1 else ''}"
    held = rounds_in_budget(experiment, estimated.preparation_seconds, estimated.round_seconds)
    first = estimated.preparation_seconds + experiment.rounds * estimated.round_seconds
    if first > 60 * stopping.budget_minutes:
        rounds = f"{experiment.rounds} round{'s' if experiment.rounds > 1 else ''}"
        yield (
            f"The first interim analysis, after {rounds}, comes after about {first / 60:,.1f} minutes, "
            f"later than the budget of {minutes}: no further round begins after it."
        )
    elif held < stopping.at_most:
        yield (
            f"The budget of {minutes} fits about {held} of {stopping.at_most} rounds if no cell is decided "
            "early; cells decided early leave more rounds to the others."
        )
