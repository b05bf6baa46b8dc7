"""Requests and responses of /invitations."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StrictInt, StrictStr

from backend.api.access.actor import Role
from backend.api.passwords.rules import Password
from backend.api.schema import Body, Line, Timestamp
from backend.api.tokens.schemas import Name
from backend.core.definition.experiment import one_line
from backend.core.definition.text import EMAIL_PATTERN, MAX_EMAIL, ambiguous


def _unambiguous(address: str) -> str:
    if (found := ambiguous(address)) is not None:
        raise ValueError(f"contains {found}, which is read as another letter")
    return address


Email = Annotated[
    StrictStr,
    Field(max_length=MAX_EMAIL, pattern=EMAIL_PATTERN),
    AfterValidator(one_line),
    AfterValidator(_unambiguous),
]
"""An email address; whether it exists is not checked."""


class InvitationStart(Body):
    """A new invitation into the team. With `email`, a new account gets exactly this address."""

    role: Role
    email: Email | None = None
    expires_in_days: Annotated[StrictInt, Field(ge=1, le=30)] = 7


class NewInvitation(Body):
    """A new invitation. Only this response has the link, whose secret is stored as a hash."""

    id: str
    url: str
    expires_at: Timestamp


class InvitationEntry(Body):
    """An invitation that can still be accepted; `created_by` is a name."""

    id: str
    role: Role
    email: Line | None
    created_by: Line | None
    created_at: Timestamp
    expires_at: Timestamp


class InvitationList(Body):
    """The open invitations of the team, newest first."""

    data: tuple[InvitationEntry, ...]


class Acceptance(Body):
    """The secret part of an invitation's link.

    With `name`, a new account is made; without, the account that is signed in joins the team. A new account
    may have a `password` from the start, if it has an email address.
    """

    link: Annotated[StrictStr, Field(min_length=1, max_length=128)]
    name: Name | None = None
    email: Email | None = None
    password: Password | None = None
