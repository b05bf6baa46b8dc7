"""The route of /audit."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from backend.api.access.guard import Caller, GuardedRoute
from backend.api.audit.schemas import AuditLine, AuditLog, AuditQuery, Outcome
from backend.api.paging import link_next, read_page
from backend.api.request import Config
from backend.store.repositories import audit
from backend.store.repositories.audit import AuditFilter

router = APIRouter(tags=["access"], route_class=GuardedRoute)

STATUSES: Final[dict[Outcome, tuple[int, int]]] = {
    "done": (0, 400),
    "refused": (400, 500),
    "failed": (500, 600),
}
"""The statuses of each outcome: from, below."""


@router.get("/audit", operation_id="listAudit")
def list_audit(
    settings: Config, caller: Caller, paging: Annotated[AuditQuery, Query()], response: Response
) -> AuditLog:
    """List what the members of the team changed, and what they were refused, newest first."""
    wanted = AuditFilter(
        action=paging.action,
        statuses=None if paging.outcome is None else STATUSES[paging.outcome],
        account_id=paging.account_id,
        since=paging.since,
        until=paging.until,
    )
    rows, next_cursor = read_page(settings, caller.team, paging, partial(audit.page, wanted=wanted))
    link_next(response, "/api/v1/audit", paging, next_cursor)
    response.headers["Cache-Control"] = "no-store"
    return AuditLog(data=tuple(map(AuditLine.model_validate, rows)), next_cursor=next_cursor)
