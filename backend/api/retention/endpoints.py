"""The routes of /retention."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from backend.api.access.guard import Caller
from backend.api.request import Config, StrictRoute, json_only
from backend.api.retention.schemas import Retention
from backend.store.repositories import retention
from backend.store.session import session_scope

router = APIRouter(tags=["retention"], route_class=StrictRoute)


@router.get("/retention", operation_id="getRetention")
def get_retention(settings: Config, caller: Caller) -> Retention:
    """Read after how many days ended runs of the team are deleted."""
    with session_scope(settings) as session:
        return Retention(days=retention.days(session, caller.team))


@router.put("/retention", operation_id="setRetention", dependencies=[Depends(json_only)])
def set_retention(settings: Config, caller: Caller, start: Retention) -> Retention:
    """Set after how many days ended runs of the team are deleted for good; null turns it off.

    Starred runs are kept. The audit log has a line for each deleted run.
    """
    with session_scope(settings) as session:
        retention.set_days(session, caller.team, start.days)
    return start
