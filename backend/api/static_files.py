"""Serving the built page: its files, and index.html for every address that the page itself routes."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException

ASSETS = "assets/"
IMMUTABLE = "public, max-age=31536000, immutable"
"""For files whose name holds a hash of their content."""
RESERVED = ("api/", "schema/", "problems/", "errors/")


class _PagePath(Convertor[str]):
    """Any path that is not the API's, so that a wrong method there stays the API's business."""

    regex = f"(?!{'|'.join(RESERVED)}).*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("page", _PagePath())


def frontend_router(directory: Path) -> APIRouter:
    """The routes of the page; while it is not built, every address of it is a 404 that says so."""
    router = APIRouter()
    root = directory.resolve()

    @router.api_route("/{path:page}", methods=["GET", "HEAD"], include_in_schema=False)
    def page(request: Request, path: str) -> Response:
        """A file of the page, or its index.html."""
        found = _file(root, path)
        if found is None:
            found = _file(root, "index.html")
            if found is None or path.startswith(ASSETS):
                raise HTTPException(404)
        headers = {"Cache-Control": IMMUTABLE if path.startswith(ASSETS) else "no-cache"}
        return FileResponse(found, headers=headers)

    return router


def _file(root: Path, path: str) -> Path | None:
    """The file at this path below the root, or None; links and dots do not lead out of it."""
    if "\x00" in path or not path:
        return None
    try:
        found = (root / path).resolve()
        return found if found.is_relative_to(root) and found.is_file() else None
    except (OSError, ValueError):  # a name that is longer than the file system allows, or no name at all
        return None
