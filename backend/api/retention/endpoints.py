"""The routes of /retention."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from backend.api.access.guard import Caller
from backend.api.request import Config, StrictRoute, json_only
from backend.api.retention.schemas import MAX_DAYS, Due, Retention
from backend.store.repositories import retention
from backend.store.session import session_scope

router = APIRouter(route_class=StrictRoute)


@router.get("/retention", operation_id="getRetention")
def get_retention(settings: Config, caller: Caller) -> Retention:
    """Read after how many days ended runs of the team are deleted."""
    with session_scope(settings) as session:
        return Retention(days=retention.days(session, caller.team))


@router.get("/retention:preview", operation_id="previewRetention")
def preview_retention(
    settings: Config, caller: Caller, days: Annotated[int, Query(ge=1, le=MAX_DAYS)]
) -> Due:
    """Read what would be deleted at once if ended runs were kept for so many days; deletes nothing."""
    with session_scope(settings) as session:
        return Due.model_validate(retention.preview(session, caller.team, days))


@router.put("/retention", operation_id="setRetention", dependencies=[Depends(json_only)])
def set_retention(settings: Config, caller: Caller, start: Retention) -> Retention:
    """Set after how many days ended runs of the team are deleted for good; null turns it off.

    Starred runs are kept. The audit log has a line for each deleted run.
    """
    with session_scope(settings) as session:
        retention.set_days(session, caller.team, start.days)
    return start
