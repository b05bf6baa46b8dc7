"""Creates, changes and deletes teams and their memberships, for administrators of the installation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor, Role
from backend.api.invitations.schemas import InvitationStart, NewInvitation
from backend.api.paging import read_rows
from backend.api.teams.schemas import NewTeam, TeamEntry, TeamList, TeamQuery, TeamStart
from backend.core.errors import NotFound
from backend.settings import Settings
from backend.store.ids import is_id
from backend.store.repositories import invitations, members, teams
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope


def read_list(settings: Settings, query: TeamQuery) -> TeamList:
    """One page of the teams."""

    def read(session: Session, limit: int, after: str | None) -> list[teams.ListedTeam]:
        return teams.page(session, query.text, limit, after)

    rows, next_cursor = read_rows(settings, query, read)
    return TeamList(data=tuple(map(TeamEntry.model_validate, rows)), next_cursor=next_cursor)


def create(settings: Settings, actor: Actor, start: TeamStart) -> NewTeam:
    """Store a new team with an invitation of its first administrator. Raises Conflict."""
    with session_scope(settings) as session:
        team_id = teams.add(session, start.name)
        first = InvitationStart(role="admin", email=start.email)
        invitation = _invite(session, settings, actor, team_id, first)
    return NewTeam(id=team_id, name=start.name, invitation=invitation)


def invite(settings: Settings, actor: Actor, team_id: str, start: InvitationStart) -> NewInvitation:
    """Store a new invitation into any team. Raises NotFound."""
    with session_scope(settings) as session:
        teams.lock(session, _team(team_id))
        return _invite(session, settings, actor, team_id, start)


def _invite(
    session: Session, settings: Settings, actor: Actor, team_id: str, start: InvitationStart
) -> NewInvitation:
    secret, lifetime = new_secret(), timedelta(days=start.expires_in_days)
    invitation_id = invitations.add(
        session, team_id, actor.account_id, start.role, start.email, digest(secret), lifetime
    )
    url = f"{settings.base_url}/invitation#{secret}"
    return NewInvitation(id=invitation_id, url=url, expires_at=datetime.now(UTC) + lifetime)


def rename(settings: Settings, team_id: str, name: str) -> TeamEntry:
    """Change a team's name. Raises NotFound and Conflict."""
    with session_scope(settings) as session:
        teams.rename(session, _team(team_id), name)
        return TeamEntry.model_validate(teams.read(session, team_id))


def delete(settings: Settings, team_id: str) -> None:
    """Delete an empty team. Raises NotFound and Conflict."""
    with session_scope(settings) as session:
        teams.remove(session, _team(team_id))


def set_member(settings: Settings, team_id: str, account_id: str, role: Role) -> None:
    """Give an account a role in a team. Raises NotFound, and Conflict for the team's last administrator."""
    with session_scope(settings) as session:
        teams.lock(session, _team(team_id))
        teams.add_member(session, team_id, _account(account_id), role)
        members.set_role(session, team_id, account_id, role)


def remove_member(settings: Settings, team_id: str, account_id: str) -> None:
    """End a membership. Raises NotFound, and Conflict for the team's last administrator."""
    with session_scope(settings) as session:
        members.remove(session, _team(team_id), _account(account_id))


def _team(team_id: str) -> str:
    if not is_id("tem", team_id):
        raise NotFound("there is no such team")
    return team_id


def _account(account_id: str) -> str:
    if not is_id("acc", account_id):
        raise NotFound("there is no such account")
    return account_id
