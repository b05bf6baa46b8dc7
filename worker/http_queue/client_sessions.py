"""Client sessions over HTTPS: what `worker.trial.queue.SessionQueue` needs, for an enrolled host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from backend.core.errors import NotFound
from backend.core.plan.client_session import ClientRequest, ClientSession, Phase
from worker.http_queue.answers import Answer, read
from worker.http_queue.connection import ServerConnection

ANSWER_S: Final = 10.0
"""Time limit of one step: silence of 20 s ends a session."""
LONGEST_REASON: Final = 1000


class State(Answer):
    """A session as the server answers it."""

    phase: Phase
    document: dict[str, Any]
    reason: str = ""
    must_yield: bool = False


class Request(Answer):
    """A session that waits for this host's client."""

    trial_id: str
    fence: int
    document: dict[str, Any]
    host: str = ""


class Next(Answer):
    """The session that this host should accept next."""

    request: Request | None = None


class HttpSessions:
    """The client sessions of one host, over the connection of its trial queue."""

    _server: ServerConnection

    def request_client(self, trial_id: str, fence: int, document: Mapping[str, Any]) -> ClientSession:
        """Ask the run's client host for a session. Raises NotFound, Unavailable."""
        return self.move_session(trial_id, fence, "requested", document)

    def next_client_request(self) -> ClientRequest | None:
        """The session that this host should accept next, or None. Raises Unavailable."""
        try:
            answer = self._server.call("GET", "/client-request", limit_s=ANSWER_S)
        except NotFound:  # a server of an older release, which has no client sessions
            return None
        found = read(Next, answer).request
        return (
            None if found is None else ClientRequest(found.trial_id, found.fence, found.document, found.host)
        )

    def move_session(
        self,
        trial_id: str,
        fence: int,
        phase: Phase | None = None,
        document: Mapping[str, Any] | None = None,
        reason: str = "",
    ) -> ClientSession:
        """Enter a phase, or only read the session. Raises NotFound, Conflict, Unavailable."""
        body = {
            "trial_id": trial_id,
            "fence": fence,
            "phase": phase,
            "document": None if document is None else dict(document),
            "reason": reason[:LONGEST_REASON],
        }
        answer = read(State, self._server.call("POST", "/client-session", body, ANSWER_S))
        return ClientSession(answer.phase, answer.document, answer.reason, answer.must_yield)
