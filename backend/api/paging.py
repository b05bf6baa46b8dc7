"""Keyset paging: an opaque cursor that names the last row seen."""

from __future__ import annotations

import base64
from urllib.parse import urlencode

from fastapi import Response

from backend.api.schema import PageQuery
from backend.core.errors import Invalid, Refused


def encode_cursor(last_id: str) -> str:
    """The cursor that continues after this row."""
    return base64.urlsafe_b64encode(last_id.encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str | None:
    """The row that a cursor names. Raises Invalid where it is not one of ours."""
    if cursor is None:
        return None
    try:
        return base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode(
            "ascii"
        )
    except ValueError as error:
        raise bad_cursor() from error


def bad_cursor() -> Refused:
    """The refusal of a cursor that names no row of this list."""
    return Invalid.at(
        "", "bad_cursor", "query parameter cursor: pass back the next_cursor of the page before"
    )


def link_next(response: Response, path: str, paging: PageQuery, next_cursor: str | None) -> None:
    """Say where the next page is, as RFC 8288 does."""
    if next_cursor is not None:
        query = urlencode({"limit": paging.limit, "cursor": next_cursor})
        response.headers["Link"] = f'<{path}?{query}>; rel="next"'
