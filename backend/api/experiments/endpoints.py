"""The routes of /experiments."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response, status

from backend.api.access.guard import Caller, GuardedRoute
from backend.api.capacity import CpuBound
from backend.api.experiments import service
from backend.api.experiments.schemas import ExperimentList, ExperimentResource
from backend.api.idempotency import Key, KeyLock
from backend.api.paging import link_next
from backend.api.request import DOCUMENT_BODY, Config, Submitted
from backend.api.runs import results
from backend.api.schema import Paging

router = APIRouter(prefix="/experiments", route_class=GuardedRoute)


@router.post(
    "",
    operation_id="createExperiment",
    status_code=status.HTTP_201_CREATED,
    responses={200: {"model": ExperimentResource, "description": "The same document was already stored"}},
    response_model=ExperimentResource,
    openapi_extra=DOCUMENT_BODY,
    dependencies=[KeyLock, CpuBound],
)
def create_experiment(
    settings: Config,
    caller: Caller,
    request: Request,
    document: Submitted,
    idempotency_key: Key = None,
) -> Response:
    """Store an experiment; for a canonical document that is already stored, 200 with the existing one.

    With an Idempotency-Key, a repeated request gets the first response again, with 200.
    """
    created = service.create(settings, caller.team, document, idempotency_key)
    request.state.created = created.answer.id
    code = status.HTTP_200_OK if created.existed else status.HTTP_201_CREATED
    headers = created.answer.headers("experiments")
    return Response(created.answer.body, code, headers, media_type="application/json")


@router.get("", operation_id="listExperiments")
def list_experiments(settings: Config, caller: Caller, paging: Paging, response: Response) -> ExperimentList:
    """List the experiments, newest first."""
    page = service.page(settings, caller.team, paging)
    link_next(response, "/api/v1/experiments", paging, page.next_cursor)
    return page


@router.delete("/{experiment_id}", operation_id="deleteExperiment", status_code=status.HTTP_204_NO_CONTENT)
def delete_experiment(settings: Config, experiment_id: str) -> None:
    """Delete an experiment for good, with all of its runs; none of them may still be queued or running."""
    for run_id in service.delete(settings, experiment_id):
        results.forget(settings, run_id)


@router.get("/{experiment_id}", operation_id="getExperiment")
def get_experiment(settings: Config, experiment_id: str) -> ExperimentResource:
    """Read one experiment."""
    return service.get(settings, experiment_id)
