"""Serves the built page: its files, and index.html for the URLs that the page routes itself.

A first start builds the page while the API already answers: until then its URLs say so.
"""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException

ASSETS = "assets/"
IMMUTABLE = "public, max-age=31536000, immutable"
"""For files with a hash of their content in the name."""
SHARED = "shared"
"""The page of a share link; the token is in the fragment of its address."""
BUILDING = "building"
"""A file in the page's folder while the page is being built there."""
RETRY_S = 3
_NOTICE_OF_BUILD = f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="refresh" content="{RETRY_S}">
    <title>Plimsoll</title>
  </head>
  <body>
    <p lang="en">The page is being built and appears here by itself. The API under /api/v1 answers.</p>
    <p lang="zh-Hans">页面正在构建，完成后会自动显示。/api/v1 下的 API 已可使用。</p>
  </body>
</html>
"""
RESERVED = ("api/", "schema/", "problems/", "errors/", "x/")


class _PagePath(Convertor[str]):
    """A path outside the API, so that a wrong method on an API path is a 405."""

    regex = f"(?!{'|'.join(RESERVED)}).*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("page", _PagePath())


def frontend_router(directory: Path) -> APIRouter:
    """The routes of the page. A URL is a 503 while the page is being built, and a 404 where it never is."""
    router = APIRouter()
    root = directory.resolve()

    @router.api_route("/{path:page}", methods=["GET", "HEAD"], include_in_schema=False)
    def page(request: Request, path: str) -> Response:
        """A file of the page, or its index.html."""
        found = _file(root, path)
        if found is None:
            found = _file(root, "index.html")
            if found is None and is_being_built(root):
                return _notice_of_build()
            if found is None or path.startswith(ASSETS):
                raise HTTPException(404)
        return FileResponse(found, headers={"Cache-Control": _cached(path)})

    return router


def is_being_built(directory: Path) -> bool:
    """Whether a build of the page is under way there."""
    return (directory / BUILDING).is_file()


def _notice_of_build() -> Response:
    return HTMLResponse(_NOTICE_OF_BUILD, 503, {"Retry-After": str(RETRY_S), "Cache-Control": "no-store"})


def _cached(path: str) -> str:
    if path.startswith(ASSETS):
        return IMMUTABLE
    return "no-store" if path.rstrip("/") == SHARED else "no-cache"


def _file(root: Path, path: str) -> Path | None:
    """The file at this path inside the root, with links and dots resolved, or None."""
    if "\x00" in path or not path:
        return None
    try:
        found = (root / path).resolve()
        return found if found.is_relative_to(root) and found.is_file() else None
    except (OSError, ValueError):  # a name that the file system does not allow
        return None
