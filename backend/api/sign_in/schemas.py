"""Requests of POST /sessions."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictStr

from backend.api.invitations.schemas import Email
from backend.api.passwords.rules import Password
from backend.api.schema import Body


class SignIn(Body):
    """Either the secret part of a one-time link, taken from its fragment, or email address and password.

    `code` is of the authenticator app, or a recovery code: for accounts with a second factor.
    """

    link: Annotated[StrictStr, Field(min_length=1, max_length=128)] | None = None
    email: Email | None = None
    password: Password | None = None
    code: Annotated[StrictStr, Field(min_length=1, max_length=32)] | None = None
