"""The routes of /run-groups."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, BackgroundTasks, Depends, Path, Query, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.capacity import CpuBound
from backend.api.exports import pictures
from backend.api.exports.endpoints import file_answer
from backend.api.idempotency import Key, KeyLock
from backend.api.paging import link_next
from backend.api.request import Config, StrictRoute, json_only
from backend.api.run_groups import exports, results, service
from backend.api.run_groups.schemas import RunGroup, RunGroupList, RunGroupStart
from backend.api.runs import results as run_results
from backend.api.runs.service import announce, wake_worker
from backend.api.schema import Paging
from backend.core.chart.across_hosts.hosts_model import HostsResult
from backend.core.messages.language import language_named

router = APIRouter(route_class=StrictRoute)
_FILES: dict[str, Any] = {
    form.media.partition(";")[0]: {"schema": {"type": "string"}} for form in exports.FORMATS.values()
} | {"application/json": {"schema": {"$ref": "#/components/schemas/RunGroupExport"}}}


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


@router.delete(
    "/run-groups/{group_id:id}", operation_id="deleteRunGroup", status_code=status.HTTP_204_NO_CONTENT
)
def delete_run_group(settings: Config, request: Request, group_id: str, tasks: BackgroundTasks) -> None:
    """Delete a group for good, with all of its runs; none of them may still be queued or running.

    Each run goes with its trials, results, raw output, events and links. A single run of a group is deleted
    by itself, and the group with its last one.
    """
    for run_id in service.delete(settings, group_id):
        run_results.forget(settings, run_id)
        tasks.add_task(announce, request.app.state.notifier, run_id)
    results.forget(settings, group_id)


@router.get("/run-groups/{group_id}/result", operation_id="getRunGroupResult", response_model=HostsResult)
async def get_run_group_result(
    settings: Config,
    request: Request,
    group_id: str,
    metric: Annotated[str | None, Query(max_length=64)] = None,
) -> Response:
    """Compare each cell's ratio to its host's own baseline across the hosts, in one metric.

    What differs between the hosts comes first; then for each cell its values and its ratio on each host, and
    whether hosts disagree about the ratio. Until all runs have ended, the response may be `Age` seconds old,
    with `X-Result-Stale: 1`.
    """
    return await results.response(settings, group_id, metric, request.headers)


@router.get(
    "/run-groups/{group_id}/exports/{format}",
    operation_id="exportRunGroup",
    response_class=Response,
    dependencies=[CpuBound],
    responses={200: {"description": "The file", "content": _FILES}},
)
def export_run_group(
    settings: Config,
    request: Request,
    group_id: str,
    format: Annotated[str, Path(json_schema_extra={"enum": list(exports.FORMATS)})],
    metric: Annotated[
        str, Query(max_length=64, description="csv and json: all metrics if empty; others: the first")
    ] = "",
    theme: pictures.ThemeName = "light",
    language: pictures.LanguageName = "en",
) -> Response:
    """Read a group in another format: CSV, JSON, Markdown or a picture of the ratios.

    The file of a group whose runs have not all ended is marked as provisional. `theme` and `language` apply
    to svg and png only. Each run has exports of its own, with every trial.
    """
    form = exports.find(format)
    exported = exports.export(
        settings, group_id, format, metric, exports.Style(theme, language_named(language))
    )
    policy = {"Content-Security-Policy": form.policy} if form.policy else {}
    return file_answer(request, exported, form.media, form.inline, policy)
