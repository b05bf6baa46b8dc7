"""Cancelling, deleting and recording at the same moment, by the API and a worker: one terminal state."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text

from backend.core.errors import PlimsollError
from backend.store import invariants
from backend.store.session import session_scope
from tests.api.attacks.arena import Arena
from tests.api.client import DOCUMENT

TERMINAL = ("done", "cancelled", "incomplete")
TRIAL_ENDS = {"done", "failed", "cancelled"}


def started(arena: Arena, number: int) -> str:
    """A run whose last trial a worker has claimed, and whose other trials are done."""
    admin, document = arena.callers["admin"], DOCUMENT | {"name": "race", "seed": 1000 + number}
    made = arena.api.post("/api/v1/experiments", json=document, headers=admin).json()["id"]
    answer = arena.api.post(f"/api/v1/experiments/{made}/runs", json={}, headers=admin)
    assert answer.status_code == 202, answer.text
    while arena.worker.open() > 1:
        arena.worker.record(arena.worker.claim())
    return str(answer.json()["id"])


@pytest.mark.parametrize("first", range(4))
def test_two_cancels_two_deletions_and_a_record_race_for_one_run(arena: Arena, first: int) -> None:
    run, admin = started(arena, first), arena.callers["admin"]
    last = arena.worker.claim()
    barrier = threading.Barrier(5)

    def record() -> int:
        try:
            arena.worker.record(last)
        except PlimsollError:
            return 0
        return 1

    def request(method: str, path: str) -> Callable[[], int]:
        body = {"json": {}} if method == "POST" else {}
        return lambda: arena.api.request(method, f"/api/v1/runs/{path}", headers=admin, **body).status_code

    works = [request("POST", f"{run}:cancel"), request("DELETE", run), record]
    works += [request("DELETE", run), request("POST", f"{run}:cancel")]

    def together(work: Callable[[], int]) -> int:
        barrier.wait(60)
        return work()

    with ThreadPoolExecutor(5) as pool:
        found = list(pool.map(together, works[first:] + works[:first]))
    assert set(found) <= {0, 1, 202, 204, 404, 409}, found
    assert found.count(204) <= 1, "deleted once"
    with session_scope(arena.settings) as session:
        assert invariants.violations(session) == []
        rows: list[Any] = list(
            session.execute(text("SELECT state, fence FROM trial WHERE run_id = :run"), {"run": run})
        )
        states = list(session.execute(text("SELECT state FROM run WHERE id = :run"), {"run": run}).scalars())
        query = "SELECT data->>'state' FROM event WHERE run_id = :run AND kind = 'run' ORDER BY id"
        seen = list(session.execute(text(query), {"run": run}).scalars())
        results = text("SELECT count(*) FROM result WHERE trial_id = :id")
        stored = session.execute(results, {"id": last.trial_id}).scalar_one()
    if 204 in found:
        assert (rows, states, seen, stored) == ([], [], [], 0)
    else:
        assert [state for state in seen if state in TERMINAL] == states and stored <= 1
        assert {state for state, _ in rows} <= TRIAL_ENDS
    logged = text("SELECT status FROM audit WHERE object = :run AND action <> 'startRun'")
    with session_scope(arena.owner) as session:
        statuses = sorted(session.execute(logged, {"run": run}).scalars())
    assert statuses == sorted(status for status in found if status > 1), "each request has its entry"
