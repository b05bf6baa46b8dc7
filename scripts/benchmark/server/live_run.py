"""A run whose trials a stand-in for the worker claims and records, at a steady pace."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import httpx2
import redis
from sqlalchemy.orm import Session

from backend.core.plan.claimed import ClaimedTrial
from backend.core.plan.model import Cell
from backend.queue import connect, publish_events
from backend.settings import Settings
from backend.store.repositories import events, hosts, trials
from backend.store.session import session_scope
from scripts.benchmark.server.documents import PATHS
from scripts.benchmark.server.records import Attempt, record

HOST: Final = "rack-live"
WORKER: Final = "bench"
STEP_S: Final = 0.5
"""From one change of a trial's state to the next: a trial is claimed, and recorded so much later."""
_DOCUMENT: Final = {
    "name": "followed",
    "title": "A run that is followed",
    "factors": {"path": list(PATHS[:7]), "clients": [1, 4, 16], "duration_s": 10},
    "baseline": {"path": PATHS[0]},
    "rounds": 10,
}


@dataclass
class LiveRun:
    """A started run; `settings` are the worker's."""

    settings: Settings
    api: httpx2.Client
    run_id: str
    host_id: str
    last_event_id: int

    def change(self, seconds: float) -> dict[int, float]:
        """Claim and record trials for so long; the last event of each call and when the call began."""
        sent: dict[int, float] = {}
        client, draw = connect(self.settings), random.Random(1)
        claimed: list[ClaimedTrial] = []

        def claim(session: Session) -> None:
            found = trials.claim(session, self.host_id, WORKER)
            assert found is not None, "the run has trials left"
            claimed.append(found)

        def record_it(session: Session) -> None:
            _record(session, claimed.pop(), draw)

        due, ends = time.monotonic(), time.monotonic() + seconds
        while due < ends:
            for work in (claim, record_it):
                self._call(client, sent, work)
                due = _after(due)
        return sent

    def record(self, number: int) -> None:
        """Claim and record so many trials, without a pause."""
        draw = random.Random(2)
        for _ in range(number):
            with session_scope(self.settings) as session:
                found = trials.claim(session, self.host_id, WORKER)
                assert found is not None, "the run has trials left"
            with session_scope(self.settings) as session:
                _record(session, found, draw)

    def change_until(self, over: threading.Event) -> None:
        """Claim and record trials until `over` is set."""
        while not over.is_set():
            self.change(STEP_S)

    def _call(self, client: redis.Redis, sent: dict[int, float], work: Callable[[Session], None]) -> None:
        began = time.monotonic()
        with session_scope(self.settings) as session:
            work(session)
            last = events.last(session, self.run_id)
        publish_events(client, self.run_id)
        assert last is not None
        sent[last.id] = began

    def remove(self) -> None:
        """Cancel and delete the run, so that the database stays as it was."""
        self.api.post(f"/runs/{self.run_id}:cancel", json={}).raise_for_status()
        with session_scope(self.settings) as session:
            trials.end_leases(session, self.host_id)
            trials.claim(session, self.host_id, WORKER)  # ends the trial that was running
        self.api.delete(f"/runs/{self.run_id}").raise_for_status()


def start(worker: Settings, api: httpx2.Client, document: Mapping[str, Any] = _DOCUMENT) -> LiveRun:
    """Announce the host and start a run of the document on it; the caller removes the run."""
    with session_scope(worker) as session:
        host_id = hosts.announce(session, HOST, {}, {"kernel": "6.12.9"})
    experiment: dict[str, Any] = api.post("/experiments", json=dict(document)).raise_for_status().json()
    started = api.post(f"/experiments/{experiment['id']}/runs", json={"host": HOST})
    run: dict[str, Any] = started.raise_for_status().json()
    return LiveRun(worker, api, run["id"], host_id, run["last_event_id"])


def _record(session: Session, claimed: ClaimedTrial, draw: random.Random) -> None:
    cell = Cell(claimed.cell_id, "", claimed.levels, False, False, None, None)
    server = f"{claimed.run_id}/{claimed.replica}/{claimed.block}"
    attempt = Attempt(claimed.trial_id, cell, server, datetime.now(UTC), {"pgbench": "15.20"}, 1.0)
    payload = record(attempt, draw) | {"fence": claimed.fence}
    trials.record(session, claimed.trial_id, claimed.fence, payload, claimed.trial_id, None)


def _after(due: float) -> float:
    """Wait for the next moment, and return it."""
    time.sleep(max(0.0, due + STEP_S - time.monotonic()))
    return due + STEP_S
