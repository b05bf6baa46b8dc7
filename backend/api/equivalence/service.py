"""Ratios of the host's own Docker daemon to a lab daemon, from the host's newest run with both."""

from __future__ import annotations

from collections.abc import Iterator

from backend.api.equivalence.schemas import Equivalence, EquivalentPath
from backend.api.runs.results import final_chart
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.errors import NotFound
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
    """The cells on the host's daemon whose baseline differs only in the daemon."""
    by_id = {cell.id: cell for cell in model.cells}
    metric = model.axes[0].metric
    for cell in model.cells:
        found = cell.comparisons.get(metric)
        if found is None or cell.levels.get("engine") != "host":
            continue
        if _without_engine(cell) == _without_engine(by_id[found.baseline_id]):
            yield EquivalentPath(
                cell_id=cell.id,
                label=cell.label,
                path=str(cell.levels["path"]),
                userland_proxy=bool(cell.levels["userland_proxy"]),
                n=found.n,
                ratio=found.ratio,
                interval=found.interval,
                verdict=found.verdict,
                sentence=found.sentence,
            )


def _without_engine(cell: ChartCell) -> dict[str, str | int | bool]:
    return {name: level for name, level in cell.levels.items() if name != "engine"}
