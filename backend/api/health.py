"""Liveness, readiness and the experiment's JSON Schema; outside /api/v1."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import JSONResponse

from backend.api.notifier import Notifier
from backend.api.outages import OutageTracker, host_outages
from backend.api.request import Config
from backend.core.definition.schema import json_schema
from backend.core.errors import Unavailable
from backend.store.repositories import health, hosts
from backend.store.repositories.hosts import KnownHost
from backend.store.session import session_scope

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process is alive. Async, so that a full thread pool does not delay it."""
    return {"status": "ok"}


@router.get("/readyz")
def readyz(settings: Config, request: Request) -> Response:
    """Whether database and Redis answer. `away` lists outages, also of workers, with start and effect.

    503 only if the database is unavailable: the API works without the others.
    """
    notifier: Notifier = request.app.state.notifier
    outages: OutageTracker = request.app.state.outages
    failures: dict[str, str | None] = {
        "database": None,
        "redis": None if notifier.ping() else "does not answer",
    }
    known: list[KnownHost] = []
    try:
        with session_scope(settings) as session:
            health.check_schema(session)
            known = hosts.list_all(session)
    except Unavailable as error:
        failures["database"] = str(error).removeprefix("the database ")
    away = [found for part, reason in failures.items() if (found := outages.update(part, reason))]
    away += [found for host in known for found in host_outages(host)]
    ready = failures["database"] is None
    body = {
        "status": "ok" if ready else "unavailable",
        "checks": {part: reason or "ok" for part, reason in failures.items()},
        "away": [found.model_dump(mode="json") for found in away],
    }
    return JSONResponse(body, status.HTTP_200_OK if ready else status.HTTP_503_SERVICE_UNAVAILABLE)


@router.get("/schema/experiment.v1.json")
def experiment_schema() -> JSONResponse:
    """The JSON Schema of an experiment document."""
    return JSONResponse(json_schema(), media_type="application/schema+json")
