"""Requests and responses of /team."""

from __future__ import annotations

from pydantic import StrictBool

from backend.api.schema import Body, Line


class TeamSettings(Body):
    """The team that the caller works in.

    With `requires_second_factor`, members without a second factor may do nothing in the team until they have
    one.
    """

    id: str
    name: Line
    requires_second_factor: bool


class TeamChange(Body):
    """The settings to change; those that are left out stay."""

    requires_second_factor: StrictBool | None = None
