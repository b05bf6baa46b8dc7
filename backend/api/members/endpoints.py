"""The routes of /members."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response, status

from backend.api.access.guard import Caller
from backend.api.members.schemas import MemberChange, MemberEntry, MemberList
from backend.api.request import Config, StrictRoute, json_only
from backend.core.errors import NotFound
from backend.store.ids import is_id
from backend.store.repositories import members
from backend.store.session import session_scope

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.get("/members", operation_id="listMembers")
def list_members(settings: Config, caller: Caller, response: Response) -> MemberList:
    """List the members of the team."""
    response.headers["Cache-Control"] = "no-store"
    sees_all = "admin" in caller.permissions()
    with session_scope(settings) as session:
        found = members.listed(session, caller.team)
    entries = (MemberEntry.model_validate(member) for member in found)
    hidden = {"email": None, "second_factor": None}
    shown = entries if sees_all else (entry.model_copy(update=hidden) for entry in entries)
    return MemberList(data=tuple(shown))


@router.patch("/members/{account_id:id}", operation_id="updateMember", status_code=status.HTTP_204_NO_CONTENT)
def update_member(settings: Config, caller: Caller, account_id: str, change: MemberChange) -> None:
    """Change a member's role; the last administrator of a team keeps the role."""
    with session_scope(settings) as session:
        members.set_role(session, caller.team, _member(account_id), change.role)


@router.delete(
    "/members/{account_id:id}", operation_id="removeMember", status_code=status.HTTP_204_NO_CONTENT
)
def remove_member(settings: Config, caller: Caller, account_id: str) -> None:
    """End a membership: the account's sessions and tokens lose the team at once."""
    with session_scope(settings) as session:
        members.remove(session, caller.team, _member(account_id))


def _member(account_id: str) -> str:
    if not is_id("acc", account_id):
        raise NotFound("there is no such member")
    return account_id
