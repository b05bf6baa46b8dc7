"""Requests at a constant rate that does not wait for answers: latency counts from the intended moment.

A client that sends its next request after the last answer would send fewer of them while the server is slow
(Tene, "How NOT to Measure Latency", 2013).
"""

from __future__ import annotations

import http.client
import itertools
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

CONNECTIONS: Final = 24
"""Requests in progress at the same time, at most; further ones are sent late, and are measured as late."""
IDLE_S: Final = 3.0
"""A connection that was idle for longer is opened again: the server closes it after 5 s."""
TIMEOUT_S: Final = 60.0


@dataclass(frozen=True)
class Request:
    """A request of somebody; `group` is how its latency is reported."""

    group: str
    path: str
    headers: Mapping[str, str]
    method: str = "GET"
    body: bytes | None = None


@dataclass(frozen=True)
class Answer:
    """The latency of one request in seconds from its intended moment, and what came back."""

    group: str
    latency_s: float
    status: int
    received: int


@dataclass
class _Connection:
    host: str
    port: int
    connection: http.client.HTTPConnection | None = None
    used_at: float = field(default=-1e9)

    def send(self, request: Request) -> tuple[int, int]:
        """The status (0: no answer) and the size of the answer's body."""
        if self.connection is None or time.monotonic() - self.used_at > IDLE_S:
            self.close()
            self.connection = http.client.HTTPConnection(self.host, self.port, timeout=TIMEOUT_S)
        try:
            headers = {"Accept-Encoding": "gzip", **request.headers}
            self.connection.request(request.method, request.path, request.body, headers)
            answer = self.connection.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return 0, 0
        self.used_at = time.monotonic()
        return answer.status, len(body)

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def send(url: str, requests: Sequence[Request], rate: float) -> list[Answer]:
    """Send the requests, so many a second, and return their answers in any order."""
    target = urlsplit(url)
    host, port = target.hostname or "", target.port or 80
    turns, began = itertools.count(), time.monotonic() + 0.1
    answers: list[Answer] = []

    def work() -> None:
        connection = _Connection(host, port)
        while (turn := next(turns)) < len(requests):
            request, due = requests[turn], began + turn / rate
            time.sleep(max(0.0, due - time.monotonic()))
            status, received = connection.send(request)
            answers.append(Answer(request.group, time.monotonic() - due, status, received))
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(min(CONNECTIONS, len(requests)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def figures(answers: Sequence[Answer]) -> dict[str, Any]:
    """Milliseconds at the percentiles, the number of requests, and of those without a good answer."""
    times = [1000 * answer.latency_s for answer in answers]
    p50, p95, p99 = (round(float(value), 1) for value in np.percentile(times, (50, 95, 99)))
    return {
        "requests": len(answers),
        "failed": sum(not 200 <= answer.status < 400 for answer in answers),
        "p50_ms": p50,
        "p95_ms": p95,
        "p99_ms": p99,
        "max_ms": round(max(times), 1),
        "kilobytes": round(sum(answer.received for answer in answers) / len(answers) / 1000, 1),
    }


def by_group(answers: Sequence[Answer]) -> dict[str, dict[str, Any]]:
    """`figures` of all answers and of each group."""
    groups = dict.fromkeys(answer.group for answer in answers)
    parts = {name: [answer for answer in answers if answer.group == name] for name in groups}
    return {"all": figures(answers), **{name: figures(part) for name, part in parts.items()}}
