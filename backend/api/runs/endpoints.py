"""The routes of /runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Query, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.access.open_request import OpenRequestAccess
from backend.api.capacity import CpuBound
from backend.api.idempotency import Key, KeyLock
from backend.api.paging import link_next
from backend.api.request import DOCUMENT_BODY, Config, StrictRoute, Submitted, json_only
from backend.api.runs import document_start, extensions, matrix, results, service
from backend.api.runs.extension_schemas import ExtensionList, ExtensionPreview, ExtensionStart
from backend.api.runs.long_poll import LongPolls
from backend.api.runs.matrix_schemas import Matrix
from backend.api.runs.schemas import Run, RunList, RunQuery, RunStart
from backend.core.chart.cell_series.series_models import CellSeries
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.panels.panel_models import ResultPanels

router = APIRouter(route_class=StrictRoute)


@router.post(
    "/experiments/{experiment_id}/runs",
    operation_id="startRun",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=Run,
    dependencies=[Depends(json_only), KeyLock, CpuBound],
)
def start_run(
    settings: Config,
    caller: Caller,
    request: Request,
    experiment_id: str,
    tasks: BackgroundTasks,
    start: RunStart | None = None,
    idempotency_key: Key = None,
) -> Response:
    """Plan a run of the experiment on a host and queue all of its trials.

    With an Idempotency-Key, a repeated request gets the first response again.
    """
    started = service.start(settings, caller, experiment_id, start or RunStart(), idempotency_key)
    return _accepted(request, tasks, started)


@router.post(
    "/runs",
    operation_id="startRunOfDocument",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=Run,
    openapi_extra=DOCUMENT_BODY,
    dependencies=[KeyLock, CpuBound],
)
def start_run_of_document(
    settings: Config,
    caller: Caller,
    request: Request,
    document: Submitted,
    start: Annotated[RunStart, Query()],
    tasks: BackgroundTasks,
    idempotency_key: Key = None,
) -> Response:
    """Store an experiment unless it is stored already, and queue a run of it: one request for a script.

    `host` and `client_host` are as in the start of a stored experiment. With an Idempotency-Key, a repeated
    request gets the first response again.
    """
    started = document_start.start(settings, caller, document, start, idempotency_key)
    return _accepted(request, tasks, started)


def _accepted(request: Request, tasks: BackgroundTasks, started: service.Started) -> Response:
    """The response to a start; the worker is woken after it, unless an earlier request did so."""
    answer, notifier, run = started.answer, request.app.state.notifier, started.run
    request.state.created = answer.id
    if run is not None:
        tasks.add_task(service.wake_worker, notifier, run.host, run.progress.total, run.id)
    headers = answer.headers("runs") | {"Retry-After": "2"}
    return Response(
        answer.body, status.HTTP_202_ACCEPTED, headers, media_type="application/json", background=tasks
    )


@router.get("/runs", operation_id="listRuns")
def list_runs(
    settings: Config, caller: Caller, paging: Annotated[RunQuery, Query()], response: Response
) -> RunList:
    """List the runs, newest first: all, those with a tag, or those that the caller's account starred."""
    page = service.page(settings, caller, paging)
    link_next(response, "/api/v1/runs", paging, page.next_cursor)
    return page


@router.get("/runs/{run_id:id}", operation_id="getRun")
async def get_run(
    settings: Config,
    caller: Caller,
    request: Request,
    run_id: str,
    wait: Annotated[float, Query(ge=0, le=60)] = 0.0,
) -> Run:
    """Read one run; with `wait`, respond when it has ended or after so many seconds."""
    polls: LongPolls = request.app.state.long_polls
    access = OpenRequestAccess(settings, request, caller, request.app.state.subscriptions)
    return await polls.run_when_ended(settings, request, run_id, wait, access)


@router.post(
    "/runs/{run_id:id}:cancel",
    operation_id="cancelRun",
    status_code=status.HTTP_202_ACCEPTED,
    dependencies=[Depends(json_only)],
)
def cancel_run(settings: Config, request: Request, run_id: str, tasks: BackgroundTasks) -> Run:
    """Cancel the queued trials at once; the worker stops the running one."""
    run = service.cancel(settings, run_id)
    tasks.add_task(service.announce, request.app.state.notifier, run_id)
    return run


@router.post(
    "/runs/{run_id:id}:extend",
    operation_id="extendRun",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=Run,
    dependencies=[Depends(json_only), KeyLock, CpuBound],
)
def extend_run(
    settings: Config,
    caller: Caller,
    request: Request,
    run_id: str,
    tasks: BackgroundTasks,
    start: ExtensionStart,
    idempotency_key: Key = None,
) -> Response:
    """Queue more rounds of chosen cells of an ended run, as a run and an analysis of its own.

    The result of the first run stays as it is. The new run has its own rounds only; its p-values and
    intervals are corrected for having been chosen after a result was known.
    """
    return _accepted(request, tasks, extensions.start(settings, caller, run_id, start, idempotency_key))


@router.post(
    "/runs/{run_id:id}:preview-extension",
    operation_id="previewExtension",
    dependencies=[Depends(json_only), CpuBound],
)
def preview_extension(
    settings: Config, caller: Caller, run_id: str, start: ExtensionStart
) -> ExtensionPreview:
    """Read what more rounds of chosen cells would run and take, and whether they could decide anything."""
    return extensions.preview(settings, caller, run_id, start)


@router.get("/runs/{run_id}/extensions", operation_id="listExtensions")
def list_extensions(settings: Config, run_id: str) -> ExtensionList:
    """List the runs that add rounds to a run, oldest first."""
    return extensions.of_run(settings, run_id)


@router.delete("/runs/{run_id:id}", operation_id="deleteRun", status_code=status.HTTP_204_NO_CONTENT)
def delete_run(settings: Config, request: Request, run_id: str, tasks: BackgroundTasks) -> None:
    """Delete an ended run for good, with its trials, results, raw output, events and links."""
    service.delete(settings, run_id)
    results.forget(settings, run_id)
    tasks.add_task(service.announce, request.app.state.notifier, run_id)


@router.get("/runs/{run_id}/result", operation_id="getResult", response_model=ChartModel)
async def get_result(settings: Config, request: Request, run_id: str) -> Response:
    """Read the result that page, table and exports show; cells without results yet are included as waiting.

    Until the run has ended, the response may be `Age` seconds old, with `X-Result-Stale: 1`: it is computed
    between measured windows, once for all clients.
    """
    return await results.response(settings, run_id, request.headers)


@router.get("/runs/{run_id}/panels", operation_id="readResultPanels", response_model=ResultPanels)
async def read_result_panels(settings: Config, request: Request, run_id: str) -> Response:
    """Read the panels of a result: rate and CPU over each numeric factor, rate against CPU cost, latencies.

    Bounded in size: what is left out is counted. Metrics do not depend on those of the experiment.
    """
    return await results.panels(settings, run_id, request.headers)


@router.get("/runs/{run_id}/matrix", operation_id="getMatrix", response_model=Matrix)
async def get_matrix(settings: Config, request: Request, run_id: str) -> Response:
    """Read the state of every trial by cell and round, one character each, with the rates.

    The events after its `last_event_id` keep it current: GET /runs/{id}/events with `after`. While the run is
    measured, the response may be older than the last event, with `X-Result-Stale: 1`.
    """
    return await matrix.response(settings, run_id, request.headers)


@router.get("/runs/{run_id}/result/cells/{cell_id}", operation_id="readResultCell", response_model=ChartCell)
async def read_result_cell(settings: Config, request: Request, run_id: str, cell_id: str) -> Response:
    """Read one cell of a result with every value, even if the result itself is reduced in size."""
    return await results.cell(settings, run_id, cell_id, request.headers)


@router.get("/runs/{run_id}/cells/{cell_id}/series", operation_id="readCellSeries", response_model=CellSeries)
async def read_cell_series(settings: Config, request: Request, run_id: str, cell_id: str) -> Response:
    """Read the rate of each interval and the CPU of each trial of a cell, from the start of its load.

    At most 50 trials of 600 points: a point is the mean of equally many intervals, weighted by their lengths.
    CPU has a point for each second, or fewer. The first `warm_up_s` seconds are in no figure.
    """
    return await results.cell_series(settings, run_id, cell_id, request.headers)
