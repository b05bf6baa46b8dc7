"""Ratios of the host's own Docker daemon to a lab daemon, from the host's newest run with both."""

from __future__ import annotations

from collections.abc import Iterator

from backend.api.equivalence.schemas import Equivalence, EquivalentPath
from backend.api.runs.results import final_chart
from backend.core.chart.model.cell_models import ChartCell, Comparison
from backend.core.chart.model.chart_model import ChartModel
from backend.core.definition.metrics import METRICS
from backend.core.errors import NotFound
from backend.core.messages.message import message
from backend.core.statistics.verdict import undefined
from backend.settings import Settings
from backend.store.repositories import hosts
from backend.store.session import session_scope


def newest(settings: Settings, team_id: str, name: str) -> Equivalence:
    """The equivalence of one host by a team's runs. Raises NotFound without such a host or run."""
    with session_scope(settings) as session:
        host = next((host for host in hosts.list_all(session) if host.name == name), None)
        if host is None:
            raise NotFound("there is no such host")
        run = hosts.newest_run_of_both_engines(session, host.id, team_id)
    if run is None:
        raise NotFound(
            "no finished run compares this host's own Docker daemon with a lab daemon; run lab-equals-host"
        )
    model = final_chart(settings, run.id)
    return Equivalence(
        host=name,
        run_id=run.id,
        finished_at=run.finished_at,
        metric=model.axes[0].metric,
        margin=model.margin,
        paths=tuple(_paths(model)),
    )


def _paths(model: ChartModel) -> Iterator[EquivalentPath]:
    """Every cell on the host's daemon against the lab cell that differs only in the daemon.

    One that the run does not compare with it is there with the reason.
    """
    by_id = {cell.id: cell for cell in model.cells}
    metric = model.axes[0].metric
    for cell in model.cells:
        if cell.levels.get("engine") != "host" or cell.is_duplicate:
            continue
        found = cell.comparisons.get(metric)
        if found is not None and _without_engine(cell) == _without_engine(by_id[found.baseline_id]):
            yield _compared(cell, found)
        else:
            yield _not_compared(cell, metric)


def _compared(cell: ChartCell, found: Comparison) -> EquivalentPath:
    return EquivalentPath(
        cell_id=cell.id,
        label=cell.label,
        path=str(cell.levels["path"]),
        userland_proxy=bool(cell.levels["userland_proxy"]),
        n=found.n,
        ratio=found.ratio,
        interval=found.interval,
        verdict=found.verdict,
        sentence=found.sentence,
        difference=found.difference,
    )


def _not_compared(cell: ChartCell, metric: str) -> EquivalentPath:
    reason = cell.reason if cell.state == "infeasible" else None
    if reason is None:
        yields = METRICS[metric].applies(cell.levels)
        reason = message("notAgainstLab") if yields else message("noTrialYielded")
    judged = undefined(reason)
    return EquivalentPath(
        cell_id=cell.id,
        label=cell.label,
        path=str(cell.levels["path"]),
        userland_proxy=bool(cell.levels["userland_proxy"]),
        n=0,
        ratio=None,
        interval=None,
        verdict=judged.kind,
        sentence=judged.sentence,
    )


def _without_engine(cell: ChartCell) -> dict[str, str | int | bool]:
    return {name: level for name, level in cell.levels.items() if name != "engine"}
