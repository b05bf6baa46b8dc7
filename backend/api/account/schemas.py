"""Requests and responses of /account."""

from __future__ import annotations

from typing import Literal

from backend.api.invitations.schemas import Email
from backend.api.passwords.rules import Password
from backend.api.schema import Body, Line, Timestamp
from backend.api.tokens.schemas import Name


class Account(Body):
    """The caller's own account.

    `password_change_needs` is what this browser needs to set a password: the current one, or a sign-in within
    the last 15 minutes.
    """

    id: str
    name: Line
    email: Line | None
    created_at: Timestamp
    has_password: bool
    password_change_needs: Literal["nothing", "current_password", "recent_sign_in"]


class AccountChange(Body):
    """The fields to replace; one that is left out stays as it is, and `email` null removes the address."""

    name: Name | None = None
    email: Email | None = None


class PasswordChange(Body):
    """The new password: 12 to 256 characters of any kind, hard to guess.

    `current_password` is not needed in a browser that a one-time link signed in within the last 15 minutes,
    nor for an account without a password in a browser that signed in within that time.
    """

    current_password: Password | None = None
    new_password: Password
