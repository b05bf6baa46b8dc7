"""Finds out who calls: an API token in the Authorization header, or a session cookie."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final, cast

from starlette.requests import Request

from backend.api.access.actor import SCOPES, Actor, Role
from backend.api.errors import Forbidden, Unauthenticated
from backend.settings import Settings
from backend.store.repositories import callers
from backend.store.repositories.callers import FoundCaller
from backend.store.secrets import HOST, PREFIX, TokenPrefix, digest, is_token
from backend.store.session import session_scope

TEAM_HEADER: Final = "plimsoll-team"
CSRF_HEADER: Final = "x-csrf-token"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
MAX_COOKIE: Final = 128


def cookie_name(settings: Settings) -> str:
    """The session cookie's name; with https, it has the prefix that browsers bind to https and one host.

    A browser sends a cookie to every port of a host; the installation's id keeps two installations apart.
    """
    own = f"plimsoll-{settings.install_id}"
    return f"__Host-{own}" if settings.is_https else own


def device_cookie_name(settings: Settings) -> str:
    """The name of the cookie by which a browser is known after its session has ended."""
    return f"{cookie_name(settings)}-device"


def csrf_token(cookie: str) -> str:
    """The value that a page sends with every request that changes something; a page of another origin cannot.

    It is derived from the cookie (HMAC-SHA256), so that nothing more has to be stored.
    """
    return hmac.new(cookie.encode(), b"csrf", hashlib.sha256).hexdigest()[:32]


def authenticate(settings: Settings, request: Request) -> Actor | None:
    """The caller; None without credentials. Blocks on the database.

    Raises Unauthenticated for credentials that are not valid, and Forbidden for a request with a cookie that
    changes something and has no CSRF token. A token has precedence: then cookies are ignored.
    """
    authorization = request.headers.get("authorization")
    if authorization is not None:
        return _in_team(request, _by_token(settings, authorization))
    cookie = request.cookies.get(cookie_name(settings))
    if not cookie:
        return None
    actor = _by_cookie(settings, cookie)
    if request.method not in SAFE_METHODS:
        given = request.headers.get(CSRF_HEADER, "")
        if not hmac.compare_digest(given.encode(), csrf_token(cookie).encode()):
            raise Forbidden("csrf", f"send the csrf_token of GET /api/v1/session in the header {CSRF_HEADER}")
    return _in_team(request, actor)


def has_credentials(settings: Settings, request: Request) -> bool:
    """Whether a request has a token or a session cookie; what lacks the form of one was never given out."""
    authorization = request.headers.get("authorization")
    if authorization is not None:
        return any(bearer_token(authorization, kind) is not None for kind in (PREFIX, HOST))
    return 0 < len(request.cookies.get(cookie_name(settings), "")) <= MAX_COOKIE


def bearer_token(authorization: str, prefix: TokenPrefix) -> str | None:
    """The token of an Authorization header, None unless it has the form and the checksum of this kind."""
    scheme, _, given = authorization.partition(" ")
    token = given.strip()
    return token if scheme.lower() == "bearer" and is_token(token, prefix) else None


def _by_token(settings: Settings, authorization: str) -> Actor:
    token = bearer_token(authorization, PREFIX)
    if token is None:
        raise Unauthenticated("the Authorization header has no valid token: send Bearer plm_…")
    with session_scope(settings) as session:
        found = callers.by_token(session, digest(token))
    if found is None:
        raise Unauthenticated("this token is unknown, was revoked or has expired")
    return _actor(found, is_token=True)


def _by_cookie(settings: Settings, cookie: str) -> Actor:
    found = None
    if len(cookie) <= MAX_COOKIE:
        with session_scope(settings) as session:
            found = callers.by_session(session, digest(cookie))
    if found is None:
        raise Unauthenticated("you are signed out: sign in again")
    return _actor(found, is_token=False)


def _actor(found: FoundCaller, is_token: bool) -> Actor:
    return Actor(
        kind="token" if is_token else "session",
        id=found.id,
        account_id=found.account_id,
        label=found.name,
        email=found.email,
        team_id=found.team_id,
        roles=cast("dict[str, Role]", found.roles),
        installation_admin=found.installation_admin,
        scopes=frozenset(found.scopes) & frozenset(SCOPES) if is_token else None,
        token_prefix=found.token_prefix,
        withheld=cast("dict[str, Role]", found.withheld),
        proved_second_factor=found.proved_second_factor,
        signed_in_recently=found.signed_in_recently,
    )


def _in_team(request: Request, actor: Actor) -> Actor:
    """The actor in the team that the request's header names. Raises Forbidden."""
    team = request.headers.get(TEAM_HEADER)
    if team is None or team == actor.team_id:
        return actor
    if team not in actor.roles | actor.withheld:
        raise Forbidden("forbidden", "you are no member of the team in the header Plimsoll-Team")
    return in_team(actor, team)


def in_team(actor: Actor, team_id: str) -> Actor:
    """The same caller, acting in another of its teams."""
    return Actor(**{**vars(actor), "team_id": team_id})
