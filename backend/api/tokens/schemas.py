"""Requests and responses of /tokens."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field, StrictInt, StrictStr

from backend.api.access.actor import Scope
from backend.api.schema import Body, Line, Timestamp
from backend.core.definition.experiment import TITLE_PATTERN, one_line

Name = Annotated[
    StrictStr, Field(min_length=1, max_length=100, pattern=TITLE_PATTERN), AfterValidator(one_line)
]
"""The name of a person, a team or a token: one line."""
MAX_DAYS: Final = 365
DEFAULT_DAYS: Final = 90
LifetimeDays = Annotated[StrictInt, Field(ge=1, le=MAX_DAYS)]
"""For how many days a token works."""


class TokenStart(Body):
    """A new token of the team: its scopes, at most those of the caller's role, and its lifetime.

    Null as `expires_in_days` is refused: no token works for ever.
    """

    name: Name
    scopes: Annotated[tuple[Scope, ...], Field(min_length=1, max_length=8)]
    expires_in_days: LifetimeDays | None = DEFAULT_DAYS


class TokenEntry(Body):
    """A token that works, without its secret; `prefix` is its first characters.

    `expires_at` null: it was made by an earlier release, or by the server's start, and never expires.
    `last_used_at` is at most a minute too early.
    """

    id: str
    name: Line
    prefix: str
    account_id: str
    account_name: Line
    scopes: tuple[str, ...]
    created_at: Timestamp
    expires_at: Timestamp | None
    last_used_at: Timestamp | None


class TokenList(Body):
    """The tokens of the caller, or for an administrator those of the team; newest first."""

    data: tuple[TokenEntry, ...]


class NewToken(Body):
    """A new token. Only this response has it; it is stored as a hash."""

    id: str
    token: str
