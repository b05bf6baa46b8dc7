"""The routes of /accounts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.accounts import service
from backend.api.accounts.schemas import (
    AccountAccess,
    AccountEntry,
    AccountList,
    AccountQuery,
    NewSignInLink,
    SignInLinkStart,
)
from backend.api.paging import link_next
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.get("/accounts", operation_id="listAccounts")
def list_accounts(
    settings: Config, query: Annotated[AccountQuery, Query()], response: Response
) -> AccountList:
    """List the accounts of the installation."""
    found = service.read_list(settings, query)
    link_next(response, "/api/v1/accounts", query, found.next_cursor)
    response.headers["Cache-Control"] = "no-store"
    return found


@router.patch("/accounts/{account_id:id}", operation_id="setAccountAccess")
def set_account_access(
    settings: Config, caller: Caller, account_id: str, response: Response, change: AccountAccess
) -> AccountEntry:
    """Disable or enable an account, set its email address, or make it an administrator of the installation.

    Disabling ends its sessions and event streams, revokes its open links, and refuses its tokens at once.
    Nobody disables or demotes the own account, so that the installation keeps an administrator.
    """
    response.headers["Cache-Control"] = "no-store"
    return service.set_access(settings, caller, account_id, change)


@router.delete(
    "/accounts/{account_id:id}", operation_id="deleteAccount", status_code=status.HTTP_204_NO_CONTENT
)
def delete_account(settings: Config, caller: Caller, account_id: str) -> None:
    """Delete a disabled account with its memberships, tokens and stars.

    What it made stays with its teams, and the audit log keeps its name.
    """
    service.delete(settings, caller, account_id)


@router.post(
    "/accounts/{account_id:id}/sign-in-links",
    operation_id="createSignInLink",
    status_code=status.HTTP_201_CREATED,
)
def create_sign_in_link(
    settings: Config,
    caller: Caller,
    account_id: str,
    request: Request,
    response: Response,
    start: SignInLinkStart,
) -> NewSignInLink:
    """Make a link that signs an account in once, for a lost password; its earlier ones are revoked."""
    response.headers["Cache-Control"] = "no-store"
    created = service.create_link(settings, caller, account_id, start)
    request.state.created = created.id
    return created
