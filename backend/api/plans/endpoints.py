"""The routes of /plans."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from backend.api.access.guard import GuardedRoute
from backend.api.capacity import CpuBound
from backend.api.plans import service
from backend.api.plans.schemas import PlanPreview
from backend.api.plans.service import PlannedHosts, PlanQuery
from backend.api.request import DOCUMENT_BODY, Config, Submitted

router = APIRouter(prefix="/plans", route_class=GuardedRoute)


@router.post("", operation_id="previewPlan", openapi_extra=DOCUMENT_BODY, dependencies=[CpuBound])
def preview_plan(
    settings: Config,
    document: Submitted,
    host: Annotated[str | None, Query(max_length=64)] = None,
    budget_minutes: Annotated[int | None, Query(json_schema_extra={"minimum": 1, "maximum": 1440})] = None,
    effect: Annotated[float | None, Query(json_schema_extra={"minimum": 0.001, "maximum": 10})] = None,
    client_host: Annotated[str | None, Query(max_length=64)] = None,
) -> PlanPreview:
    """Plan an experiment without storing it: its cells, trials, duration and resolution.

    With `host`, cells that it cannot run have the reason, and the resolution is estimated from the A/A pairs
    measured there. With `budget_minutes`, the response has what fits into that time; with `effect`, the
    rounds that detect such a relative difference (0.03: 3 %). `client_host` is the other host that runs the
    clients of remote paths: cells for which it is unable or closed have the reason.
    """
    hosts = PlannedHosts(host, client_host)
    return service.preview(settings, document, hosts, PlanQuery(budget_minutes, effect))
