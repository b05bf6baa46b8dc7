"""The worker of an enrolled host as a caller: its token, and the runs and trials that it may name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from backend.api.access.authentication import bearer_token
from backend.api.client_address import client_address
from backend.api.errors import Unauthenticated
from backend.settings import Settings
from backend.store.ids import Prefix
from backend.store.repositories import enrolled_hosts, host_tokens, owners
from backend.store.repositories.host_tokens import EnrolledHost
from backend.store.secrets import HOST, digest
from backend.store.session import session_scope

OBJECTS: Final[Mapping[str, Prefix]] = {"run_id": "run", "trial_id": "trl"}
"""Path parameters of a worker's operations; each has to be one of the host's own."""


@dataclass(frozen=True)
class Recognised:
    """The host whose worker calls; `missing` is what it names that is not its own, or None."""

    host: EnrolledHost
    missing: str | None


def recognise_host(settings: Settings, request: Request) -> Recognised:
    """The host whose token a request has, and whether every run and trial in the path is its own.

    Raises Unauthenticated; a cookie or an API token is no host's token.
    """
    token = bearer_token(request.headers.get("authorization", ""), HOST)
    if token is None:
        raise Unauthenticated("send the token of an enrolled host in the Authorization header")
    named = [(OBJECTS[name], str(value)) for name, value in request.path_params.items() if name in OBJECTS]
    with session_scope(settings) as session:
        host = host_tokens.by_token(session, digest(token), client_address(request.scope))
        if host is None:
            raise Unauthenticated("this host's token is unknown or was revoked: enrol the host again")
        foreign = (kind for kind, id_ in named if not enrolled_hosts.owns(session, host.host_id, kind, id_))
        kind = next(foreign, None)
    return Recognised(host, None if kind is None else f"there is no such {owners.KINDS[kind]}")
