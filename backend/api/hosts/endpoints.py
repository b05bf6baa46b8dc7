"""The route of /hosts."""

from __future__ import annotations

from fastapi import APIRouter

from backend.api.access.guard import GuardedRoute
from backend.api.hosts import service
from backend.api.hosts.schemas import HostList
from backend.api.request import Config

router = APIRouter(tags=["hosts"], route_class=GuardedRoute)


@router.get("/hosts", operation_id="listHosts")
def list_hosts(settings: Config) -> HostList:
    """List the hosts with what they can run and whether their worker was seen in the last minute."""
    return service.list_all(settings)
