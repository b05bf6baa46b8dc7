"""The routes of /team."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

from backend.api.access.guard import Caller
from backend.api.request import Config, StrictRoute, json_only
from backend.api.team import service
from backend.api.team.schemas import TeamChange, TeamSettings

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.get("/team", operation_id="getTeam")
def get_team(settings: Config, caller: Caller, response: Response) -> TeamSettings:
    """Read the settings of the team."""
    response.headers["Cache-Control"] = "no-store"
    return service.read(settings, caller)


@router.patch("/team", operation_id="changeTeam")
def change_team(settings: Config, caller: Caller, change: TeamChange, response: Response) -> TeamSettings:
    """Change the settings of the team; a second factor is required by a session that proved one."""
    response.headers["Cache-Control"] = "no-store"
    return service.change(settings, caller, change)
