"""Keyset pagination with opaque cursors."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Protocol, TypeVar
from urllib.parse import urlencode

from fastapi import Response
from sqlalchemy.orm import Session

from backend.api.schema import PageQuery
from backend.core.errors import Invalid, NotFound, Refused
from backend.settings import Settings
from backend.store.session import session_scope


def encode_cursor(last_id: str) -> str:
    """The cursor of the page after this row."""
    return base64.urlsafe_b64encode(last_id.encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str | None:
    """The row id in a cursor. Raises Invalid."""
    if cursor is None:
        return None
    try:
        return base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode(
            "ascii"
        )
    except ValueError as error:
        raise _bad_cursor() from error


class Row(Protocol):
    """A row of a list."""

    @property
    def id(self) -> str:
        """Its id."""


RowT = TypeVar("RowT", bound=Row)


def read_page(
    settings: Settings,
    team_id: str,
    paging: PageQuery,
    read: Callable[[Session, str, int, str | None], list[RowT]],
) -> tuple[list[RowT], str | None]:
    """One page of a team's rows, and the cursor of the next page; see `read_rows`."""
    return read_rows(settings, paging, lambda session, limit, after: read(session, team_id, limit, after))


def read_rows(
    settings: Settings, paging: PageQuery, read: Callable[[Session, int, str | None], list[RowT]]
) -> tuple[list[RowT], str | None]:
    """One page of rows, and the cursor of the next page. Raises Invalid for an unknown cursor.

    `read` returns at most so many rows after the row with this id, and raises NotFound for an unknown id.
    """
    after = decode_cursor(paging.cursor)
    with session_scope(settings) as session:
        try:
            rows = read(session, paging.limit + 1, after)
        except NotFound as error:
            raise _bad_cursor() from error
    shown = rows[: paging.limit]
    return shown, encode_cursor(shown[-1].id) if len(rows) > paging.limit else None


def _bad_cursor() -> Refused:
    return Invalid.at("", "bad_cursor", "query parameter cursor: use the next_cursor of the previous page")


def link_next(response: Response, path: str, paging: PageQuery, next_cursor: str | None) -> None:
    """Add a Link header to the next page (RFC 8288), with the same filters."""
    if next_cursor is not None:
        filters = paging.model_dump(mode="json", exclude={"limit", "cursor"}, exclude_defaults=True)
        query = urlencode({"limit": paging.limit, **filters, "cursor": next_cursor})
        response.headers["Link"] = f'<{path}?{query}>; rel="next"'
