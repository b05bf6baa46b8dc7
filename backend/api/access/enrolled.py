"""The worker of an enrolled host as a caller: its token, and the runs and trials that it may name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request

from backend.api.access.authentication import bearer_token
from backend.api.client_address import client_address
from backend.api.errors import Unauthenticated
from backend.core.errors import NotFound
from backend.settings import Settings
from backend.store.ids import Prefix
from backend.store.repositories import enrolled_hosts, host_tokens, owners
from backend.store.repositories.host_tokens import EnrolledHost
from backend.store.secrets import HOST, digest
from backend.store.session import session_scope

OBJECTS: Final[Mapping[str, Prefix]] = {"run_id": "run", "trial_id": "trl"}
"""Path parameters of a worker's operations; each has to be one of the host's own."""


def authenticate_host(settings: Settings, request: Request) -> EnrolledHost:
    """The host whose token a request has. Raises Unauthenticated; a cookie or an API token is none."""
    token = bearer_token(request.headers.get("authorization", ""), HOST)
    if token is None:
        raise Unauthenticated("send the token of an enrolled host in the Authorization header")
    with session_scope(settings) as session:
        found = host_tokens.by_token(session, digest(token), client_address(request.scope))
    if found is None:
        raise Unauthenticated("this host's token is unknown or was revoked: enrol the host again")
    return found


def check_objects(settings: Settings, request: Request, host: EnrolledHost) -> None:
    """Raise NotFound unless every object that the path names is of a run of this host."""
    named = [(OBJECTS[name], str(value)) for name, value in request.path_params.items() if name in OBJECTS]
    if not named:
        return
    with session_scope(settings) as session:
        for kind, object_id in named:
            if not enrolled_hosts.owns(session, host.host_id, kind, object_id):
                raise NotFound(f"there is no such {owners.KINDS[kind]}")
