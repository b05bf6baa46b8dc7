"""The routes of /usage and of the quotas of teams."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from backend.api.access.guard import Caller
from backend.api.quotas import service
from backend.api.quotas.open_streams import OpenStreams
from backend.api.quotas.schemas import LargestRuns, OwnLimits, StorageReport, TeamQuotas, UsageReport
from backend.api.request import Config, StrictRoute, json_only
from backend.settings import Settings

router = APIRouter(route_class=StrictRoute)
QUOTAS = "/teams/{team_id:id}/quotas"


@router.get("/usage", operation_id="getUsage")
async def get_usage(settings: Config, caller: Caller, request: Request) -> UsageReport:
    """Read the quotas of the team: limits and present use."""
    streams: OpenStreams = request.app.state.open_streams
    return await run_in_threadpool(service.report, settings, caller.team, streams.of_team(caller.team))


@router.get("/usage/largest-runs", operation_id="listLargestRuns")
def list_largest_runs(
    settings: Config, caller: Caller, limit: Annotated[int, Query(ge=1, le=100)] = 20
) -> LargestRuns:
    """List the team's ended runs that store most: what to delete where storage is short."""
    return service.largest_runs(settings, caller.team, limit)


@router.get("/storage", operation_id="getStorage")
def get_storage(settings: Config, response: Response) -> StorageReport:
    """Read what the database takes on its disk, by table and by team."""
    response.headers["Cache-Control"] = "no-store"
    return service.storage(settings)


@router.get(QUOTAS, operation_id="getTeamQuotas")
async def get_team_quotas(settings: Config, team_id: str, request: Request, response: Response) -> TeamQuotas:
    """Read the quotas of any team: its own limits, those of the installation, and present use."""
    response.headers["Cache-Control"] = "no-store"
    return await _quotas(settings, request, team_id)


@router.put(QUOTAS, operation_id="setTeamQuotas", dependencies=[Depends(json_only)])
async def set_team_quotas(
    settings: Config, team_id: str, request: Request, response: Response, limits: OwnLimits
) -> TeamQuotas:
    """Replace the limits that a team has of its own; they count from the next request on."""
    response.headers["Cache-Control"] = "no-store"
    await run_in_threadpool(service.set_own, settings, team_id, limits)
    return await _quotas(settings, request, team_id)


async def _quotas(settings: Settings, request: Request, team_id: str) -> TeamQuotas:
    streams: OpenStreams = request.app.state.open_streams
    return await run_in_threadpool(service.report_team, settings, team_id, streams.of_team(team_id))
