"""The routes of /invitations."""

from __future__ import annotations

from contextlib import nullcontext

from fastapi import APIRouter, Depends, Request, Response, status
from fastapi.concurrency import run_in_threadpool

from backend.api.access.actor import Actor
from backend.api.access.authentication import authenticate
from backend.api.access.guard import Caller
from backend.api.capacity import ConcurrencyLimit
from backend.api.errors import Unauthenticated
from backend.api.invitations import service
from backend.api.invitations.schemas import Acceptance, InvitationList, InvitationStart, NewInvitation
from backend.api.rate_limits.secret_routes import mark_right
from backend.api.request import Config, StrictRoute, json_only
from backend.api.sessions.endpoints import browser_of, signed_in
from backend.core.errors import Invalid
from backend.settings import Settings
from backend.store.repositories.accounts import Subject

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.post("/invitations", operation_id="createInvitation", status_code=status.HTTP_201_CREATED)
def create_invitation(
    settings: Config, caller: Caller, request: Request, response: Response, start: InvitationStart
) -> NewInvitation:
    """Invite somebody into the team; only this response has the link, which works once."""
    response.headers["Cache-Control"] = "no-store"
    created = service.create(settings, caller, start)
    request.state.created = created.id
    return created


@router.get("/invitations", operation_id="listInvitations")
def list_invitations(settings: Config, caller: Caller, response: Response) -> InvitationList:
    """List the invitations that can still be accepted."""
    response.headers["Cache-Control"] = "no-store"
    return service.read_list(settings, caller)


@router.delete(
    "/invitations/{invitation_id:id}",
    operation_id="revokeInvitation",
    status_code=status.HTTP_204_NO_CONTENT,
)
def revoke_invitation(settings: Config, caller: Caller, invitation_id: str) -> None:
    """Revoke an invitation."""
    service.revoke(settings, caller, invitation_id)


@router.post("/invitations:accept", operation_id="acceptInvitation", status_code=status.HTTP_204_NO_CONTENT)
async def accept_invitation(
    settings: Config, request: Request, response: Response, given: Acceptance
) -> None:
    """Accept an invitation as a new account, which this signs in, or as the account that is signed in."""
    slots: ConcurrencyLimit = request.app.state.password_slots
    actor = None if given.name is not None else await run_in_threadpool(_signed_in_actor, settings, request)
    try:
        async with nullcontext() if given.password is None else slots.slot():
            opened = await run_in_threadpool(service.accept, settings, actor, given, browser_of(request))
    except Invalid:
        mark_right(request.scope)
        raise
    if opened is not None:
        signed_in(settings, request, response, opened)
    elif actor is not None:
        request.state.subject = Subject(actor.account_id, actor.label, actor.team_id)


def _signed_in_actor(settings: Settings, request: Request) -> Actor | None:
    """The account of the browser. Raises Forbidden without its CSRF token; a token is no browser."""
    try:
        actor = authenticate(settings, request)
    except Unauthenticated:
        return None
    return actor if actor is not None and actor.kind == "session" else None
