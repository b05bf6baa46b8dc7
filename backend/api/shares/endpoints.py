"""The routes of /shares: links that give read access to one result."""

from __future__ import annotations

import gzip
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request, Response, status
from fastapi.concurrency import run_in_threadpool

from backend.api.access.guard import Caller
from backend.api.capacity import ConcurrencyLimit
from backend.api.paging import link_next
from backend.api.rate_limits.secret_routes import mark_right
from backend.api.request import Config, StrictRoute, json_only
from backend.api.schema import Paging
from backend.api.shares import opening, service
from backend.api.shares.schemas import (
    Share,
    SharedResult,
    ShareList,
    SharePage,
    ShareSeriesToken,
    ShareStart,
    ShareToken,
)
from backend.core.chart.cell_series.series_models import CellSeries

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)

PRIVATE: Final = {
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Cache-Control": "no-store",
}


def _slots(request: Request) -> ConcurrencyLimit:
    found: ConcurrencyLimit = request.app.state.cpu_slots
    return found


Slots = Annotated[ConcurrencyLimit, Depends(_slots)]


@router.post("/runs/{run_id}/shares", operation_id="createShare", status_code=status.HTTP_201_CREATED)
async def create_share(
    settings: Config,
    slots: Slots,
    caller: Caller,
    run_id: str,
    request: Request,
    response: Response,
    start: ShareStart | None = None,
) -> Share:
    """Make a link to the result of a run. Only this response has the token.

    A frozen link (`mode` "snapshot") needs a run that has ended.
    """
    response.headers.update(PRIVATE)
    share = await service.create(settings, slots, caller, run_id, start or ShareStart())
    request.state.created = share.id
    return share


@router.get("/runs/{run_id}/shares", operation_id="listShares")
def list_shares(settings: Config, run_id: str, response: Response) -> ShareList:
    """List the links of a run, newest first, without their tokens."""
    response.headers.update(PRIVATE)
    return service.of_run(settings, run_id)


@router.get("/shares", operation_id="listAllShares")
def list_all_shares(settings: Config, caller: Caller, paging: Paging, response: Response) -> SharePage:
    """List all links of the team, newest first, without their tokens."""
    response.headers.update(PRIVATE)
    page = service.page(settings, caller.team, paging)
    link_next(response, "/api/v1/shares", paging, page.next_cursor)
    return page


@router.delete("/shares/{share_id}", operation_id="revokeShare", status_code=status.HTTP_204_NO_CONTENT)
def revoke_share(settings: Config, share_id: str, response: Response) -> None:
    """Revoke a link; revoking it again changes nothing."""
    response.headers.update(PRIVATE)
    service.revoke(settings, share_id)


@router.post("/shares:open", operation_id="openShare", response_model=SharedResult)
async def open_share(settings: Config, slots: Slots, request: Request, token: ShareToken) -> Response:
    """Open a link by its token: its result, of now or of when the link was made.

    It has no data that identifies the host; the ids of run and experiment are empty.
    """
    compressed = await opening.open_token(settings, slots, token.token, token.again)
    headers = {**PRIVATE, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"  # as it is stored
        return Response(compressed, media_type="application/json", headers=headers)
    body = await run_in_threadpool(gzip.decompress, compressed)
    return Response(body, media_type="application/json", headers=headers)


@router.post("/shares:open-series", operation_id="openShareSeries")
async def open_share_series(
    settings: Config, slots: Slots, request: Request, response: Response, start: ShareSeriesToken
) -> CellSeries:
    """Read the rate of each interval and the CPU of each trial of a cell of a link's result.

    It has no ids. A frozen link has the trials and exclusions of when it was made. This is not counted as an
    opening.
    """
    response.headers.update(PRIVATE)
    return await opening.open_series(
        settings, slots, start.token, start.cell_id, lambda: mark_right(request.scope)
    )
