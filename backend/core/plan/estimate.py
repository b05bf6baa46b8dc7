"""Estimates what a run of a plan needs: time, containers and memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import FACTORS, Level
from backend.core.plan.interim import interim_rounds, last_round
from backend.core.plan.model import Cell, Estimate
from backend.core.plan.profiled import chosen_cells, profile_seconds
from backend.core.plan.quiet import noisy_seconds
from backend.core.plan.restarts import blocks, replica_of

Levels = Mapping[str, Level]
Deployment = Callable[[Levels], Hashable]
"""The server that a cell needs, as a key: cells with equal keys share one server."""

TRIAL_OVERHEAD_S: Final = 0.3
"""Seconds of a trial beside warm-up and window: start of the tool, counters, recording."""
START_S: Final = {"postgres": 1.2, "flask": 0.8, "pong": 0.5, "iperf3_server": 0.5}
"""Seconds until a started server answers, while others start too; measured on two cores. The engines are
started before the run."""
FILL_S: Final = 0.4
"""Seconds to create the tables of pgbench, at any scale."""
SCALE_S: Final = 0.15
"""Seconds to fill one unit of pgbench's scale (100,000 rows)."""
FRESH_S: Final = 2.0
"""Seconds to drop the caches and restart the server before a trial (`fresh_server`)."""


@dataclass(frozen=True)
class ResourceNeed:
    """One engine, server, reverse proxy, client or data set that a run keeps; equal keys mean the same
    one."""

    key: str
    container: bool
    memory_mb: int
    """In 10⁶ bytes."""


ResourceNeeds = Callable[[Levels, int], Iterable[ResourceNeed]]
"""What a cell with these levels needs, on the server of this replica (`restarts.replica_of`)."""


def by_settings(levels: Levels) -> Hashable:
    """The server by all levels except those of the path, for callers without a topology."""
    own = ("engine", "userland_proxy", "proxy_program")
    return tuple(
        (name, level)
        for name, level in levels.items()
        if name in own or FACTORS[name].scope in ("service", "limits")
    )


def no_resource_needs(_levels: Levels, _replica: int = 0) -> tuple[ResourceNeed, ...]:
    """No resource needs, for callers without a topology."""
    return ()


def trial_seconds(levels: Levels) -> float:
    """The seconds of one trial: window, warm-up, a server restart with `fresh_server`, and a constant."""
    fresh = FRESH_S if levels.get("fresh_server") else 0.0
    return int(levels["duration_s"]) + int(levels["warm_up_s"]) + fresh + TRIAL_OVERHEAD_S


def start_seconds(cells: Sequence[Cell], deployment: Deployment) -> float:
    """The seconds to start every server that serves more than one trial, and to fill its data in memory.

    Data in a container's layer or on a volume survives a restart of its server.
    """
    outliving = [cell for cell in cells if not cell.levels.get("fresh_server")]
    lost = [cell for cell in outliving if cell.levels.get("storage", "memory") == "memory"]
    return _start_seconds(outliving, deployment) + _fill_seconds(lost, deployment)


def estimate(
    cells: Sequence[Cell],
    experiment: Experiment,
    deployment: Deployment,
    resource_needs: ResourceNeeds,
    restart_every: int | None = None,
) -> Estimate:
    """The estimate of a plan of these feasible cells, whose servers restart every `restart_every` rounds.

    Its time is that of every round up to the last interim analysis, or of those that fit `budget_minutes`;
    the rounds before the first one always run. `restart_every` None: the servers start once.
    """
    preparation = round(_start_seconds(cells, deployment) + _fill_seconds(cells, deployment), 1)
    trials = sum(trial_seconds(cell.levels) for cell in cells)
    start = 0.0 if restart_every is None else start_seconds(cells, deployment)
    round_ = round(trials + start / (restart_every or 1), 1)
    rounds = rounds_in_budget(experiment, preparation, round_)
    restarts = round(start * (blocks(rounds, restart_every or rounds) - 1), 1)
    needs = {need.key: need for cell in cells for need in resource_needs(cell.levels, _replica(cell))}
    memory_mb = sum(need.memory_mb for need in needs.values())
    profiles = _profile_seconds(cells) if experiment.profile else 0.0
    return Estimate(
        trials=len(cells) * last_round(experiment),
        seconds=round(preparation + rounds * trials + restarts + profiles, 1),
        window_seconds=float(sum(int(cell.levels["duration_s"]) for cell in cells) * rounds),
        deployments=len({_server(cell, deployment) for cell in cells}),
        containers=sum(need.container for need in needs.values()),
        memory_mb=memory_mb,
        memory_bytes=memory_mb * 1_000_000,
        preparation_seconds=preparation,
        round_seconds=round_,
        restart_seconds=restarts,
        profile_seconds=profiles,
        noisy_seconds=round(
            rounds * noisy_seconds(experiment.quality, [trial_seconds(cell.levels) for cell in cells]), 1
        ),
    )


def _profile_seconds(cells: Sequence[Cell]) -> float:
    """The seconds of the extra trials that profile these cells."""
    levels = {cell.id: cell.levels for cell in cells}
    chosen = chosen_cells([(cell.id, cell.is_baseline) for cell in cells])
    return round(sum(profile_seconds(levels[cell_id]) for cell_id in chosen), 1)


def _replica(cell: Cell) -> int:
    return replica_of(cell.levels, cell.is_duplicate)


def _server(cell: Cell, deployment: Deployment) -> Hashable:
    return (deployment(cell.levels), _replica(cell))


def _start_seconds(cells: Sequence[Cell], deployment: Deployment) -> float:
    """The seconds to start every server of these cells once."""
    services = {_server(cell, deployment): str(cell.levels["service"]) for cell in cells}
    return sum(START_S[service] for service in services.values())


def _fill_seconds(cells: Sequence[Cell], deployment: Deployment) -> float:
    """The seconds to fill every database of these cells once."""
    scales = {(_server(c, deployment), int(c.levels.get("scale", 0))) for c in cells if "scale" in c.levels}
    return sum(FILL_S + SCALE_S * scale for _, scale in scales)


def rounds_in_budget(experiment: Experiment, preparation: float, round_: float) -> int:
    """The rounds that run where no cell is decided early: all, or those up to the last interim analysis that
    fits the budget, and at least those up to the first.

    `preparation` and `round_` are seconds, before the first round and of one round of all cells.
    """
    last = last_round(experiment)
    if experiment.stopping is None or experiment.stopping.budget_minutes is None or round_ <= 0:
        return last
    held = rounds_within(experiment.stopping.budget_minutes, preparation, round_)
    return max((r for r in interim_rounds(experiment) if r <= held), default=experiment.rounds)


def rounds_within(minutes: int, preparation: float, round_: float) -> int:
    """How many whole rounds fit so many minutes; `preparation` and `round_` in seconds."""
    return max(0, int((60 * minutes - preparation) / round_ + 1e-9))
