"""What fits into a given time: rounds of all cells, or interim analyses after which undecided cells go on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from backend.core.definition.experiment import MAX_MINUTES, MAX_ROUNDS, Stopping
from backend.core.plan.build import MAX_TRIALS, count_comparisons
from backend.core.plan.estimate import rounds_within
from backend.core.plan.model import Plan
from backend.core.plan.power import rounds_needed
from backend.core.statistics.power import smallest_effect

FEWEST_ROUNDS: Final = 6
"""With fewer rounds there is no 95 % interval (statistics.median, statistics.signed_rank)."""
MOST_ANALYSES: Final = 5
EVERY: Final = 4
MOST_EVERY: Final = 100


@dataclass(frozen=True)
class BudgetFit:
    """The rounds that fit a budget, and what they can show.

    `rounds` are those of all cells, in `seconds`; they show `smallest_effect` with 80 % power. `stopping`,
    with its first interim analysis after `first_interim_analysis`, gives the same time to undecided cells;
    None where that is no better.
    """

    minutes: int
    fits: bool
    rounds: int
    seconds: float
    smallest_effect: float | None
    stopping: Stopping | None
    first_interim_analysis: int | None
    sentence: str


@dataclass(frozen=True)
class BudgetQuery:
    """A plan's cells (A/A duplicates included), comparisons, needed rounds and times in seconds, and the
    budget."""

    minutes: int
    cells: int
    duplicates: int
    comparisons: int
    needed: int
    preparation: float
    round_: float
    windows: tuple[int, ...]

    def seconds(self, rounds: int) -> float:
        return self.preparation + rounds * self.round_

    @property
    def limit(self) -> int:
        """The largest number of rounds that this number of cells may have."""
        return min(MAX_ROUNDS, MAX_TRIALS // self.cells)


def fit_budget(plan: Plan, minutes: int, spread: float, metric: str | None = None) -> BudgetFit:
    """The largest number of rounds of all cells that fit so many minutes, by the plan's estimate.

    `spread` is the standard deviation of ln x of one trial; `metric` selects the comparisons that are the
    family (None: those of all cells). `fits` is whether the rounds can decide that family; where they cannot,
    the sentence names changes that would fit.
    """
    query = _query(plan, minutes, metric)
    limit = query.limit
    rounds = min(limit, rounds_within(minutes, query.preparation, query.round_))
    fits = rounds >= query.needed
    effect = smallest_effect(rounds, spread, query.comparisons) if fits and query.comparisons else None
    found = _interim(query, rounds, limit) if fits else None
    first, stopping = found or (None, None)
    sentence = _fits(query, rounds, effect, found) if fits else _does_not(query, rounds)
    return BudgetFit(
        minutes, fits, rounds, round(query.seconds(rounds), 1), effect, stopping, first, sentence
    )


def _query(plan: Plan, minutes: int, metric: str | None) -> BudgetQuery:
    cells = [cell for cell in plan.cells if cell.infeasible is None]
    comparisons = count_comparisons(plan.cells, metric)
    return BudgetQuery(
        minutes=minutes,
        cells=len(cells),
        duplicates=sum(cell.is_duplicate for cell in cells),
        comparisons=comparisons,
        needed=max(FEWEST_ROUNDS, rounds_needed(comparisons)),
        preparation=plan.estimate.preparation_seconds,
        round_=plan.estimate.round_seconds,
        windows=tuple(int(cell.levels["duration_s"]) for cell in cells),
    )


def _interim(query: BudgetQuery, rounds: int, limit: int) -> tuple[int, Stopping] | None:
    """The round of the first interim analysis and the rule, to about twice the rounds all cells could have.

    A stage begins only where all of it fits the time. So the second analysis must fit with all cells, and the
    last one that fits should leave little time unspent. None where there is no such rule, or only one
    comparison.
    """
    if query.comparisons < 2:
        return None
    found: list[tuple[int, int, int, int]] = []
    for analyses in range(2, MOST_ANALYSES + 1):
        first = max(FEWEST_ROUNDS, rounds_needed(query.comparisons, analyses))
        for every in range(EVERY, min(MOST_EVERY, rounds - first) + 1):
            at_most = min(first + every * (analyses - 1), limit)
            unspent = (rounds - first) % every
            if at_most > max(rounds, first + every * (analyses - 2)) and unspent <= rounds // 10:
                found.append((abs(at_most - 2 * rounds) + unspent, analyses, first, every))
    if not found:
        return None
    _, analyses, first, every = min(found)
    at_most = min(first + every * (analyses - 1), limit)
    return first, Stopping(every=every, at_most=at_most, budget_minutes=query.minutes)


def _fits(query: BudgetQuery, rounds: int, effect: float | None, interim: tuple[int, Stopping] | None) -> str:
    held = f"{_minutes(query.minutes)} {_hold(query.minutes)} {rounds} rounds of {query.cells} cells"
    if not query.comparisons:
        return f"{held}; there is nothing to compare."
    shown = "no difference reliably" if effect is None else f"differences of {_per_cent(effect)} or more"
    sentence = f"{held}, which show {shown} (80 % power, {_comparisons(query.comparisons)})."
    if interim is not None:
        first, stopping = interim
        sentence += (
            f" Or with interim analyses after {first} rounds and then every {stopping.every}: "
            f"decided cells leave their time to the others, up to {stopping.at_most} rounds."
        )
    return sentence


def _does_not(query: BudgetQuery, rounds: int) -> str:
    what = f"to decide {_comparisons(query.comparisons)}" if query.comparisons else "for an interval"
    held = f"{rounds or 'no'} round{'' if rounds == 1 else 's'}"
    allowed = f"; {MAX_TRIALS:,} trials allow {query.limit}" if query.limit < query.needed else ""
    would = ", or ".join(_would_fit(query))
    return (
        f"{_minutes(query.minutes)} {_hold(query.minutes)} {held} of {query.cells} cells, and {query.needed} "
        f"are needed {what}{allowed}. "
        + (f"This would fit: {would}." if would else "Use shorter windows and fewer levels.")
    )


def _would_fit(query: BudgetQuery) -> Iterator[str]:
    """Fewer cells, shorter windows, or more minutes: each alone, where one exists that fits."""
    cell = query.round_ / query.cells
    time = 60 * query.minutes - query.preparation
    fixed = query.cells - query.comparisons  # baselines and their duplicates stay
    for comparisons in range(query.comparisons - 1, 0, -1):
        cells, needed = fixed + comparisons, max(FEWEST_ROUNDS, rounds_needed(comparisons))
        if needed * cells * cell <= time and needed * cells <= MAX_TRIALS:
            yield f"about {cells - query.duplicates} instead of {query.cells - query.duplicates} cells"
            break
    if query.limit < query.needed:
        return  # the limit on trials, and no time, is what refuses it
    longest = max(query.windows)
    if (shorter := _window(query, longest)) is not None:
        up_to = "up to " if min(query.windows) < longest else ""
        yield f"windows of {up_to}{shorter} s instead of {longest} s"
    enough = math.ceil(query.seconds(query.needed) / 60)
    if query.minutes < enough <= MAX_MINUTES:
        yield _minutes(enough)


def _window(query: BudgetQuery, longest: int) -> int | None:
    """The longest window in seconds with which the rounds fit, all others shortened in proportion, 1 s at
    least."""
    without = query.round_ - sum(query.windows)
    for shorter in range(longest - 1, 0, -1):
        round_ = without + sum(max(1, window * shorter // longest) for window in query.windows)
        if rounds_within(query.minutes, query.preparation, round_) >= query.needed:
            return shorter
    return None


def _per_cent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 1 else f"{100 * share:,.0f} %"


def _comparisons(count: int) -> str:
    return f"{count:,} comparison{'' if count == 1 else 's'}"


def _minutes(count: int) -> str:
    return f"{count:,} minute{'' if count == 1 else 's'}"


def _hold(count: int) -> str:
    return "holds" if count == 1 else "hold"
