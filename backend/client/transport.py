"""Requests to the REST API, with retries and resumed event streams."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Final

import httpx2

from .address import check_token, origin_of
from .environment import open_client
from .errors import Unreachable, refusal

TIMEOUT_S: Final = 60.0
"""For one response; the event stream sends a comment at least every 15 s."""
RETRIES: Final = 3
PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 30.0
RESUME_TRIES: Final = 30
_LATER: Final = (429, 503)
RUN_ENDED: Final = frozenset({"done", "incomplete", "cancelled"})


class Transport:
    """Calls the API of one Plimsoll. Raises Refused for an error response, Unreachable without a response.

    Follows no redirect: `token` goes to `url` only. `trust_env`: use the proxies that the environment names;
    never for this machine's own addresses. `verify`: the trusted certificates, or the usual ones. The
    constructor raises Misconfigured, too.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        trust_env: bool = True,
        allow_http: bool = False,
        verify: ssl.SSLContext | bool = True,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self.url = origin_of(url)
        headers = {}
        if token:
            check_token(self.url, token, allow_http)
            headers["Authorization"] = f"Bearer {token}"
        self._http = open_client(
            self.url,
            trust_env=trust_env,
            base_url=f"{self.url}/api/v1",
            headers=headers,
            timeout=timeout_s,
            follow_redirects=False,
            verify=verify,
        )

    def __enter__(self) -> Transport:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, **query: str | Sequence[str]) -> Any:
        """The JSON body of a GET; a list repeats its parameter."""
        return self._send("GET", path, params=query).json()

    def get_bytes(self, path: str, **query: str) -> bytes:
        """The body of a GET."""
        return self._send("GET", path, params=query).content

    def post(self, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> Any:
        """Post JSON; with an idempotency key, the request is repeated if no response arrives."""
        headers = {} if key is None else {"Idempotency-Key": key}
        answer = self._send("POST", path, json=body or {}, headers=headers, repeatable=key is not None)
        return answer.json() if answer.content else None

    def post_document(self, path: str, text: bytes, media: str, **query: str) -> Any:
        """Post the text of an experiment; repeated if no response arrives, because that changes nothing."""
        return self._send(
            "POST", path, content=text, headers={"Content-Type": media}, params=query, repeatable=True
        ).json()

    def patch(self, path: str, body: dict[str, Any]) -> Any:
        """Parsed JSON of the answer to a change."""
        return self._send("PATCH", path, json=body).json()

    def delete(self, path: str) -> None:
        """Delete an object; repeated if no response arrives."""
        self._send("DELETE", path, repeatable=True)

    def _send(self, method: str, path: str, repeatable: bool = False, **options: Any) -> httpx2.Response:
        tries = RETRIES if repeatable or method == "GET" else 1
        for left in range(tries - 1, -1, -1):
            pause = PAUSE_S
            try:
                answer = self._http.request(method, path, **options)
            except httpx2.TransportError as error:
                if left == 0:
                    raise self._no_answer(error) from error
            else:
                if answer.is_success:
                    return answer
                if answer.status_code not in _LATER or left == 0:
                    raise refusal(answer)
                pause = _pause(answer)
            time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _no_answer(self, error: Exception) -> Unreachable:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return Unreachable(
                f"the certificate of {self.url} is not trusted ({error}): if no authority signed it, run "
                f"plimsoll login {self.url} --fingerprint with the fingerprint that the server prints when "
                "it starts, or set PLIMSOLL_CA_FILE to a copy of the certificate"
            )
        return Unreachable(
            f"{self.url} does not answer ({error}): start Plimsoll there, or set PLIMSOLL_URL to its address"
        )

    def events(
        self, run_id: str, lost: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of a run, as (kind, data), until it has ended.

        Resumes after a lost connection; calls `lost` before each try.
        """
        last, failures, ended = "", 0, False
        while not ended:
            headers = {"Last-Event-ID": last} if last else {}
            try:
                with self._http.sse(f"/runs/{run_id}/events", headers=headers) as source:
                    if not source.response.is_success:
                        source.response.read()
                        raise refusal(source.response)
                    for event in source:
                        last, failures = event.id or last, 0
                        data: Any = event.json()
                        ended = ended or (event.event == "run" and data["state"] in RUN_ENDED)
                        yield event.event, data
                if not ended:
                    raise httpx2.RemoteProtocolError("the stream ended before the run")
            except httpx2.TransportError as error:
                failures += 1
                if failures > RESUME_TRIES:
                    raise self._no_answer(error) from error
                lost()
                time.sleep(PAUSE_S)


def _pause(answer: httpx2.Response) -> float:
    """The seconds of Retry-After, bounded; without that header the usual pause."""
    named = answer.headers.get("retry-after", "")
    return max(PAUSE_S, min(float(named), LONGEST_PAUSE_S)) if named.isdigit() else PAUSE_S
