"""The routes of /hosts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from backend.api.hosts import service
from backend.api.hosts.schemas import Host, HostChange, HostList
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(tags=["hosts"], dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.get("/hosts", operation_id="listHosts")
def list_hosts(settings: Config) -> HostList:
    """List the hosts with what they can run and whether their worker was seen in the last minute."""
    return service.list_all(settings)


@router.patch("/hosts/{host}", operation_id="updateHost")
def update_host(
    settings: Config, request: Request, host: Annotated[str, Path(max_length=64)], change: HostChange
) -> Host:
    """Open a host to plans that use its network or its own Docker daemon, or close it to them."""
    changed = service.change(settings, host, change)
    request.state.object = changed.name
    return changed
