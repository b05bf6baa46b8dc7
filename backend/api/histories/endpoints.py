"""The routes of /histories."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.histories import results, service
from backend.api.histories.schemas import HistoryList, HostName
from backend.api.request import Config, StrictRoute, json_only
from backend.core.chart.history.history_model import History
from backend.store.ids import ID_PATTERN

router = APIRouter(route_class=StrictRoute)


@router.get("/histories", operation_id="listHistories")
def list_histories(
    settings: Config,
    caller: Caller,
    experiment_id: Annotated[str | None, Query(pattern=f"^{ID_PATTERN}$", max_length=64)] = None,
) -> HistoryList:
    """List the experiments of the team with ended runs, by host, and the changes that their histories show.

    `experiment_id` lists one experiment only. At most 200: those with the newest runs. Those with changes
    that the caller has not seen come first.
    """
    return service.list_all(settings, caller.account_id, caller.team, experiment_id)


@router.post(
    "/histories:markSeen",
    operation_id="markHistoriesSeen",
    status_code=status.HTTP_204_NO_CONTENT,
    dependencies=[Depends(json_only)],
)
def mark_histories_seen(settings: Config, caller: Caller) -> None:
    """Mark all changes of the team that are shown now as seen by the caller's account."""
    service.mark_seen(settings, caller.account_id, caller.team)


@router.get("/histories/{experiment_id}", operation_id="getHistory", response_model=History)
async def get_history(
    settings: Config,
    request: Request,
    experiment_id: str,
    host: Annotated[HostName | None, Query(description="default: the host with the newest run")] = None,
) -> Response:
    """Read an experiment over time on one host: each cell's figures, environment changes, change points.

    p is adjusted for all cells, metrics and bases of the history. One with fewer than `fewest_runs` runs
    shows no change.
    """
    return await results.response(settings, experiment_id, host, request.headers)
