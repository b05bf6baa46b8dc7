"""The routes of /account."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

from backend.api.access.guard import Caller
from backend.api.account import service
from backend.api.account.schemas import Account, AccountChange
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(tags=["access"], dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.get("/account", operation_id="getAccount")
def get_account(settings: Config, caller: Caller, response: Response) -> Account:
    """Read the caller's own account."""
    response.headers["Cache-Control"] = "no-store"
    return service.read(settings, caller)


@router.patch("/account", operation_id="updateAccount")
def update_account(settings: Config, caller: Caller, response: Response, change: AccountChange) -> Account:
    """Change the name or the email address of the caller's own account."""
    response.headers["Cache-Control"] = "no-store"
    return service.change(settings, caller, change)
