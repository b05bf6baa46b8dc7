"""The independent values of a comparison: rounds of one server, or starts of two.

Two cells that one running server serves share its start: the effect of that start is in both values of a
round and cancels in their ratio, so that each round is one independent value. Two cells with a server each
do not share it: all rounds that a pair of starts serves have its two effects in common and are one
independent value together, the mean of their logarithms (Kalibera and Jones 2013; Hurlbert 1984 on
pseudo-replication).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from statistics import fmean
from typing import Protocol

from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.model.model_base import ServedBy
from backend.core.plan.restarts import block_of
from backend.core.topology.deployment import ServerSpec


class Served(Protocol):
    """A cell as far as the starts of its server go; `CellTrials` documents the parts."""

    @property
    def restart_every(self) -> int | None:
        """How many rounds a start of its server serves."""

    @property
    def server(self) -> ServerSpec | None:
        """Its server."""

    @property
    def every_trial_restarts(self) -> bool:
        """Whether each trial has a start to itself."""


def served_by(cell: Served, baseline: Served) -> ServedBy | None:
    """Whether one running server serves both cells, or each has its own; None where that is not known."""
    if cell.server is None or baseline.server is None:
        return None
    fresh = cell.every_trial_restarts or baseline.every_trial_restarts
    return "shared" if cell.server == baseline.server and not fresh else "own"


def paired_series(
    cell: CellTrials, baseline: CellTrials, metric: str
) -> tuple[Mapping[int, float], Mapping[int, float]]:
    """The values of the baseline and of the cell to be paired, by round.

    Where each cell has a server of its own that serves several rounds, there is one value a start, the mean
    over the rounds that both have, under the number of the start's first planned round.
    """
    return means_by_start(baseline.values(metric), cell.values(metric), rounds_per_start(cell, baseline))


def means_by_start(
    other: Mapping[int, float], own: Mapping[int, float], every: int
) -> tuple[Mapping[int, float], Mapping[int, float]]:
    """Two series of values by round, with one value for each start that serves `every` rounds."""
    if every == 1:
        return other, own
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for round_ in sorted(own.keys() & other.keys()):
        blocks[block_of(round_, every) * every + 1].append(round_)
    return (
        {first: _mean(other, rounds) for first, rounds in blocks.items()},
        {first: _mean(own, rounds) for first, rounds in blocks.items()},
    )


def paired_values(
    cell: CellTrials, baseline: CellTrials, metric: str
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The same as lists in one order, of the rounds or starts that both have: the baseline's, the cell's."""
    other, own = paired_series(cell, baseline, metric)
    rounds = sorted(own.keys() & other.keys())
    return tuple(other[r] for r in rounds), tuple(own[r] for r in rounds)


def rounds_per_start(cell: Served, baseline: Served) -> int:
    """How many rounds make one independent value of the two cells.

    1 also in old runs without restarts: they have one start, whatever the number of rounds, and a warning.
    """
    every = cell.restart_every or 1
    if every == 1 or cell.every_trial_restarts or baseline.every_trial_restarts:
        return 1
    return every if served_by(cell, baseline) == "own" else 1


def _mean(values: Mapping[int, float], rounds: list[int]) -> float:
    """The geometric mean; the arithmetic one where a logarithm does not exist."""
    chosen = [values[r] for r in rounds]
    if len(chosen) == 1:
        return chosen[0]
    if min(chosen) > 0:
        return math.exp(fmean(map(math.log, chosen)))
    return fmean(chosen)
