"""Requests and responses of /teams."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from backend.api.access.actor import Role
from backend.api.invitations.schemas import Email, NewInvitation
from backend.api.schema import Body, Line, PageQuery, Timestamp
from backend.api.tokens.schemas import Name


class TeamQuery(PageQuery):
    """A page of the teams, optionally only those whose name contains `text`, in any case."""

    text: Annotated[str, Field(min_length=1, max_length=100)] | None = None


class TeamStart(Body):
    """A new team. With `email`, a new account of its first administrator gets exactly this address."""

    name: Name
    email: Email | None = None


class TeamRename(Body):
    """The new name of a team."""

    name: Name


class TeamEntry(Body):
    """A team and what it has. `administrators` counts those that are not disabled."""

    id: str
    name: Line
    created_at: Timestamp
    members: int
    administrators: int
    experiments: int
    runs: int


class TeamList(Body):
    """One page of the teams, by name."""

    data: tuple[TeamEntry, ...]
    next_cursor: str | None


class NewTeam(Body):
    """A new team, and the invitation of its first administrator; only this response has its link."""

    id: str
    name: Line
    invitation: NewInvitation


class TeamMemberRole(Body):
    """The role of an account in the team."""

    role: Role
