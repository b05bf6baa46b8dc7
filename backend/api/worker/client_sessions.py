"""Client sessions of /worker: a host runs the client of another host's trial (decision 0049)."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends
from pydantic import Field, StrictStr
from sqlalchemy.orm import Session

from backend.api.access.guard import CallingHost
from backend.api.request import Config, json_only
from backend.api.schema import Body
from backend.api.security import MAX_RECORD_BYTES
from backend.api.worker import session_addresses
from backend.api.worker.record_body import RecordRoute
from backend.api.worker.schemas import Fence, Report
from backend.api.worker.version import Speaking
from backend.core.errors import NotFound
from backend.core.plan.client_session import ClientSession, Phase, side_of
from backend.store.ids import is_id
from backend.store.repositories import client_sessions
from backend.store.repositories.host_tokens import EnrolledHost
from backend.store.session import session_scope

LONGEST_REASON: Final = 1000

router = APIRouter(
    prefix="/worker",
    dependencies=[Depends(json_only)],
    route_class=RecordRoute,  # what a client brings back has raw output, as a record
    max_body_size=MAX_RECORD_BYTES,
)


class SessionStep(Report):
    """A phase that one side enters, or null to read the session; `document` is what the side says in it."""

    trial_id: Annotated[StrictStr, Field(max_length=64)]
    fence: Fence
    phase: Phase | None = None
    document: dict[str, Any] | None = None
    reason: Annotated[StrictStr, Field(max_length=LONGEST_REASON)] = ""


class SessionState(Body):
    """The session's phase, what the side that entered it has said, and why the session ended.

    `must_yield`: another host, which goes first, waits for this one.
    """

    phase: Phase
    document: dict[str, Any]
    reason: str
    must_yield: bool


class RequestedClient(Body):
    """A session that waits for the calling host's client. `host` is the name of the trial's own host."""

    trial_id: str
    fence: int
    document: dict[str, Any]
    host: str


class NextRequest(Body):
    """The session that the host should accept next, or null."""

    request: RequestedClient | None


@router.get("/client-request", operation_id="nextClientRequest")
def next_client_request(settings: Config, host: CallingHost, worker: Speaking) -> NextRequest:
    """Read the oldest session that waits for this host's client."""
    with session_scope(settings) as session:
        found = client_sessions.next_request(session, host.host_id)
    if found is None:
        return NextRequest(request=None)
    request = RequestedClient(
        trial_id=found.trial_id, fence=found.fence, document=dict(found.document), host=found.host
    )
    return NextRequest(request=request)


@router.post("/client-session", operation_id="moveClientSession")
def move_client_session(
    settings: Config, host: CallingHost, worker: Speaking, given: SessionStep
) -> SessionState:
    """Enter a phase of a trial's client session, or read it; each call is a sign of life of its side.

    Only the trial's host and its run's client host know the session.
    """
    if not is_id("trl", given.trial_id):
        raise NotFound("there is no such client session")
    with session_scope(settings) as session:
        if given.phase == "requested":
            document = given.document or {}
            seen = client_sessions.request(session, host.host_id, given.trial_id, given.fence, document)
        else:
            seen = _move(session, host, given)
    return _state(seen)


def _move(session: Session, host: EnrolledHost, given: SessionStep) -> ClientSession:
    """The session after a step; ended where the host names an address that is not known to be its own."""
    phase, document, reason = given.phase, given.document or {}, given.reason
    if phase is not None and side_of(phase) == client_sessions.side(session, host.host_id, given.trial_id):
        document, why = session_addresses.admitted(session, host.host_id, host.host_name, phase, document)
        if why:
            phase, document, reason = "ended", {"kind": "failed", "code": session_addresses.CODE}, why
    return client_sessions.move(
        session, host.host_id, given.trial_id, given.fence, phase, document, reason[:LONGEST_REASON]
    )


def _state(seen: ClientSession) -> SessionState:
    return SessionState(
        phase=seen.phase, document=dict(seen.document), reason=seen.reason, must_yield=seen.must_yield
    )
