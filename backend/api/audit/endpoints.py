"""The routes of /audit and /installation/audit."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from sqlalchemy.orm import Session

from backend.api.access.guard import Caller, GuardedRoute
from backend.api.audit.schemas import (
    AuditLine,
    AuditLog,
    AuditQuery,
    InstallationAuditLine,
    InstallationAuditLog,
    InstallationAuditQuery,
    Outcome,
)
from backend.api.paging import link_next, read_page, read_rows
from backend.api.request import Config
from backend.store.repositories import audit
from backend.store.repositories.audit import AuditFilter, StoredEntry

router = APIRouter(route_class=GuardedRoute)

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
    read = partial(audit.page, wanted=_filter(paging))
    rows, next_cursor = read_page(settings, caller.team, paging, read)
    link_next(response, "/api/v1/audit", paging, next_cursor)
    response.headers["Cache-Control"] = "no-store"
    return AuditLog(data=tuple(map(AuditLine.model_validate, rows)), next_cursor=next_cursor)


@router.get("/installation/audit", operation_id="listInstallationAudit")
def list_installation_audit(
    settings: Config, paging: Annotated[InstallationAuditQuery, Query()], response: Response
) -> InstallationAuditLog:
    """List the audit log of all teams and of the installation itself, newest first."""
    wanted = _filter(paging)

    def read(session: Session, limit: int, after: str | None) -> list[StoredEntry]:
        return audit.page(session, paging.team_id, limit, after, wanted)

    rows, next_cursor = read_rows(settings, paging, read)
    link_next(response, "/api/v1/installation/audit", paging, next_cursor)
    response.headers["Cache-Control"] = "no-store"
    lines = tuple(map(InstallationAuditLine.model_validate, rows))
    return InstallationAuditLog(data=lines, next_cursor=next_cursor)


def _filter(query: AuditQuery) -> AuditFilter:
    return AuditFilter(
        action=query.action,
        statuses=None if query.outcome is None else STATUSES[query.outcome],
        account_id=query.account_id,
        since=query.since,
        until=query.until,
    )
