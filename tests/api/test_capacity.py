"""Requests that compute for long leave threads, and the health check, to the others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from fastapi.testclient import TestClient

from backend.api.capacity import AT_ONCE, QUEUED, ConcurrencyLimit
from backend.api.plans import service
from backend.api.presets import service as presets
from backend.settings import Settings
from tests.accounts import authorization
from tests.api.client import DOCUMENT, problem_of
from tests.scripts.waiting import eventually

THREADS = 40
"""Of the pool that all endpoints share: anyio's default."""


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """Set at the end at the latest, so that no thread waits on."""
    event = threading.Event()
    yield event
    event.set()


def test_health_is_answered_while_every_shared_thread_is_taken(
    served: str, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = threading.Semaphore(0)
    answer = presets.vocabulary()

    def stuck() -> object:
        inside.release()
        released.wait(60)
        return answer

    monkeypatch.setattr(presets, "vocabulary", stuck)
    with ThreadPoolExecutor(THREADS) as pool:
        responses = [
            pool.submit(httpx2.get, f"{served}/api/v1/factors", headers=authorization(), timeout=60)
            for _ in range(THREADS)
        ]
        for _ in range(THREADS):
            assert inside.acquire(timeout=60)
        assert httpx2.get(f"{served}/healthz", timeout=60).json() == {"status": "ok"}
        released.set()
        assert {one.result().status_code for one in responses} == {200}


def test_plans_that_take_long_leave_threads_and_are_refused_beyond_a_bound(
    served: str, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, inside, peak = service.preview, threading.Semaphore(0), []

    def slow(*given: object) -> object:
        peak.append(1)
        inside.release()
        released.wait(60)
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(service, "preview", slow)
    requests = AT_ONCE + QUEUED + 10
    with ThreadPoolExecutor(requests) as pool:
        plan = [
            pool.submit(
                httpx2.post, f"{served}/api/v1/plans", json=DOCUMENT, headers=authorization(), timeout=60
            )
            for _ in range(requests)
        ]
        for _ in range(AT_ONCE):
            assert inside.acquire(timeout=60)
        assert eventually(lambda: sum(one.done() for one in plan) == 10, limit=60)
        assert len(peak) == AT_ONCE
        assert httpx2.get(f"{served}/api/v1/runs", headers=authorization(), timeout=60).status_code == 200
        released.set()
        answers = [one.result() for one in plan]
    refused = [answer for answer in answers if answer.status_code != 200]
    assert len(refused) == 10
    for answer in refused:
        problem_of(answer, 503, "overloaded")
        assert answer.headers["retry-after"] == "5"


def test_a_request_that_waits_too_long_for_its_turn_is_refused(api: TestClient, settings: Settings) -> None:
    api.app.state.cpu_slots = ConcurrencyLimit(at_once=0, max_wait_s=0.01)  # type: ignore[attr-defined]
    problem_of(api.post("/api/v1/plans", json=DOCUMENT), 503, "overloaded")
    api.app.state.cpu_slots = ConcurrencyLimit(at_once=1)  # type: ignore[attr-defined]
    for _ in range(3):
        assert api.post("/api/v1/plans", json=DOCUMENT).status_code == 200
        problem_of(api.post("/api/v1/plans", json={}), 422, "invalid")
    assert api.app.state.cpu_slots.waiting == 0  # type: ignore[attr-defined]
