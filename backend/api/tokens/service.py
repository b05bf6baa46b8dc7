"""Creates, lists and revokes API tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from backend.api.access.actor import Actor, Role, Scope
from backend.api.access.guard import team_of
from backend.api.tokens.schemas import NewToken, TokenEntry, TokenList, TokenStart
from backend.core.errors import Invalid, NotFound
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
    role = actor.roles[team_of(actor)]
    if extra := set(start.scopes) - set(SCOPES_OF_ROLE[role]):
        detail = f"your role {role} does not have {', '.join(sorted(extra))}"
        raise Invalid.at("/scopes", "scope_not_allowed", detail)
    if start.expires_in_days is None and role != "admin":
        detail = "1 to 365: only an administrator of the team makes tokens that never expire"
        raise Invalid.at("/expires_in_days", "expiry_required", detail)
    lifetime = None if start.expires_in_days is None else timedelta(days=start.expires_in_days)
    token = new_token()
    with session_scope(settings) as session:
        token_id = callers.add_token(
            session,
            actor.account_id,
            team_of(actor),
            start.name,
            token[:SHOWN],
            digest(token),
            tuple(sorted(set(start.scopes))),
            lifetime,
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


def _own(actor: Actor) -> str | None:
    return None if actor.has_role(actor.team_id, "admin") else actor.account_id
