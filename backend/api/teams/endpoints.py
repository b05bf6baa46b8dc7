"""The routes of /teams."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.invitations.schemas import InvitationStart, NewInvitation
from backend.api.paging import link_next
from backend.api.request import Config, StrictRoute, json_only
from backend.api.teams import service
from backend.api.teams.schemas import (
    NewTeam,
    TeamEntry,
    TeamList,
    TeamMemberRole,
    TeamQuery,
    TeamRename,
    TeamStart,
)

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.get("/teams", operation_id="listTeams")
def list_teams(settings: Config, query: Annotated[TeamQuery, Query()], response: Response) -> TeamList:
    """List the teams of the installation."""
    found = service.read_list(settings, query)
    link_next(response, "/api/v1/teams", query, found.next_cursor)
    response.headers["Cache-Control"] = "no-store"
    return found


@router.post("/teams", operation_id="createTeam", status_code=status.HTTP_201_CREATED)
def create_team(
    settings: Config, caller: Caller, request: Request, response: Response, start: TeamStart
) -> NewTeam:
    """Create a team; only this response has the link that invites its first administrator.

    The caller does not become a member.
    """
    response.headers["Cache-Control"] = "no-store"
    created = service.create(settings, caller, start)
    request.state.created = created.id
    return created


@router.patch("/teams/{team_id:id}", operation_id="updateTeam")
def update_team(settings: Config, team_id: str, response: Response, change: TeamRename) -> TeamEntry:
    """Rename a team."""
    response.headers["Cache-Control"] = "no-store"
    return service.rename(settings, team_id, change.name)


@router.delete("/teams/{team_id:id}", operation_id="deleteTeam", status_code=status.HTTP_204_NO_CONTENT)
def delete_team(settings: Config, team_id: str) -> None:
    """Delete a team without experiments and runs, with its tokens, invitations and webhooks."""
    service.delete(settings, team_id)


@router.post(
    "/teams/{team_id:id}/invitations",
    operation_id="createTeamInvitation",
    status_code=status.HTTP_201_CREATED,
)
def create_team_invitation(
    settings: Config, caller: Caller, team_id: str, response: Response, start: InvitationStart
) -> NewInvitation:
    """Invite somebody into any team; only this response has the link, which works once."""
    response.headers["Cache-Control"] = "no-store"
    return service.invite(settings, caller, team_id, start)


@router.put(
    "/teams/{team_id:id}/members/{account_id:id}",
    operation_id="setTeamMember",
    status_code=status.HTTP_204_NO_CONTENT,
)
def set_team_member(settings: Config, team_id: str, account_id: str, member: TeamMemberRole) -> None:
    """Make an account a member of any team, or change its role there."""
    service.set_member(settings, team_id, account_id, member.role)


@router.delete(
    "/teams/{team_id:id}/members/{account_id:id}",
    operation_id="removeTeamMember",
    status_code=status.HTTP_204_NO_CONTENT,
)
def remove_team_member(settings: Config, team_id: str, account_id: str) -> None:
    """End a membership in any team: the account's sessions and tokens lose the team at once."""
    service.remove_member(settings, team_id, account_id)
