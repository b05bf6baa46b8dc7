"""The REST API as the command uses it: plain calls, and failures with a sentence."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final

import httpx2

from backend.cli.failure import API_ERROR, USAGE, Failure

DEFAULT_URL: Final = "http://127.0.0.1:8420"
TIMEOUT_S: Final = 60.0
"""For one answer; the event stream says something at least every 15 s."""
RETRIES: Final = 3
PAUSE_S: Final = 1.0
RESUME_TRIES: Final = 30


def connect() -> Client:
    """A client of the Plimsoll that PLIMSOLL_URL names."""
    return Client(os.environ.get("PLIMSOLL_URL") or DEFAULT_URL)


class Client:
    """Calls one Plimsoll. Raises Failure for every answer that is not a success."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        try:
            self._http = httpx2.Client(base_url=f"{self.url}/api/v1", timeout=TIMEOUT_S)
        except httpx2.InvalidURL as error:
            raise Failure(f"{url} is not a URL: {error}", USAGE) from error

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def get(self, path: str, **query: str) -> Any:
        """The JSON at this path."""
        return self._send("GET", path, params=query).json()

    def get_bytes(self, path: str, **query: str) -> bytes:
        """What stands at this path, as it is sent."""
        return self._send("GET", path, params=query).content

    def post(self, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> Any:
        """Post JSON. With an idempotency key, an answer that was lost is asked for again."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return self._send("POST", path, json=body or {}, headers=headers, again=key is not None).json()

    def post_document(self, path: str, text: bytes, media: str, **query: str) -> Any:
        """Post an experiment as it stands in its file; repeating it changes nothing."""
        return self._send(
            "POST", path, content=text, headers={"Content-Type": media}, params=query, again=True
        ).json()

    def _send(self, method: str, path: str, again: bool = False, **parts: Any) -> httpx2.Response:
        tries = RETRIES if again or method == "GET" else 1
        for left in range(tries - 1, -1, -1):
            try:
                answer = self._http.request(method, path, **parts)
            except httpx2.TransportError as error:
                if left == 0:
                    raise Failure(self._silent(error)) from error
            else:
                if answer.is_success:
                    return answer
                if answer.status_code != 503 or left == 0:
                    raise refusal(answer)
            time.sleep(PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def _silent(self, error: Exception) -> str:
        return (
            f"{self.url} does not answer ({error}); is Plimsoll started? PLIMSOLL_URL names another address"
        )

    def events(self, run_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of a run until it has ended; a lost connection is resumed where it was."""
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
                        yield event.event, data
                ended = True  # The server closes the stream after the run's last event, and only then.
            except httpx2.TransportError as error:
                failures += 1
                if failures > RESUME_TRIES:
                    raise Failure(self._silent(error)) from error
                time.sleep(PAUSE_S)


def refusal(answer: httpx2.Response) -> Failure:
    """What a refusal says: its detail, and each field with what is allowed there."""
    code = USAGE if answer.status_code in (400, 413, 415, 422) else API_ERROR
    try:
        problem = answer.json()
        lines = [f"{problem['title']} ({answer.status_code} {problem['code']})"]
        fields = [f"  {f['pointer'] or '/'}: {f['detail']}" for f in problem["errors"]]
        return Failure("\n".join(lines + (fields or [f"  {problem['detail']}"])), code)
    except (ValueError, KeyError, TypeError):
        return Failure(
            f"the answer was {answer.status_code} and not from Plimsoll: {answer.text[:200]}", code
        )
