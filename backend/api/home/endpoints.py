"""The routes of /home."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, status

from backend.api.access.guard import Caller
from backend.api.home import service
from backend.api.home.schemas import Home, HomeQuery, HomeVisit
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(prefix="/home", route_class=StrictRoute)


@router.get("", operation_id="getHome")
def get_home(settings: Config, caller: Caller, query: Annotated[HomeQuery, Query()]) -> Home:
    """Read what runs and waits on which host, the latest answers, and what changed since the last visit."""
    return service.read(settings, caller, query.host)


@router.post(
    "/visits",
    operation_id="recordHomeVisit",
    status_code=status.HTTP_204_NO_CONTENT,
    dependencies=[Depends(json_only)],
)
def record_home_visit(settings: Config, caller: Caller, visit: HomeVisit) -> None:
    """Record that the caller's account sees the page now. Requests within 30 minutes are one visit."""
    service.visit(settings, caller, visit)
