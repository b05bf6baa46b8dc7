"""The route of /hosts/{host}/equivalence."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from backend.api.access.guard import Caller, GuardedRoute
from backend.api.equivalence import service
from backend.api.equivalence.schemas import Equivalence
from backend.api.request import Config

router = APIRouter(route_class=GuardedRoute)


@router.get("/hosts/{host}/equivalence", operation_id="getEquivalence")
def get_equivalence(
    settings: Config, caller: Caller, host: Annotated[str, Path(max_length=64)]
) -> Equivalence:
    """Read each path's ratio, with interval, of the host's own Docker daemon to a lab daemon."""
    return service.newest(settings, caller.team, host)
