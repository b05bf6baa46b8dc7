"""The routes of /account."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response, status
from fastapi.concurrency import run_in_threadpool

from backend.api.access.guard import Caller
from backend.api.account import service
from backend.api.account.schemas import Account, AccountChange, PasswordChange
from backend.api.capacity import ConcurrencyLimit
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


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


@router.put("/account/password", operation_id="setPassword", status_code=status.HTTP_204_NO_CONTENT)
async def set_password(settings: Config, caller: Caller, request: Request, change: PasswordChange) -> None:
    """Set the password of the caller's own account; its other sessions end."""
    slots: ConcurrencyLimit = request.app.state.password_slots
    async with slots.slot():
        await run_in_threadpool(service.set_password, settings, caller, change)
