"""What carrying out a plan will take: time, containers, memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.looks import last_round, looks_of
from backend.core.plan.model import Cell, Estimate

Levels = Mapping[str, Level]
Deployment = Callable[[Levels], Hashable]
"""Which server a cell needs: equal values share one."""

TRIAL_OVERHEAD_S: Final = 0.3
"""Beside warm-up and window: start of the tool, counters, recording."""
DEPLOYMENT_S: Final = 2.0
"""One server: start it and wait for its first reply. The engines themselves stand before a run begins."""
SCALE_S: Final = 0.2
"""One unit of pgbench's scale (100,000 rows) to initialise."""
FRESH_S: Final = 2.0
"""To drop the caches and start the server again before a trial."""


@dataclass(frozen=True)
class Standing:
    """One thing that stands for as long as a run goes on: equal keys are one and the same."""

    key: str
    container: bool
    memory_mb: int
    """In 10⁶ bytes."""


Standings = Callable[[Levels], Iterable[Standing]]
"""Everything that a cell needs to stand."""


def by_settings(levels: Levels) -> Hashable:
    """A server by everything but the path, for callers that know no topology."""
    own = ("engine", "userland_proxy", "proxy_program")
    return tuple(
        (name, level)
        for name, level in levels.items()
        if name in own or FACTORS[name].scope in ("service", "limits")
    )


def nothing_known(_levels: Levels) -> tuple[Standing, ...]:
    """What stands, for callers that know no topology."""
    return ()


def trial_seconds(levels: Levels) -> float:
    """One trial: window, warm-up, a fresh server where the cell wants one, and a constant."""
    fresh = FRESH_S if levels.get("fresh_server") else 0.0
    return int(levels["duration_s"]) + int(levels["warm_up_s"]) + fresh + TRIAL_OVERHEAD_S


def estimate(
    cells: Sequence[Cell], experiment: Experiment, deployment: Deployment, standings: Standings
) -> Estimate:
    """The estimate of a plan of these feasible cells.

    Its time is that of every round up to the last look, or of those that `budget_minutes` holds; the
    rounds before the first look are carried out in any case.
    """
    servers = {deployment(cell.levels) for cell in cells}
    databases = {(deployment(cell.levels), int(cell.levels.get("scale", 0))) for cell in cells}
    preparation = round(DEPLOYMENT_S * len(servers) + SCALE_S * sum(scale for _, scale in databases), 1)
    round_ = round(sum(trial_seconds(cell.levels) for cell in cells), 1)
    rounds = rounds_held(experiment, preparation, round_)
    stands = {standing.key: standing for cell in cells for standing in standings(cell.levels)}
    memory_mb = sum(standing.memory_mb for standing in stands.values())
    return Estimate(
        trials=len(cells) * last_round(experiment),
        seconds=round(preparation + rounds * round_, 1),
        window_seconds=float(sum(int(cell.levels["duration_s"]) for cell in cells) * rounds),
        deployments=len(servers),
        containers=sum(standing.container for standing in stands.values()),
        memory_mb=memory_mb,
        memory_bytes=memory_mb * 1_000_000,
        preparation_seconds=preparation,
        round_seconds=round_,
    )


def rounds_held(experiment: Experiment, preparation: float, round_: float) -> int:
    """The rounds of all cells that are carried out by this reckoning where no cell is decided: all of them,
    or those up to the last look that the budget holds, and never fewer than up to the first. Times in
    seconds."""
    last = last_round(experiment)
    if experiment.stopping is None or experiment.stopping.budget_minutes is None or round_ <= 0:
        return last
    held = rounds_within(experiment.stopping.budget_minutes, preparation, round_)
    return max((look for look in looks_of(experiment) if look <= held), default=experiment.rounds)


def rounds_within(minutes: int, preparation: float, round_: float) -> int:
    """How many whole rounds end within so many minutes; times in seconds."""
    return max(0, int((60 * minutes - preparation) / round_ + 1e-9))
