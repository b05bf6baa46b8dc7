"""How many rounds one start of the servers serves, by the cost of a start and the spread between starts.

Some properties of a server are fixed at its start: its memory layout, the state of its tables, the hash
buckets of its connections. Their effect is common to all rounds of that start and does not average out over
them. With r rounds a start and B starts, a mean has the variance

    between² ÷ B + within² ÷ (B × r)

and for a fixed total time it is smallest at r = √((c_start ÷ c_round) × (within² ÷ between²)):
Kalibera and Jones (2013), "Rigorous benchmarking in reasonable time", section 6, with one start of all
servers as the higher and one round as the lower level.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.definition.factors import Level
from backend.core.plan.power import rounds_needed

FEWEST_STARTS: Final = 6
"""The fewest starts from which their spread is estimated; fewer give no 95 % interval."""


@dataclass(frozen=True)
class StartSpread:
    """The spread measured between and within server starts of a host, as standard deviations of ln x (0.02: 2
    %).

    `between` is that of one start's effect and `between_upper` its one-sided 90 % bound, `within` that of one
    trial on a running server; from `starts` pairs of starts in `runs` runs.
    """

    between: float
    between_upper: float
    within: float
    starts: int
    runs: int


@dataclass(frozen=True)
class Restarts:
    """How many rounds each start of the servers serves, and the reason as a sentence."""

    every: int
    reason: str


@dataclass(frozen=True)
class StartQuestion:
    """What the choice depends on: rounds, the rounds of the interim analyses, the largest family of
    comparisons, and the seconds of one start of all servers and of one round."""

    rounds: int
    interim_rounds: Sequence[int]
    comparisons: int
    start_seconds: float
    round_seconds: float


@dataclass(frozen=True)
class ServedCell:
    """A cell's levels, and which of several equal servers serves it (`replica_of`)."""

    levels: Mapping[str, Level]
    replica: int = 0


FRESH: Final = Restarts(1, "Every trial starts its own server (fresh_server).")
"""The answer where all cells have `fresh_server`."""


def choose_restarts(question: StartQuestion, spread: StartSpread | None) -> Restarts:
    """The rounds that each start of the servers serves; one where the spread of the host is unknown.

    Small enough that the number of starts can decide the comparisons, and a divisor of the round of every
    interim analysis, so that none splits the rounds of a start. The choice uses the upper bound of the spread
    between starts: few observed starts lead to more restarts, never to fewer.
    """
    if spread is None:
        return Restarts(
            1, "Servers restart every round: assumed, too few server starts were measured on this host."
        )
    wanted = _optimal(question, spread)
    every = next(
        (
            k
            for k in range(min(wanted, most_rounds_a_start(question)), 1, -1)
            if _divides(k, question.interim_rounds)
        ),
        1,
    )
    runs = f"{spread.runs} run{'' if spread.runs == 1 else 's'}"
    figures = (
        f"between-start spread {_percent(spread.between)} (at most {_percent(spread.between_upper)}), "
        f"within {_percent(spread.within)} (this host, {runs})"
    )
    fewer = ""
    if every < wanted:
        fewer = f"; {_rounds(wanted)} would take least time, but {question.rounds} rounds need enough starts"
    return Restarts(every, f"Servers restart every {_rounds(every)}: {figures}{fewer}.")


def most_rounds_a_start(question: StartQuestion) -> int:
    """The most rounds a start may serve while the starts can decide every comparison; at least 1."""
    needed = max(
        FEWEST_STARTS, rounds_needed(max(1, question.comparisons), len(question.interim_rounds) or 1)
    )
    first = min(question.interim_rounds, default=question.rounds)
    return max(1, first // needed)


def replica_of(levels: Mapping[str, Level], is_duplicate: bool) -> int:
    """Which of several equal servers serves a cell: 1 for an A/A duplicate, else 0.

    A duplicate must include the effect of a server start, so it has a server of its own. A cell with
    `fresh_server` needs no second one: each of its trials has a new server.
    """
    return int(is_duplicate and not levels.get("fresh_server"))


def blocks(rounds: int, every: int) -> int:
    """The number of server starts in so many rounds."""
    return math.ceil(rounds / every)


def block_of(round_: int, every: int | None) -> int:
    """The index of the start, from 0, that serves a round (from 1); `every` None: one start serves all."""
    return 0 if every is None else (round_ - 1) // every


def _optimal(question: StartQuestion, spread: StartSpread) -> int:
    """The optimal number of Kalibera and Jones, rounded down, from 1 to the number of rounds."""
    if spread.between_upper <= 0:
        return question.rounds
    costs = question.start_seconds / question.round_seconds if question.round_seconds > 0 else 0.0
    best = math.sqrt(costs) * spread.within / spread.between_upper
    return max(1, min(question.rounds, int(best)))


def _divides(every: int, interim_rounds: Sequence[int]) -> bool:
    return all(round_ % every == 0 for round_ in interim_rounds)


def _rounds(count: int) -> str:
    return "round" if count == 1 else f"{count} rounds"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"
