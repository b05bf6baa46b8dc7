"""The route of /imports."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.idempotency import Key
from backend.api.imports import service
from backend.api.imports.schemas import ImportStart
from backend.api.request import Config, ImportRoute, json_only
from backend.api.runs.schemas import Run
from backend.api.security import MAX_IMPORT_BYTES

router = APIRouter(prefix="/imports", max_body_size=MAX_IMPORT_BYTES, route_class=ImportRoute)


@router.post(
    "",
    operation_id="importRun",
    status_code=status.HTTP_201_CREATED,
    response_model=Run,
    dependencies=[Depends(json_only)],
)
def import_run(
    settings: Config,
    caller: Caller,
    request: Request,
    start: ImportStart,
    idempotency_key: Key = None,
) -> Response:
    """Store logs that were measured elsewhere as a finished run, all or none of them.

    The run has the metrics that the tools print, no CPU and no evidence of its paths. With an
    Idempotency-Key, a repeated request gets the first response again.
    """
    answer = service.store(settings, caller.team, start, idempotency_key, caller.account_id)
    request.state.created = answer.id
    return Response(
        answer.body, status.HTTP_201_CREATED, answer.headers("runs"), media_type="application/json"
    )
