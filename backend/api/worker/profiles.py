"""CPU profiles of /worker: taken in extra trials after a run has ended (decision 0056)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import Field, StrictStr, model_validator

from backend.api.access.guard import CallingHost
from backend.api.request import Config, json_only
from backend.api.schema import Body
from backend.api.security import MAX_RECORD_BYTES
from backend.api.worker.record_body import RECORD_OPENAPI, RecordRoute
from backend.api.worker.schemas import Code, Ended, Fence, Report
from backend.api.worker.version import Speaking
from backend.core.errors import Refused
from backend.core.sample.profile import CellProfile, problem_of
from backend.store.repositories import cell_profiles
from backend.store.session import session_scope, transaction

router = APIRouter(
    prefix="/worker",
    dependencies=[Depends(json_only)],
    route_class=RecordRoute,
    max_body_size=MAX_RECORD_BYTES,
)


class WantedProfile(Body):
    """A cell of an ended run that the host should profile; every later request names the fence."""

    run_id: str
    cell_id: str
    fence: int
    levels: dict[str, Any]
    replica: int


class ProfileClaim(Body):
    """The profile to take next; null if there is none."""

    profile: WantedProfile | None


class ProfileAttempt(Report):
    """The attempt that a request is about."""

    fence: Fence


class ProfileBeat(Body):
    """Whether the attempt goes on: not after a cancel, the run's deletion or a later claim."""

    wanted: bool


class ProfileEnding(ProfileAttempt):
    """The end of an attempt: its profile, or `code` and `reason` why none was taken."""

    profile: CellProfile | None = None
    code: Code | None = None
    reason: Annotated[StrictStr, Field(max_length=1000)] = ""

    @model_validator(mode="after")
    def _one_of_both(self) -> ProfileEnding:
        if (self.profile is None) == (self.code is None):
            raise ValueError("give either the field profile, or the field code with a reason")
        return self


@router.post("/profiles:claim", operation_id="claimProfile")
def claim_profile(settings: Config, host: CallingHost, worker: Speaking) -> ProfileClaim:
    """Claim the next CPU profile that an ended run of the host waits for.

    A profile that is still running counts as lost: a host has one worker.
    """
    found = transaction(settings, lambda session: cell_profiles.claim(session, host.host_id))
    return ProfileClaim(profile=None if found is None else WantedProfile.model_validate(found))


@router.post("/runs/{run_id:id}/cells/{cell_id}/profile/heartbeat", operation_id="beatProfile")
def beat_profile(
    settings: Config, host: CallingHost, worker: Speaking, run_id: str, cell_id: str, given: ProfileAttempt
) -> ProfileBeat:
    """Read whether an attempt goes on."""
    with session_scope(settings) as session:
        wanted = cell_profiles.is_wanted(session, host.host_id, run_id, cell_id, given.fence)
    return ProfileBeat(wanted=wanted)


@router.put(
    "/runs/{run_id:id}/cells/{cell_id}/profile", operation_id="endProfile", openapi_extra=RECORD_OPENAPI
)
def end_profile(
    settings: Config, host: CallingHost, worker: Speaking, run_id: str, cell_id: str, given: ProfileEnding
) -> Ended:
    """Store the profile of a cell, or why none was taken."""
    if given.profile is not None and (problem := problem_of(given.profile)) is not None:
        raise Refused.at("/profile/frames", "unrecordable", f"this is no tree of frames: {problem}")
    profile = None if given.profile is None else given.profile.model_dump(mode="json")
    reason = None if given.code is None else (given.code, given.reason)
    attempt = (run_id, cell_id, given.fence)
    return Ended(
        ended=transaction(
            settings, lambda session: cell_profiles.end(session, host.host_id, attempt, profile, reason)
        )
    )
