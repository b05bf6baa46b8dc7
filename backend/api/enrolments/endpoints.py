"""The routes of /hosts/enrolments, and the revocation of a host."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.enrolments import service
from backend.api.enrolments.schemas import EnrolmentList, EnrolmentStart, NewEnrolment
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)


@router.post("/hosts/enrolments", operation_id="createEnrolment", status_code=status.HTTP_201_CREATED)
def create_enrolment(
    settings: Config, caller: Caller, request: Request, response: Response, start: EnrolmentStart
) -> NewEnrolment:
    """Let one host join, once; only this response has the secret."""
    response.headers["Cache-Control"] = "no-store"
    created = service.create(settings, caller, start)
    request.state.created = created.id
    return created


@router.get("/hosts/enrolments", operation_id="listEnrolments")
def list_enrolments(settings: Config, response: Response) -> EnrolmentList:
    """List the newest enrolments, those that were used or have ended too."""
    response.headers["Cache-Control"] = "no-store"
    return service.read_list(settings)


@router.delete(
    "/hosts/enrolments/{enrolment_id:id}",
    operation_id="revokeEnrolment",
    status_code=status.HTTP_204_NO_CONTENT,
)
def revoke_enrolment(settings: Config, enrolment_id: str) -> None:
    """Revoke an enrolment that nobody has used. To end a host's access, revoke the host."""
    service.revoke(settings, enrolment_id)


@router.post("/hosts/{host:id}:revoke", operation_id="revokeHost", status_code=status.HTTP_204_NO_CONTENT)
def revoke_host(settings: Config, request: Request, host: Annotated[str, Path(max_length=64)]) -> None:
    """Revoke the token of an enrolled host at once.

    Its runs and results stay; its name may be enrolled again.
    """
    service.revoke_host(settings, host)
    request.state.object = host
