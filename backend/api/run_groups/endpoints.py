"""The routes of /run-groups."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Query, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.capacity import CpuBound
from backend.api.idempotency import Key, KeyLock
from backend.api.paging import link_next
from backend.api.request import Config, StrictRoute, json_only
from backend.api.run_groups import service
from backend.api.run_groups.schemas import RunGroup, RunGroupList, RunGroupStart
from backend.api.runs.service import announce, wake_worker
from backend.api.schema import Paging
from backend.core.chart.across_hosts.hosts_model import HostsResult

router = APIRouter(tags=["runs"], route_class=StrictRoute)


@router.post(
    "/experiments/{experiment_id}/run-groups",
    operation_id="startRunGroup",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=RunGroup,
    dependencies=[Depends(json_only), KeyLock, CpuBound],
)
def start_run_group(
    settings: Config,
    caller: Caller,
    request: Request,
    experiment_id: str,
    tasks: BackgroundTasks,
    start: RunGroupStart,
    idempotency_key: Key = None,
) -> Response:
    """Plan a run of the experiment on each of several hosts and queue all of them, or none.

    The hosts are named, or chosen by a label. With an Idempotency-Key, a repeated request gets the first
    response again.
    """
    started = service.start(settings, caller, experiment_id, start, idempotency_key)
    answer, notifier = started.answer, request.app.state.notifier
    request.state.created = answer.id
    for member in started.group.members if started.group is not None else ():
        if member.run_id is not None and member.progress is not None:
            tasks.add_task(wake_worker, notifier, member.host, member.progress.total, member.run_id)
    headers = answer.headers("run-groups") | {"Retry-After": "2"}
    return Response(
        answer.body, status.HTTP_202_ACCEPTED, headers, media_type="application/json", background=tasks
    )


@router.get("/run-groups", operation_id="listRunGroups")
def list_run_groups(settings: Config, caller: Caller, paging: Paging, response: Response) -> RunGroupList:
    """List the groups of runs, newest first."""
    page = service.page(settings, caller.team, paging)
    link_next(response, "/api/v1/run-groups", paging, page.next_cursor)
    return page


@router.get("/run-groups/{group_id:id}", operation_id="getRunGroup")
def get_run_group(settings: Config, group_id: str) -> RunGroup:
    """Read one group with the state and progress of each of its runs."""
    return service.get(settings, group_id)


@router.post(
    "/run-groups/{group_id:id}:cancel",
    operation_id="cancelRunGroup",
    status_code=status.HTTP_202_ACCEPTED,
    dependencies=[Depends(json_only)],
)
def cancel_run_group(settings: Config, request: Request, group_id: str, tasks: BackgroundTasks) -> RunGroup:
    """Cancel every run of the group that has not ended; ended ones keep their results."""
    group = service.cancel(settings, group_id)
    for member in group.members:
        if member.run_id is not None:
            tasks.add_task(announce, request.app.state.notifier, member.run_id)
    return group


@router.get("/run-groups/{group_id}/result", operation_id="getRunGroupResult", dependencies=[CpuBound])
def get_run_group_result(
    settings: Config, group_id: str, metric: Annotated[str | None, Query(max_length=64)] = None
) -> HostsResult:
    """Compare each cell's ratio to its host's own baseline across the hosts, in one metric.

    What differs between the hosts comes first; then for each cell its values and its ratio on each host, and
    whether hosts disagree about the ratio.
    """
    return service.result(settings, group_id, metric)
