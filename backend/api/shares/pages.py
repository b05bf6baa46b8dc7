"""The routes below /x/: page, picture and embedded page of unfurling links. They read no cookie."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, status
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException

from backend.api.etag import etag_matches
from backend.api.exports.formats import CLOSED
from backend.api.exports.pictures import MEDIA
from backend.api.request import Config
from backend.api.shares import embed, opening, unfurl
from backend.api.shares.endpoints import PRIVATE, Slots
from backend.api.shares.pictures import Pictures
from backend.core.errors import Invalid
from backend.core.export.colours import theme_named
from backend.render.images import Form


class _PictureFormat(Convertor[str]):
    """The ending of a picture's name."""

    regex = "svg|png"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("picture", _PictureFormat())

router = APIRouter(include_in_schema=False)

PICTURE: Final = {
    "Cache-Control": "public, max-age=60",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Robots-Tag": "noindex, nofollow",
}
"""Headers of a picture: chats and README pages fetch it from elsewhere, and keep it for a minute."""
METHODS: Final[Any] = ["GET", "HEAD"]


@router.api_route("/x/{token}", methods=METHODS)
async def page(settings: Config, slots: Slots, token: str) -> Response:
    """The page of a link, with its preview; a private, missing, expired or revoked one has no preview."""
    found = await run_in_threadpool(unfurl.usable, settings, token)
    if found is None:
        return await _generic(settings)
    index = await _index(settings)
    shown = unfurl.preview(await opening.shared_result(settings, slots, found))
    return HTMLResponse(unfurl.page(index, settings.base_url, token, shown), headers=PRIVATE)


@router.api_route("/x/{token}/image.{format:picture}", methods=METHODS)
async def image(
    settings: Config,
    slots: Slots,
    request: Request,
    token: str,
    format: Form,
    theme: Annotated[str, Query(max_length=16)] = "light",
) -> Response:
    """The picture of a link, 1200 by 630."""
    wanted = theme_named(theme)
    found = await run_in_threadpool(unfurl.usable, settings, token)
    if found is None:
        return await _generic(settings)
    pictures: Pictures = request.app.state.share_pictures
    shared = await opening.shared_result(settings, slots, found)
    drawn = await pictures.find(slots, shared, wanted, format)
    headers = {**PICTURE, "ETag": drawn.etag}
    if format == "svg":
        headers["Content-Security-Policy"] = CLOSED
    if etag_matches(request.headers.get("if-none-match"), drawn.etag):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(drawn.body, media_type=MEDIA[format], headers=headers)


@router.api_route("/x/{token}/embed", methods=METHODS)
async def embedded(
    settings: Config,
    slots: Slots,
    request: Request,
    token: str,
    theme: Annotated[str, Query(max_length=16)] = "auto",
) -> Response:
    """The picture of a link as a page that other sites may show in a frame."""
    if theme not in embed.THEME_NAMES:
        raise Invalid.at("/theme", "unknown_theme", f"theme is one of {', '.join(embed.THEME_NAMES)}")
    found = await run_in_threadpool(unfurl.usable, settings, token)
    if found is None:
        return await _generic(settings)
    shown = unfurl.preview(await opening.shared_result(settings, slots, found))
    request.state.frameable = True
    headers = {**PRIVATE, "Content-Security-Policy": embed.POLICY}
    return HTMLResponse(embed.page(token, shown, theme), headers=headers)


@router.api_route("/x/{rest:path}", methods=METHODS)
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
