"""CPU profiles over HTTPS: what `worker.trial.profiling.ProfileQueue` needs, for an enrolled host."""

from __future__ import annotations

from typing import Any

from backend.core.errors import NotFound
from backend.core.plan.profiled import ProfileRequest
from backend.core.sample.profile import CellProfile
from worker.http_queue.answers import Answer, read
from worker.http_queue.connection import ServerConnection


class Wanted(Answer):
    """A profile to take."""

    run_id: str
    cell_id: str
    fence: int
    levels: dict[str, Any]
    replica: int = 0


class Claimed(Answer):
    """The answer to a claim; without a profile there is none to take."""

    profile: Wanted | None = None


class GoesOn(Answer):
    """Whether an attempt goes on."""

    wanted: bool


class HttpProfiles:
    """The CPU profiles of one host, over the connection of its trial queue."""

    _server: ServerConnection

    def next_profile(self) -> ProfileRequest | None:
        """Claim the next profile to take, or None. Raises Unavailable."""
        try:
            found = read(Claimed, self._server.call("POST", "/profiles:claim", {})).profile
        except NotFound:  # a server of an older release, which has no profiles
            return None
        return None if found is None else ProfileRequest(**dict(found))

    def profile_wanted(self, request: ProfileRequest) -> bool:
        """Whether the attempt goes on. Raises Unavailable."""
        body = {"fence": request.fence}
        try:
            return read(GoesOn, self._server.call("POST", f"{_path(request)}/heartbeat", body)).wanted
        except NotFound:  # the run was deleted
            return False

    def end_profile(
        self, request: ProfileRequest, profile: CellProfile | None, reason: tuple[str, str] | None = None
    ) -> None:
        """Store the profile, or why none was taken. Raises Unavailable, Refused."""
        ending = {"code": None, "reason": ""} if reason is None else {"code": reason[0], "reason": reason[1]}
        document = None if profile is None else profile.model_dump(mode="json")
        body = {"fence": request.fence, "profile": document, **ending}
        try:
            self._server.call("PUT", _path(request), body, packed=True)
        except NotFound:  # the run was deleted
            return


def _path(request: ProfileRequest) -> str:
    return f"/runs/{request.run_id}/cells/{request.cell_id}/profile"
