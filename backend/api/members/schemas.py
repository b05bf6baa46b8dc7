"""Requests and responses of /members."""

from __future__ import annotations

from backend.api.access.actor import Role
from backend.api.schema import Body, Line, Timestamp


class MemberEntry(Body):
    """An account with its role in the team; only administrators see `email` and `second_factor`.

    `second_factor`: whether the account has one, or signs in by the identity provider.
    """

    account_id: str
    name: Line
    email: Line | None
    role: Role
    disabled: bool
    joined_at: Timestamp
    second_factor: bool | None


class MemberList(Body):
    """The members of the team, by name."""

    data: tuple[MemberEntry, ...]


class MemberChange(Body):
    """The new role of a member."""

    role: Role
