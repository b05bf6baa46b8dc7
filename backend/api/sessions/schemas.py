"""Requests and responses of /sessions and /session."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictStr

from backend.api.access.actor import Permission, Role
from backend.api.schema import Body, Line, Timestamp


class SessionChange(Body):
    """The team to work in."""

    team_id: Annotated[StrictStr, Field(min_length=1, max_length=64)]


class SessionEntry(Body):
    """A signed-in browser of the account; `client` is its User-Agent, `current` the one that asks.

    `last_used_at` is at most a minute too early.
    """

    id: str
    current: bool
    method: str
    address: str
    client: Line
    created_at: Timestamp
    last_used_at: Timestamp
    expires_at: Timestamp


class SessionList(Body):
    """The signed-in browsers of the account, last used first."""

    data: tuple[SessionEntry, ...]


class SessionAccount(Body):
    """Who is signed in."""

    id: str
    name: Line
    email: str | None
    installation_admin: bool


class SessionTeam(Body):
    """A team of the account, and its role there.

    `needs_second_factor`: the team requires a second factor that the caller has not proved, so that it may do
    nothing there.
    """

    id: str
    name: Line
    role: Role
    needs_second_factor: bool


class SessionToken(Body):
    """The token of a request; `expires_at` null: it never expires."""

    id: str
    name: Line
    prefix: str
    expires_at: Timestamp | None


class Session(Body):
    """The caller: a signed-in browser or an API token.

    `team` is the team that requests act in unless they name another in the header `Plimsoll-Team`;
    `permissions` is what the caller may do there. A browser sends `csrf_token` in the header `X-CSRF-Token`
    with every request that changes something. `scopes` and `token` are those of a token.
    """

    kind: Literal["session", "token"]
    account: SessionAccount
    team: SessionTeam | None
    teams: tuple[SessionTeam, ...]
    permissions: tuple[Permission, ...]
    csrf_token: str | None
    scopes: tuple[str, ...] | None
    token: SessionToken | None = None
