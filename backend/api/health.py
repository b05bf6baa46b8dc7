"""Liveness, readiness and the experiment's JSON Schema; outside /api/v1."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from backend.api.access.authentication import authenticate
from backend.api.errors import Forbidden, Unauthenticated
from backend.api.readiness import readiness
from backend.api.request import Config
from backend.core.definition.schema import json_schema
from backend.core.errors import Unavailable
from backend.settings import Settings
from backend.web_address import is_loopback

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process is alive. Async, so that a full thread pool does not delay it."""
    return {"status": "ok"}


@router.get("/readyz")
def readyz(settings: Config, request: Request) -> Response:
    """Whether the API can serve: 503 without the database or with another version's tables.

    Details (`checks`, `outages`) are for people of this installation: where other hosts can reach the public
    port, the caller must be signed in; the private port always has them. `away` is deprecated: the outages of
    services only.
    """
    state = request.app.state
    found = readiness(settings, state.notifier, state.outages)
    local = is_loopback(settings.listen_host) and is_loopback(settings.origin.host)
    return JSONResponse(found.body if local or _is_known(settings, request) else found.public, found.status)


def _is_known(settings: Settings, request: Request) -> bool:
    """Whether the caller has valid credentials; without the database nobody has."""
    try:
        return authenticate(settings, request) is not None
    except (Unauthenticated, Forbidden, Unavailable):
        return False


@router.get("/schema/experiment.v1.json")
def experiment_schema() -> JSONResponse:
    """The JSON Schema of an experiment document."""
    return JSONResponse(json_schema(), media_type="application/schema+json")
