"""Creates, lists and revokes API tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor, Role, Scope
from backend.api.access.guard import team_of
from backend.api.tokens.schemas import DEFAULT_DAYS, MAX_DAYS, NewToken, TokenEntry, TokenList, TokenStart
from backend.core.errors import Conflict, Invalid, NotFound
from backend.settings import Settings
from backend.store.repositories import callers, tokens
from backend.store.secrets import SHOWN, digest, new_token
from backend.store.session import session_scope

_RUNNER: Final = ("run:read", "run:write", "run:host-network", "share:write")
SCOPES_OF_ROLE: Final[dict[Role, tuple[Scope, ...]]] = {
    "viewer": ("run:read",),
    "runner": _RUNNER,
    "admin": (*_RUNNER, "admin"),
}


def create(settings: Settings, actor: Actor, start: TokenStart) -> NewToken:
    """Store a new token in the caller's team. Raises Invalid for a scope or lifetime beyond its role."""
    team_id = team_of(actor)
    days = check(actor.roles[team_id], start.scopes, start.expires_in_days)
    scopes = tuple(sorted(set(start.scopes)))
    with session_scope(settings) as session:
        return mint(session, actor.account_id, team_id, start.name, scopes, days)


def check(role: Role, scopes: tuple[Scope, ...], expires_in_days: int | None) -> int:
    """The lifetime of a token. Raises Invalid unless a member with this role may have such a token."""
    if extra := set(scopes) - set(SCOPES_OF_ROLE[role]):
        detail = f"your role {role} does not have {', '.join(sorted(extra))}"
        raise Invalid.at("/scopes", "scope_not_allowed", detail)
    if expires_in_days is None:
        detail = f"1 to {MAX_DAYS} days; left out, it is {DEFAULT_DAYS}: no token works for ever"
        raise Invalid.at("/expires_in_days", "expiry_required", detail)
    return expires_in_days


def mint(
    session: Session,
    account_id: str,
    team_id: str,
    name: str,
    scopes: tuple[str, ...],
    expires_in_days: int,
) -> NewToken:
    """Store a new token, whose rights were checked. Raises Conflict if the account has too many."""
    tokens.require_room(session, team_id, account_id)
    lifetime, token = timedelta(days=expires_in_days), new_token()
    token_id = callers.add_token(
        session, account_id, team_id, name, token[:SHOWN], digest(token), scopes, lifetime
    )
    return NewToken(id=token_id, token=token)


def read_list(settings: Settings, actor: Actor) -> TokenList:
    """The caller's own tokens of its team; all of the team for an administrator."""
    with session_scope(settings) as session:
        found = tokens.listed(session, team_of(actor), _own(actor))
    return TokenList(data=tuple(map(TokenEntry.model_validate, found)))


def revoke(settings: Settings, actor: Actor, token_id: str) -> None:
    """Revoke a token. Raises NotFound for another's, unless the caller is an administrator."""
    with session_scope(settings) as session:
        if not tokens.revoke(session, token_id, team_of(actor), _own(actor)):
            raise NotFound("there is no such token")


def end_own(settings: Settings, actor: Actor) -> None:
    """Revoke the token of the request. Raises Conflict for a browser, which has none."""
    if actor.kind != "token":
        raise Conflict("this request has no token: DELETE /api/v1/session signs a browser out")
    with session_scope(settings) as session:
        tokens.revoke(session, actor.id, team_of(actor), actor.account_id)


def _own(actor: Actor) -> str | None:
    return None if actor.has_role(actor.team_id, "admin") else actor.account_id
