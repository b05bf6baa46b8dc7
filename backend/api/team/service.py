"""Reads and changes the settings of a team."""

from __future__ import annotations

from backend.api.access.actor import Actor
from backend.api.team.schemas import TeamChange, TeamSettings
from backend.core.errors import Conflict
from backend.settings import Settings
from backend.store.repositories import accounts
from backend.store.session import session_scope


def read(settings: Settings, actor: Actor) -> TeamSettings:
    """The settings of the caller's team."""
    with session_scope(settings) as session:
        (found,) = accounts.teams(session, (actor.team,))
    return TeamSettings.model_validate(found)


def change(settings: Settings, actor: Actor, given: TeamChange) -> TeamSettings:
    """Change settings of the caller's team. Raises Conflict.

    Who requires a second factor has proved one: nobody locks themselves out.
    """
    required = given.requires_second_factor
    if required is not None:
        with session_scope(settings) as session:
            if required and not actor.proved_second_factor:
                raise Conflict("set up your own second factor first, or enter a code of it, at /account")
            accounts.require_second_factor(session, actor.team, required)
    return read(settings, actor)
