"""Whether the service lives and can work, and the schema of the document; outside /api/v1."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import JSONResponse

from backend.api.request import Config
from backend.api.wire import Wire
from backend.core.definition.schema import json_schema
from backend.core.errors import Unavailable
from backend.store.repositories import health
from backend.store.session import session_scope

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process answers; served outside the shared threads, however busy these are."""
    return {"status": "ok"}


@router.get("/readyz")
def readyz(settings: Config, request: Request) -> Response:
    """Database and Redis answer; names the one that does not. Redis alone missing is no reason to wait."""
    wire: Wire = request.app.state.wire
    checks: dict[str, Any] = {"database": "ok", "redis": "ok" if wire.ping() else "does not answer"}
    try:
        with session_scope(settings) as session:
            health.answer(session)
    except Unavailable as error:
        checks["database"] = str(error).removeprefix("the database ")
    ready = checks["database"] == "ok"
    code = status.HTTP_200_OK if ready else status.HTTP_503_SERVICE_UNAVAILABLE
    return JSONResponse({"status": "ok" if ready else "unavailable", "checks": checks}, code)


@router.get("/schema/experiment.v1.json")
def experiment_schema() -> JSONResponse:
    """The JSON Schema of an experiment document, for editors."""
    return JSONResponse(json_schema(), media_type="application/schema+json")
