"""The route of /audit."""

from __future__ import annotations

from fastapi import APIRouter, Response

from backend.api.access.guard import Caller, GuardedRoute
from backend.api.audit.schemas import AuditLine, AuditLog
from backend.api.paging import link_next, read_page
from backend.api.request import Config
from backend.api.schema import Paging
from backend.store.repositories import audit

router = APIRouter(tags=["access"], route_class=GuardedRoute)


@router.get("/audit", operation_id="listAudit")
def list_audit(settings: Config, caller: Caller, paging: Paging, response: Response) -> AuditLog:
    """List what the members of the team changed, and what they were refused, newest first."""
    rows, next_cursor = read_page(settings, caller.team, paging, audit.page)
    link_next(response, "/api/v1/audit", paging, next_cursor)
    response.headers["Cache-Control"] = "no-store"
    return AuditLog(data=tuple(map(AuditLine.model_validate, rows)), next_cursor=next_cursor)
