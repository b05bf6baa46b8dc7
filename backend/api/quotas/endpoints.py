"""The route of /usage."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool

from backend.api.access.guard import Caller, GuardedRoute
from backend.api.quotas import service
from backend.api.quotas.open_streams import OpenStreams
from backend.api.quotas.schemas import UsageReport
from backend.api.request import Config

router = APIRouter(tags=["usage"], route_class=GuardedRoute)


@router.get("/usage", operation_id="getUsage")
async def get_usage(settings: Config, caller: Caller, request: Request) -> UsageReport:
    """Read the quotas of the team: limits and present use."""
    streams: OpenStreams = request.app.state.open_streams
    return await run_in_threadpool(service.report, settings, caller.team, streams.of_team(caller.team))
