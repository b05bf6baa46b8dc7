"""An HTTP client of the REST API with retries, and its error messages."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final

import httpx2

from backend.cli.failure import API_ERROR, USAGE, Failure
from backend.core.plan.states import RUN_ENDED

DEFAULT_URL: Final = "http://127.0.0.1:8420"
TIMEOUT_S: Final = 60.0
"""For one response; the event stream sends a comment at least every 15 s."""
RETRIES: Final = 3
PAUSE_S: Final = 1.0
RESUME_TRIES: Final = 30


def connect() -> Client:
    """A client of the Plimsoll at PLIMSOLL_URL."""
    return Client(os.environ.get("PLIMSOLL_URL") or DEFAULT_URL)


class Client:
    """Calls the API of one Plimsoll. Raises Failure for every response that is not a success.

    `trust_env`: use the proxies that the environment names.
    """

    def __init__(self, url: str, trust_env: bool = True) -> None:
        self.url = url.rstrip("/")
        try:
            self._http = httpx2.Client(base_url=f"{self.url}/api/v1", timeout=TIMEOUT_S, trust_env=trust_env)
        except httpx2.InvalidURL as error:
            raise Failure(f"{url} is not a URL: {error}", USAGE) from error

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def get(self, path: str, **query: str) -> Any:
        """The JSON body of a GET."""
        return self._send("GET", path, params=query).json()

    def get_bytes(self, path: str, **query: str) -> bytes:
        """The body of a GET."""
        return self._send("GET", path, params=query).content

    def post(self, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> Any:
        """Post JSON; with an idempotency key, the request is repeated if no response arrives."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return self._send("POST", path, json=body or {}, headers=headers, repeatable=key is not None).json()

    def post_document(self, path: str, text: bytes, media: str, **query: str) -> Any:
        """Post the text of an experiment; repeated if no response arrives, because that changes nothing."""
        return self._send(
            "POST", path, content=text, headers={"Content-Type": media}, params=query, repeatable=True
        ).json()

    def _send(self, method: str, path: str, repeatable: bool = False, **options: Any) -> httpx2.Response:
        tries = RETRIES if repeatable or method == "GET" else 1
        for left in range(tries - 1, -1, -1):
            try:
                answer = self._http.request(method, path, **options)
            except httpx2.TransportError as error:
                if left == 0:
                    raise Failure(self._no_answer(error)) from error
            else:
                if answer.is_success:
                    return answer
                if answer.status_code != 503 or left == 0:
                    raise refusal(answer)
            time.sleep(PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def _no_answer(self, error: Exception) -> str:
        return (
            f"{self.url} does not answer ({error}): start Plimsoll there, or set PLIMSOLL_URL to its address"
        )

    def events(self, run_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of a run, as (kind, data), until it has ended; resumes after a lost connection."""
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
                    raise Failure(self._no_answer(error)) from error
                time.sleep(PAUSE_S)


def refusal(answer: httpx2.Response) -> Failure:
    """The Failure of an error response: its title, and its detail or one line per field."""
    code = USAGE if answer.status_code in (400, 413, 415, 422) else API_ERROR
    try:
        problem = answer.json()
        lines = [f"{problem['title']} ({answer.status_code} {problem['code']})"]
        fields = [f"  {f['pointer'] or '/'}: {f['detail']}" for f in problem["errors"]]
        return Failure("\n".join(lines + (fields or [f"  {problem['detail']}"])), code)
    except (ValueError, KeyError, TypeError):
        return Failure(
            f"the response, status {answer.status_code}, is not from Plimsoll: {answer.text[:200]}", code
        )
