"""Requests and responses of /device-authorizations."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictStr

from backend.api.access.actor import Scope
from backend.api.schema import Body, Line, Timestamp
from backend.api.tokens.schemas import DEFAULT_DAYS, LifetimeDays
from backend.core.definition.experiment import TITLE_PATTERN, one_line

ClientName = Annotated[
    StrictStr, Field(min_length=1, max_length=64, pattern=TITLE_PATTERN), AfterValidator(one_line)
]
"""The name that a client gives its host: one line."""
Scopes = Annotated[tuple[Scope, ...], Field(min_length=1, max_length=8)]
UserCode = Annotated[StrictStr, Field(min_length=1, max_length=32)]
"""A user code as somebody types it: case, spaces and hyphens do not matter."""


class DeviceAuthorizationStart(Body):
    """A client that wants a token: the name of its host, and the most that the token has to do."""

    client_name: ClientName
    scopes: Scopes


class NewDeviceAuthorization(Body):
    """The codes of a new authorization, with the names of RFC 8628, section 3.2.

    The client shows `user_code` and `verification_uri` to its user, and sends `device_code` at most every
    `interval` seconds. Only this response has the device code.
    """

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class DeviceCode(Body):
    """The device code of an authorization."""

    device_code: Annotated[StrictStr, Field(min_length=1, max_length=128)]


class DeviceToken(Body):
    """The token of an approved authorization, with the names of RFC 6749, section 5.1.

    Only this response has it, once. `expires_in` is in seconds.
    """

    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int | None
    scope: str
    id: str


class UserCodeGiven(Body):
    """The user code of a waiting authorization."""

    user_code: UserCode


class DeviceAuthorization(Body):
    """An authorization that waits for a decision.

    `client_name` is what the client says about itself; `address` is where its request came from, and
    `same_address` whether this request comes from there too.
    """

    id: str
    user_code: str
    client_name: Line
    address: str
    same_address: bool
    scopes: tuple[str, ...]
    created_at: Timestamp
    expires_at: Timestamp


class DeviceApproval(Body):
    """What the client gets: a token of a team, with at most the scopes that it wants and your role has.

    Null as `expires_in_days` is refused: no token works for ever.
    """

    user_code: UserCode
    team_id: Annotated[StrictStr, Field(min_length=1, max_length=64)]
    scopes: Scopes
    expires_in_days: LifetimeDays | None = DEFAULT_DAYS
