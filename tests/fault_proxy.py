"""An HTTP proxy between a worker and a server, which breaks one operation as a network does."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, Literal

import httpx2

Fault = Literal["cut_before", "cut_after", "twice", "delayed", "late"]
"""`cut_before`: the request does not arrive. `cut_after`: the server executes it, its answer is lost.
`twice`: the server gets it twice, the worker the second answer. `delayed`: the answer is DELAY_S late.
`late`: the connection is cut, and the request arrives after the worker has repeated it with success."""
DELAY_S: Final = 0.5
"""Longer than every interval of the tests' worker, whose heartbeats and polls come after 50 ms."""
BASE: Final = "/api/v1/worker"
VERBS: Final[dict[str, str]] = {
    "announce": r"PUT /host",
    "take_over": r"POST /take-over",
    "seen": r"POST /seen",
    "client_request": r"GET /client-request",
    "claim_profile": r"POST /profiles:claim",
    "claim": r"POST /claims",
    "environment": r"PATCH /runs/[^/]+/environment",
    "analyse": r"POST /runs/[^/]+/interim-analysis",
    "cells": r"GET /runs/[^/]+/cells",
    "heartbeat": r"POST /trials/[^/]+/heartbeat",
    "record": r"PUT /trials/[^/]+/record",
    "ending": r"POST /trials/[^/]+/ending",
}
"""Every operation of the worker protocol after the enrolment, for trials without a CPU profile."""
_KEPT_HEADERS: Final = ("Authorization", "Content-Type", "Content-Encoding", "Plimsoll-Worker")


@dataclass(frozen=True)
class Request:
    """One request of a worker."""

    method: str
    path: str
    content: bytes
    headers: dict[str, str]

    @property
    def operation(self) -> str:
        return f"{self.method} {self.path.removeprefix(BASE)}"


@dataclass(frozen=True)
class Passed:
    """One request as the server got it, and the status of its answer."""

    operation: str
    status: int


class FaultProxy:
    """The proxy's state: what it breaks, how often yet, and what has passed."""

    def __init__(self, url: str, server: str) -> None:
        self.url = url
        self.passed: list[Passed] = []
        self.is_down = False
        """Every connection is cut."""
        self.unknown: dict[str, object] = {}
        """Fields that a newer release would add to every answer."""
        self._server = server
        self._armed: dict[str, tuple[Fault, int]] = {}
        self._late: dict[str, Request] = {}
        self._lock = threading.Lock()
        self._http = httpx2.Client(trust_env=False, timeout=60)

    def arm(self, verb: str, fault: Fault, times: int = 1) -> None:
        """Break the next requests of an operation."""
        self._armed[VERBS[verb]] = (fault, times)

    @property
    def is_over(self) -> bool:
        """Whether everything has been broken, and what was kept has arrived."""
        return not self._armed and not self._late

    def answer(self, request: Request) -> httpx2.Response | None:
        """The answer to a request; None: the connection is cut."""
        if self.is_down:
            return None
        verb = next(verb for verb in VERBS.values() if re.fullmatch(verb, request.operation))
        fault = self._next_fault(verb)
        if fault == "cut_before":
            return None
        if fault == "late":
            self._late[verb] = request
            return None
        answer = self._send(request)
        if fault == "cut_after":
            return None
        if fault == "twice":
            answer = self._send(request)
        if fault == "delayed":
            time.sleep(DELAY_S)
        if fault is None and (late := self._late.pop(verb, None)) is not None:
            self._send(late)
        return answer

    def with_unknown(self, answer: httpx2.Response) -> bytes:
        """The content of an answer, with the fields of `unknown` in it and in the trial that it has."""
        if not self.unknown or not answer.content:
            return answer.content
        found = answer.json() | self.unknown
        if isinstance(found.get("trial"), dict):
            found["trial"] |= self.unknown
        return json.dumps(found).encode()

    def close(self) -> None:
        self._http.close()

    def _next_fault(self, verb: str) -> Fault | None:
        with self._lock:
            if verb not in self._armed:
                return None
            fault, left = self._armed.pop(verb)
            if left > 1:
                self._armed[verb] = (fault, left - 1)
            return fault

    def _send(self, request: Request) -> httpx2.Response:
        url = f"{self._server}{request.path}"
        answer = self._http.request(
            request.method, url, content=request.content, headers=dict(request.headers)
        )
        self.passed.append(Passed(request.operation, answer.status_code))
        return answer


@contextmanager
def fault_proxy(server: str) -> Iterator[FaultProxy]:
    """A proxy in front of a server, on a port that the kernel chooses."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name: self.headers[name] for name in _KEPT_HEADERS if name in self.headers}
            answer = proxy.answer(Request(self.command, self.path, content, headers))
            if answer is None:
                self.close_connection = True
                return
            self.send_response(answer.status_code)
            self.send_header("Content-Type", answer.headers.get("Content-Type", ""))
            content = proxy.with_unknown(answer)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = forward

        def log_message(self, *_: object) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    proxy = FaultProxy(f"http://127.0.0.1:{listener.server_address[1]}", server)
    thread = threading.Thread(target=listener.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()
        proxy.close()
