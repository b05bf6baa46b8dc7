"""Refusals that only HTTP knows; the tree of `backend.core.errors` holds all the others."""

from __future__ import annotations

from backend.core.errors import PlimsollError


class Overloaded(PlimsollError):
    """Too many requests compute at the same time; the same one may be sent again later."""

    code = "overloaded"


class UnsupportedMedia(PlimsollError):
    """The body is not of a media type that this route reads."""

    code = "unsupported_media_type"

    def __init__(self, allowed: tuple[str, ...], given: str) -> None:
        super().__init__(f"send {' or '.join(allowed)}, not {given or 'a body without a Content-Type'}")
