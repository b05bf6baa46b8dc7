"""The routes below /x/: pages of unfurling links. They read no cookie and need no account."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from backend.api.request import Config
from backend.api.shares import opening, unfurl
from backend.api.shares.endpoints import PRIVATE, Slots

router = APIRouter(include_in_schema=False)


@router.api_route("/x/{token}", methods=["GET", "HEAD"])
async def page(settings: Config, slots: Slots, token: str) -> Response:
    """The page of a link, with its preview; a private, missing, expired or revoked one has no preview."""
    found = await run_in_threadpool(unfurl.usable, settings, token)
    if found is None:
        return await _generic(settings)
    index = await _index(settings)
    shown = unfurl.preview(await opening.shared_result(settings, slots, found))
    return HTMLResponse(unfurl.page(index, settings.base_url, token, shown), headers=PRIVATE)


@router.api_route("/x/{rest:path}", methods=["GET", "HEAD"])
async def elsewhere(settings: Config) -> Response:
    """The page without a preview, for every other address below /x/."""
    return await _generic(settings)


async def _generic(settings: Config) -> Response:
    index = await _index(settings)
    return HTMLResponse(unfurl.generic_page(index), status_code=404, headers=PRIVATE)


async def _index(settings: Config) -> str:
    found = await run_in_threadpool(unfurl.index, settings)
    if found is None:
        raise HTTPException(404)
    return found
