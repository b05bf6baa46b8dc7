"""Requests of a worker to its server, and the errors that their answers mean.

Every operation may be repeated, so that a request whose connection broke is sent once more at once: the
server may just have closed a connection that was idle. An answer counts only if it is Plimsoll's: what a
reverse proxy or another program says in its place means that the server does not answer.
"""

from __future__ import annotations

import gzip
import json
import threading
from typing import Any, Final

import httpx2

from backend.client.environment import open_client
from backend.client.errors import Misconfigured, refusal
from backend.core.errors import NotFound, PlimsollError, Problem, Refused, Unavailable, WorkerRejected
from backend.settings import Settings
from backend.worker_protocol import KEEP_ALIVE_S, header, release
from worker.http_queue.trust import read_token, verification

CONNECT_S: Final = 5.0
ANSWER_S: Final = 40.0
"""Longer than the server's limit of one statement."""
_BROKEN: Final = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError)
_REFUSED: Final = (400, 413, 415, 422)
"""Statuses of a request that would be refused again."""
_SHOWN: Final = 300
PACKED_FROM: Final = 64 * 1024
"""Bytes of a body from which packing it costs less than sending it; raw output packs to a tenth."""


class ServerConnection:
    """The connections to one server, kept open between requests; for several threads."""

    def __init__(self, settings: Settings) -> None:
        """Raises Refused where the token's file cannot be used. Connects at the first call."""
        assert settings.server_url is not None
        self.url = settings.server_url
        self._settings = settings
        self._token = read_token(settings)
        self._lock = threading.Lock()
        self._http: httpx2.Client | None = None

    def call(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        limit_s: float = ANSWER_S,
        packed: bool = False,
    ) -> dict[str, Any]:
        """The answer to one operation, `path` below /worker. `packed`: the server takes a packed body here.

        Raises Unavailable where a later try may succeed, NotFound, Refused, and WorkerRejected where none
        will until somebody acts.
        """
        timeout = httpx2.Timeout(limit_s, connect=CONNECT_S)
        headers, content = _encoded(body, packed)
        for left in (1, 0):
            try:
                answer = self._client().request(
                    method, f"/worker{path}", content=content, headers=headers, timeout=timeout
                )
                break
            except _BROKEN as error:
                if not left:
                    raise self._silence(error) from error
            except httpx2.HTTPError as error:
                raise self._silence(error) from error
        return self._content(answer)

    def close(self) -> None:
        """Close the connections; repeatable."""
        with self._lock:
            if self._http is not None:
                self._http.close()
            self._http = None

    def _client(self) -> httpx2.Client:
        with self._lock:
            if self._http is None:
                self._http = self._open()
            return self._http

    def _open(self) -> httpx2.Client:
        verify = verification(self._settings)
        try:
            return open_client(
                self.url,
                base_url=f"{self.url}/api/v1",
                headers={
                    "Authorization": f"Bearer {self._token}",
                    "User-Agent": f"plimsoll-worker/{release()}",
                    **header(self._settings.installed),
                },
                limits=httpx2.Limits(max_connections=8, keepalive_expiry=KEEP_ALIVE_S * 0.75),
                follow_redirects=False,
                verify=verify,
            )
        except Misconfigured as error:
            raise Refused.at("", "environment", str(error)) from error

    def _content(self, answer: httpx2.Response) -> dict[str, Any]:
        if not answer.is_success:
            raise self._error(answer)
        try:
            found = answer.json() if answer.content else {}
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Unavailable(f"the answer of {self.url} is not Plimsoll's: {answer.text[:_SHOWN]}")
        return found

    def _error(self, answer: httpx2.Response) -> PlimsollError:
        status, problem = answer.status_code, refusal(answer)
        text = f"{problem.title}: {problem.detail}"
        if problem.code and status == 401:
            return WorkerRejected(
                f"{self.url} does not accept this host's token ({problem.detail}): it was revoked. Join with "
                "a new enrolment to measure again; what waits in the spool is kept"
            )
        if problem.code and status == 426:
            return WorkerRejected(f"{self.url}: {problem.detail}", problem.code)
        if problem.code == "not_found":
            return NotFound(problem.detail)
        if problem.code and status in _REFUSED:
            fields = tuple(Problem(pointer, problem.code, detail) for pointer, detail in problem.fields)
            return Refused(fields or (Problem("", problem.code, text),))
        return Unavailable(f"{self.url} answered {status}: {text.removesuffix(': ')[:_SHOWN]}")

    def _silence(self, error: httpx2.HTTPError) -> Unavailable:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return Unavailable(
                f"the certificate of {self.url} is not the one that this host trusts since it was enrolled "
                f"({error}): if the server's was renewed, join again"
            )
        return Unavailable(f"{self.url} does not answer ({type(error).__name__}: {error})")


def _encoded(body: dict[str, Any] | None, packed: bool) -> tuple[dict[str, str], bytes | None]:
    """Headers and content of a body. Raises ValueError for NaN and infinity, which JSON has not."""
    if body is None:
        return {}, None
    headers = {"Content-Type": "application/json"}
    content = json.dumps(body, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()
    if packed and len(content) >= PACKED_FROM:
        headers["Content-Encoding"] = "gzip"
        content = gzip.compress(content, compresslevel=1, mtime=0)
    return headers, content
