"""The routes of /worker."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, status

from backend.api.access.guard import CallingHost
from backend.api.client_address import client_address
from backend.api.notifier import Notifier
from backend.api.request import Config, StrictRoute, json_only
from backend.api.security import MAX_RECORD_BYTES
from backend.api.worker import joining, service
from backend.api.worker.record_body import RECORD_OPENAPI, RecordRoute
from backend.api.worker.schemas import (
    Claim,
    ClaimedAttempt,
    ClaimRequest,
    Ended,
    Ending,
    Enrolled,
    Enrolling,
    EnvironmentChange,
    Heartbeat,
    HostAnnouncement,
    HostOrders,
    HostReport,
    MeasuredTrial,
    Recorded,
    ServedCells,
    TakeOver,
)
from backend.api.worker.version import Speaking, WorkerVersion, check_protocol, installed

router = APIRouter(prefix="/worker", dependencies=[Depends(json_only)], route_class=StrictRoute)
records = APIRouter(
    prefix="/worker",
    dependencies=[Depends(json_only)],
    route_class=RecordRoute,
    max_body_size=MAX_RECORD_BYTES,
)


def _notifier(request: Request) -> Notifier:
    notifier: Notifier = request.app.state.notifier
    return notifier


@router.post("/enrolment", operation_id="enrolHost", status_code=status.HTTP_201_CREATED)
def enrol_host(settings: Config, request: Request, given: Enrolling) -> Enrolled:
    """Join with an enrolment; only this response has the host's token.

    An enrolment works once. The same request again, within ten minutes, gets a new token in place of the
    first one, whose response may have been lost.
    """
    check_protocol(settings, WorkerVersion(given.release, given.protocol, installed(request)))
    enrolled = joining.join(settings, given, client_address(request.scope))
    request.state.created = enrolled.host_id
    return enrolled


@router.put("/host", operation_id="announceHost")
def announce_host(
    settings: Config, host: CallingHost, worker: Speaking, given: HostAnnouncement
) -> HostOrders:
    """Announce what the host can run, at the worker's start."""
    return service.announce(settings, host, worker, given)


@router.delete("/host", operation_id="leaveServer", status_code=status.HTTP_204_NO_CONTENT)
def leave_server(settings: Config, host: CallingHost, request: Request) -> None:
    """Revoke the host's own token; its name may then be enrolled again. Runs and results stay."""
    joining.leave(settings, host)
    request.state.object = host.host_name


@router.post("/seen", operation_id="reportHost")
def report_host(settings: Config, host: CallingHost, worker: Speaking, given: HostReport) -> HostOrders:
    """Report that the worker runs, its conditions, disk and clock."""
    return service.report(settings, host, worker, given)


@router.post("/take-over", operation_id="takeOverTrials")
def take_over_trials(settings: Config, host: CallingHost, worker: Speaking) -> TakeOver:
    """End the leases of the host's earlier workers, which are gone."""
    return TakeOver(trials=service.take_over(settings, host))


@router.post("/claims", operation_id="claimTrial")
def claim_trial(
    settings: Config, request: Request, host: CallingHost, worker: Speaking, given: ClaimRequest
) -> Claim:
    """Claim the host's next trial for 60 s. The same key again gets the same trial and fence."""
    return service.claim(settings, _notifier(request), host, given)


@router.patch(
    "/runs/{run_id:id}/environment",
    operation_id="addRunEnvironment",
    status_code=status.HTTP_204_NO_CONTENT,
)
def add_run_environment(
    settings: Config, host: CallingHost, worker: Speaking, run_id: str, given: EnvironmentChange
) -> None:
    """Add facts of the host to a run."""
    service.add_environment(settings, run_id, given.environment)


@router.post(
    "/runs/{run_id:id}/interim-analysis",
    operation_id="analyseRun",
    status_code=status.HTTP_204_NO_CONTENT,
)
def analyse_run(settings: Config, request: Request, host: CallingHost, worker: Speaking, run_id: str) -> None:
    """Make the run's next interim analysis, if all trials before it have ended."""
    service.analyse(settings, _notifier(request), run_id)


@router.get("/runs/{run_id:id}/cells", operation_id="listServedCells")
def list_served_cells(settings: Config, host: CallingHost, worker: Speaking, run_id: str) -> ServedCells:
    """List every cell of which the run still has trials."""
    return service.served_cells(settings, run_id)


@router.post("/trials/{trial_id:id}/heartbeat", operation_id="beatTrial")
def beat_trial(
    settings: Config, host: CallingHost, worker: Speaking, trial_id: str, given: ClaimedAttempt
) -> Heartbeat:
    """Extend the lease of a running trial to 60 s from now."""
    return Heartbeat(beat=service.heartbeat(settings, trial_id, given.fence))


@records.put("/trials/{trial_id:id}/record", operation_id="recordTrial", openapi_extra=RECORD_OPENAPI)
def record_trial(
    settings: Config,
    request: Request,
    host: CallingHost,
    worker: Speaking,
    trial_id: str,
    given: MeasuredTrial,
) -> Recorded:
    """Store a finished trial, once, however often it is sent."""
    return service.record(settings, _notifier(request), trial_id, given)


@router.post("/trials/{trial_id:id}/ending", operation_id="endTrial")
def end_trial(
    settings: Config, request: Request, host: CallingHost, worker: Speaking, trial_id: str, given: Ending
) -> Ended:
    """End an attempt without a record: the trial fails, is cancelled, or returns to the queue."""
    return Ended(ended=service.end(settings, _notifier(request), trial_id, given))
