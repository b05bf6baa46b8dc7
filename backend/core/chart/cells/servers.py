"""The server starts of a run, and the variance between starts and within them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.trials import CellTrials, value_of
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import Servers
from backend.core.definition.metrics import METRICS
from backend.core.messages.message import message
from backend.core.plan.model import Plan
from backend.core.statistics.server_starts import Components, ServedValue, components

ONE_START: Final = message("oneServerStart")
"""Of runs from before servers were restarted between rounds."""


SHOWN: Final = 0.00005
"""A smaller spread between starts would be printed as 0 %, which is not shown."""


def servers_of(data: ChartInput, cells: Mapping[str, CellTrials]) -> Servers | None:
    """The run's server starts; None for imported logs."""
    if data.origin == "imported":
        return None
    every = data.plan.restart_every
    served = list(_served(data, cells))
    starts = len({value.server for value in served}) or None
    found = components(served)
    return Servers(
        restart_every=every,
        starts=starts,
        between=found.between,
        within=found.within,
        sentence=ONE_START if every is None else _sentence(data, every, starts, found),
    )


def starts_sentence(plan: Plan) -> str:
    """How often the servers of a plan start and why, also of an old plan without restarts."""
    return ONE_START if plan.restart_every is None else plan.restart_reason


def server_notes(servers: Servers | None, cells: tuple[ChartCell, ...]) -> Iterator[str]:
    """A warning where comparisons across servers have one start of each."""
    if servers is None or servers.restart_every is not None or servers.starts is not None:
        return
    if any(found.server == "own" for cell in cells for found in cell.comparisons.values()):
        yield ONE_START


def _served(data: ChartInput, cells: Mapping[str, CellTrials]) -> Iterator[ServedValue]:
    """The values above 0 of the first metric, of trials that count and name their server."""
    metric = data.experiment.metrics[0]
    for trials in cells.values():
        for row in trials.used:
            value = value_of(row, metric)
            if row.server is not None and value is not None and value > 0:
                yield ServedValue(data.run_id, row.round, row.cell_id, row.server, value)


def _sentence(data: ChartInput, every: int, starts: int | None, found: Components) -> str:
    if all(cell.levels.get("fresh_server") for cell in data.plan.cells if cell.infeasible is None):
        return message("everyTrialOwnServer")
    label = METRICS[data.experiment.metrics[0]].title
    if found.between is None or found.within is None:
        spreads = message("startsInseparable")
    elif found.between < SHOWN:
        spreads = message("startsNoEffect", metric=label, pairs=found.starts, within=_percent(found.within))
    else:
        between, within = _percent(found.between), _percent(found.within)
        spreads = message("startsChange", metric=label, between=between, pairs=found.starts, within=within)
    if starts is None:
        return message("restartedRounds", count=every, spreads=spreads)
    return message("restartedRoundsStarts", count=every, starts=starts, spreads=spreads)


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"
