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
        is_own = found is not None and _without_engine(cell) == _without_engine(by_id[found.baseline_id])
        yield _path(cell, metric, found if is_own else None)


def _path(cell: ChartCell, metric: str, found: Comparison | None) -> EquivalentPath:
    """A cell with its comparison, or with the reason why it has none."""
    judged = found or undefined(_why_not_compared(cell, metric))
    return EquivalentPath(
        cell_id=cell.id,
        label=cell.label,
        path=str(cell.levels["path"]),
        userland_proxy=bool(cell.levels["userland_proxy"]),
        n=found.n if found else 0,
        ratio=found.ratio if found else None,
        interval=found.interval if found else None,
        verdict=judged.verdict if isinstance(judged, Comparison) else judged.kind,
        sentence=judged.sentence,
        difference=found.difference if found else None,
    )


def _why_not_compared(cell: ChartCell, metric: str) -> str:
    if cell.state == "infeasible" and cell.reason is not None:
        return cell.reason
    return message("notAgainstLab" if METRICS[metric].applies(cell.levels) else "noTrialYielded")


def _without_engine(cell: ChartCell) -> dict[str, str | int | bool]:
    return {name: level for name, level in cell.levels.items() if name != "engine"}
