"""Make-up rounds at the end of a run, in place of trials that the host disturbed (decision 0073).

A trial that stayed contaminated leaves the statistics with its pair, and a run that plans exactly the rounds
that its comparisons need could then decide nothing. Up to MOST_ROUNDS further rounds measure each cell that
lost a pair again, together with its baseline. What is lost decides, never a metric: only trials that readings
of the host alone called contaminated are made up, not those that failed or whose figures are impossible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from backend.core.definition.experiment import Experiment
from backend.core.plan.model import Cell, Estimate, MakeUp, PlannedTrial
from backend.core.plan.schedule import schedule_round

MOST_ROUNDS: Final = 2
"""A comparison keeps all of its planned pairs with up to so many lost ones."""
FEWEST_ROUNDS: Final = 6
"""A run of fewer rounds has no interval at 95 %, with or without make-up rounds."""
Trials = Collection[tuple[str, int]]
"""Trials by cell id and round."""


def plan_make_up(experiment: Experiment, estimate: Estimate) -> MakeUp | None:
    """The make-up rounds of a plan; None with interim analyses, which have further rounds of their own."""
    if experiment.stopping is not None or experiment.rounds < FEWEST_ROUNDS:
        return None
    seconds = round(MOST_ROUNDS * estimate.round_seconds, 1)
    return MakeUp(after_round=experiment.rounds, rounds=MOST_ROUNDS, seconds=seconds)


def make_up_trials(
    cells: Sequence[Cell], make_up: MakeUp, contaminated: Trials, seed: int, last_seq: int
) -> tuple[PlannedTrial, ...]:
    """The make-up trials of a run whose planned trials have ended; empty where no pair was lost.

    Each further round has the cells that lost at least so many pairs, and their baselines, in an order by the
    seed. Pure in its arguments.
    """
    lost = dict(_lost_pairs(cells, contaminated))
    found: list[PlannedTrial] = []
    for number in range(1, make_up.rounds + 1):
        again = [cell for cell in cells if lost.get(cell.id, 0) >= number]
        wanted = {id_ for cell in again for id_ in (cell.id, cell.baseline_id)}
        order = schedule_round(
            [cell.id for cell in cells if cell.id in wanted],
            seed,
            make_up.after_round + number,
            {cell.id: cell.baseline_id for cell in again if cell.is_duplicate and cell.baseline_id},
        )
        before = last_seq + len(found)
        found += [
            PlannedTrial(before + place, make_up.after_round + number, place, cell_id)
            for place, cell_id in enumerate(order, start=1)
        ]
    return tuple(found)


def _lost_pairs(cells: Sequence[Cell], contaminated: Trials) -> Iterator[tuple[str, int]]:
    """How many rounds each compared cell lost because it or its baseline was disturbed."""
    rounds: dict[str, set[int]] = {}
    for cell_id, round_ in contaminated:
        rounds.setdefault(cell_id, set()).add(round_)
    for cell in cells:
        if cell.infeasible is None and cell.baseline_id is not None:
            yield cell.id, len(rounds.get(cell.id, set()) | rounds.get(cell.baseline_id, set()))
