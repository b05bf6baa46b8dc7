"""Requests and responses of /members."""

from __future__ import annotations

from backend.api.access.actor import Role
from backend.api.schema import Body, Line, Timestamp


class MemberEntry(Body):
    """An account with its role in the team; only administrators see `email`."""

    account_id: str
    name: Line
    email: Line | None
    role: Role
    disabled: bool
    joined_at: Timestamp


class MemberList(Body):
    """The members of the team, by name."""

    data: tuple[MemberEntry, ...]


class MemberChange(Body):
    """The new role of a member."""

    role: Role
