"""Responses with one picture."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Path, Query, Response

from backend.api.exports.formats import CLOSED
from backend.core.errors import Invalid
from backend.core.export.colours import THEMES
from backend.core.export.pictures.frame import Spec
from backend.core.messages.language import LANGUAGES
from backend.render import images

FORMATS: Final[dict[str, images.Form]] = {"svg": "svg", "png": "png"}
FormatName = Annotated[str, Path(json_schema_extra={"enum": list(FORMATS)})]
ThemeName = Annotated[str, Query(max_length=16, json_schema_extra={"enum": list(THEMES)})]
LanguageName = Annotated[
    str,
    Query(max_length=16, description="of its texts", json_schema_extra={"enum": list(LANGUAGES)}),
]
MEDIA: Final = {"svg": "image/svg+xml", "png": "image/png"}
CONTENT: Final[dict[str, Any]] = {media: {"schema": {"type": "string"}} for media in MEDIA.values()}


def check(format_: str) -> None:
    """Raise Invalid for an unknown format."""
    if format_ not in FORMATS:
        raise Invalid.at("/format", "unknown_format", f"format is one of {', '.join(FORMATS)}")


def response(spec: Spec, format_: str, name: str) -> Response:
    """The picture as an inline file of this name. Raises Unavailable if it cannot be drawn."""
    body = images.draw([spec], FORMATS[format_])[0]
    headers = {
        "Content-Disposition": f'inline; filename="plimsoll-{name}.{format_}"',
        "Cache-Control": "no-store",
    }
    if format_ == "svg":
        headers["Content-Security-Policy"] = CLOSED
    return Response(body, media_type=MEDIA[format_], headers=headers)
