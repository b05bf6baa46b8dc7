"""A client that asks the API for what the page of a running run asks for, and when the page does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2

from scripts.benchmark.rest import client

RESULT_AFTER_S: Final = 0.3
"""The page asks for the result so long after a trial's event, "SETTLED_MS" of useRunStream.ts."""
RESULT_EVERY_S: Final = 5.0
"""Shortest time between two such requests, RESULT_EVERY_MS."""
HOSTS_EVERY_S: Final = 30.0
"""How often the page asks whether the run's hosts are away or start no trials (HostNote.tsx)."""


@dataclass
class Page:
    """One open page: run, matrix, hosts, result, event stream with live samples.

    `ready` when all were read once.
    """

    url: str
    run_id: str
    stop: threading.Event
    ready: threading.Event = field(default_factory=threading.Event)
    results: int = 0
    unchanged: int = 0
    samples: int = 0
    etag: str = ""
    _requested_at: float = 0.0
    _due: threading.Event = field(default_factory=threading.Event)

    def open(self) -> None:
        """Read everything once, then follow until the run has ended."""
        with client(self.url, 120) as api:
            run = api.get(f"/runs/{self.run_id}").raise_for_status().json()
            matrix = api.get(f"/runs/{self.run_id}/matrix").raise_for_status().json()
            api.get("/hosts").raise_for_status()
            self._result(api)
            threading.Thread(target=self._hosts, daemon=True).start()
            after = min(run["last_event_id"], matrix["last_event_id"])
            with api.stream("GET", f"/runs/{self.run_id}/events?after={after}") as answer:
                self.ready.set()
                for event, data in _events(answer.iter_lines()):
                    if self.stop.is_set():
                        return
                    self._heard(event, data)

    def _heard(self, event: str, data: dict[str, Any]) -> None:
        self.samples += event == "live"
        if event == "trial" and data["state"] not in ("running", "queued") and not self._due.is_set():
            self._due.set()
            threading.Thread(target=self._later, daemon=True).start()

    def _later(self) -> None:
        # As the page waits, so that one question serves several trials.
        if self.stop.wait(max(RESULT_AFTER_S, self._requested_at + RESULT_EVERY_S - time.monotonic())):
            return
        self._due.clear()
        with client(self.url, 120) as api:
            self._result(api)

    def _hosts(self) -> None:
        with client(self.url, 120) as api:
            while not self.stop.wait(HOSTS_EVERY_S):
                api.get("/hosts").raise_for_status()

    def _result(self, api: httpx2.Client) -> None:
        self._requested_at = time.monotonic()
        headers = {"If-None-Match": self.etag} if self.etag else {}
        answer = api.get(f"/runs/{self.run_id}/result", headers=headers)
        self.results += answer.status_code == httpx2.codes.OK
        self.unchanged += answer.status_code == httpx2.codes.NOT_MODIFIED
        self.etag = answer.headers["etag"]


def _events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))
