"""The routes of /tokens."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.request import Config, StrictRoute, json_only
from backend.api.tokens import service
from backend.api.tokens.schemas import NewToken, TokenList, TokenStart

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.post("/tokens", operation_id="createToken", status_code=status.HTTP_201_CREATED)
def create_token(
    settings: Config, caller: Caller, request: Request, response: Response, start: TokenStart
) -> NewToken:
    """Create an API token; only this response has it."""
    response.headers["Cache-Control"] = "no-store"
    created = service.create(settings, caller, start)
    request.state.created = created.id
    return created


@router.get("/tokens", operation_id="listTokens")
def list_tokens(settings: Config, caller: Caller, response: Response) -> TokenList:
    """List the caller's tokens of the team; for an administrator, all of the team."""
    response.headers["Cache-Control"] = "no-store"
    return service.read_list(settings, caller)


@router.delete("/tokens/{token_id:id}", operation_id="revokeToken", status_code=status.HTTP_204_NO_CONTENT)
def revoke_token(settings: Config, caller: Caller, token_id: str) -> None:
    """Revoke a token: requests are refused at once, open event streams end within 15 s."""
    service.revoke(settings, caller, token_id)


@router.delete("/token", operation_id="endToken", status_code=status.HTTP_204_NO_CONTENT)
def end_token(settings: Config, caller: Caller) -> None:
    """Revoke the token of this request: a script that is done with it, or a command line that signs out."""
    service.end_own(settings, caller)
