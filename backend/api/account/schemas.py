"""Requests and responses of /account."""

from __future__ import annotations

from backend.api.invitations.schemas import Email
from backend.api.schema import Body, Line, Timestamp
from backend.api.tokens.schemas import Name


class Account(Body):
    """The caller's own account."""

    id: str
    name: Line
    email: Line | None
    created_at: Timestamp


class AccountChange(Body):
    """The fields to replace; one that is left out stays as it is, and `email` null removes the address."""

    name: Name | None = None
    email: Email | None = None
