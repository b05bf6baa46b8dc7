"""The routes of /shares: links that give read access to one finished result."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response, status

from backend.api.request import Config, StrictRoute, json_only
from backend.api.shares import service
from backend.api.shares.schemas import Share, SharedResult, ShareList, ShareStart, ShareToken

router = APIRouter(tags=["shares"], dependencies=[Depends(json_only)], route_class=StrictRoute)

PRIVATE = {
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Cache-Control": "no-store",
}


@router.post("/runs/{run_id}/shares", operation_id="createShare", status_code=status.HTTP_201_CREATED)
def create_share(settings: Config, run_id: str, response: Response, start: ShareStart | None = None) -> Share:
    """Make a link to the result of a run that has ended. Only this response has the token."""
    response.headers.update(PRIVATE)
    return service.create(settings, run_id, start or ShareStart())


@router.get("/runs/{run_id}/shares", operation_id="listShares")
def list_shares(settings: Config, run_id: str, response: Response) -> ShareList:
    """List the links of a run, newest first, without their tokens."""
    response.headers.update(PRIVATE)
    return service.of_run(settings, run_id)


@router.delete("/shares/{share_id}", operation_id="revokeShare", status_code=status.HTTP_204_NO_CONTENT)
def revoke_share(settings: Config, share_id: str) -> None:
    """Revoke a link; revoking it again changes nothing."""
    service.revoke(settings, share_id)


@router.post("/shares:open", operation_id="openShare", response_model=SharedResult)
async def open_share(settings: Config, token: ShareToken) -> Response:
    """Open a link by its token: the result, without data that identifies the host."""
    body = await service.open_token(settings, token.token)
    return Response(body, media_type="application/json", headers=PRIVATE)
