"""The routes of /schedules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.paging import link_next
from backend.api.request import Config, StrictRoute, json_only
from backend.api.schedules import service
from backend.api.schedules.schemas import (
    NextTimes,
    Schedule,
    ScheduleChange,
    ScheduleDueList,
    ScheduleList,
    ScheduleStart,
    ScheduleTimes,
)
from backend.api.schema import Paging
from backend.store.ids import ID_PATTERN

router = APIRouter(route_class=StrictRoute)


@router.post(
    "/experiments/{experiment_id}/schedules",
    operation_id="createSchedule",
    status_code=status.HTTP_201_CREATED,
    dependencies=[Depends(json_only)],
)
def create_schedule(
    settings: Config, caller: Caller, request: Request, experiment_id: str, start: ScheduleStart
) -> Schedule:
    """Start the experiment again at the times of a cron expression, on named hosts or on those with a label.

    One host: a run; several, or a label: a group of runs. A time is missed while the schedule's previous run
    continues, and where the server was away; of several missed times in a row, the last one is made up for.
    """
    created = service.create(settings, caller, experiment_id, start)
    request.state.created = created.id
    return created


@router.get("/schedules", operation_id="listSchedules")
def list_schedules(
    settings: Config,
    caller: Caller,
    experiment_id: Annotated[str | None, Query(pattern=f"^{ID_PATTERN}$", max_length=64)] = None,
) -> ScheduleList:
    """List the schedules of the team, or of one of its experiments: the next ones first."""
    return service.of_team(settings, caller.team, experiment_id)


@router.post("/schedules:preview", operation_id="previewSchedule", dependencies=[Depends(json_only)])
def preview_schedule(times: ScheduleTimes) -> NextTimes:
    """Read the next five times of a cron expression in a time zone; nothing is stored."""
    return service.preview(times)


@router.get("/schedules/{schedule_id:id}", operation_id="getSchedule")
def get_schedule(settings: Config, schedule_id: str) -> Schedule:
    """Read one schedule with its next times."""
    return service.get(settings, schedule_id)


@router.patch("/schedules/{schedule_id:id}", operation_id="updateSchedule", dependencies=[Depends(json_only)])
def update_schedule(settings: Config, caller: Caller, schedule_id: str, changes: ScheduleChange) -> Schedule:
    """Change, pause or resume a schedule. Its runs have the rights of the caller from then on."""
    return service.change(settings, caller, schedule_id, changes)


@router.delete(
    "/schedules/{schedule_id:id}", operation_id="deleteSchedule", status_code=status.HTTP_204_NO_CONTENT
)
def delete_schedule(settings: Config, schedule_id: str) -> None:
    """Delete a schedule with its log; its runs stay."""
    service.remove(settings, schedule_id)


@router.get("/schedules/{schedule_id:id}/times", operation_id="listScheduleTimes")
def list_schedule_times(
    settings: Config, schedule_id: str, paging: Paging, response: Response
) -> ScheduleDueList:
    """List the times that were due, newest first: what was started, or why not. The newest 500 are kept."""
    page = service.log(settings, schedule_id, paging)
    link_next(response, f"/api/v1/schedules/{schedule_id}/times", paging, page.next_cursor)
    return page
