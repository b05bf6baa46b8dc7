"""Clients that wait, and clients that are gone: they hold neither threads nor connections."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select, text

from backend.api.imports import service as imports
from backend.api.runs import service
from backend.api.runs.long_poll import LongPolls
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import authorization
from tests.api.access_ends import ACCESS_ENDS
from tests.api.client import DOCUMENT, Worker, problem_of, start_run
from tests.api.test_imports import body
from tests.scripts.waiting import eventually
from tests.services import PostgresServer

DROPPED = 200
IMPORTS = 45


@pytest.fixture
def polls(monkeypatch: pytest.MonkeyPatch) -> LongPolls:
    """The long polls of the app that is made next."""
    made = LongPolls()
    monkeypatch.setattr("backend.api.app.LongPolls", lambda: made)
    return made


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every question about a run that reaches the database."""
    asked: list[str] = []
    real = service.get

    def counted(settings: Settings, run_id: str) -> Any:
        asked.append(run_id)
        return real(settings, run_id)

    monkeypatch.setattr(service, "get", counted)
    return asked


@pytest.fixture
def clients(served: str) -> Iterator[list[socket.socket]]:
    """Connections to the API, closed at the end at the latest."""
    host, _, port = served.removeprefix("http://").partition(":")
    made = [socket.create_connection((host, int(port))) for _ in range(DROPPED)]
    yield made
    for client in made:
        client.close()


def test_dropped_long_polls_ask_no_more(
    polls: LongPolls, api: TestClient, worker: Worker, reads: list[str], clients: list[socket.socket]
) -> None:
    run = start_run(api)
    for client in clients:
        request = f"GET /api/v1/runs/{run['id']}?wait=60 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        client.sendall(f"{request}Authorization: {authorization()['Authorization']}\r\n\r\n".encode())
    assert eventually(lambda: polls.waiting == DROPPED, limit=60)
    begun = len(reads)
    assert eventually(lambda: len(reads) >= begun + 3, limit=60)
    for client in clients:
        client.close()
    assert eventually(lambda: polls.waiting == 0, limit=60)
    # One question a round for all of them, and the first one of each.
    assert len(reads) < DROPPED + 100


def test_waiters_of_one_run_are_answered_by_one_question(
    polls: LongPolls, api: TestClient, served: str, worker: Worker
) -> None:
    run = start_run(api)
    with ThreadPoolExecutor(20) as pool:
        url = f"{served}/api/v1/runs/{run['id']}?wait=60"
        waiting = [pool.submit(httpx2.get, url, headers=authorization(), timeout=90) for _ in range(20)]
        assert eventually(lambda: polls.waiting == 20, limit=60)
        worker.finish()
        assert {one.result().json()["state"] for one in waiting} == {"done"}


@pytest.mark.parametrize("end", ACCESS_ENDS)
def test_a_long_poll_ends_soon_after_the_access_of_its_caller(
    polls: LongPolls,
    api: TestClient,
    served: str,
    worker: Worker,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    end: str,
) -> None:
    monkeypatch.setattr("backend.api.access.open_request.RECHECK_S", 0.2)
    url = f"{served}/api/v1/runs/{start_run(api)['id']}?wait=60"
    headers = dict(api.headers) if "browser_session" in end else authorization()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(httpx2.get, url, headers=headers, timeout=40)
        assert eventually(lambda: polls.waiting == 1, limit=60)
        with session_scope(settings) as session:
            session.execute(text(end))
        problem_of(answer.result(), 401, "unauthenticated")


def test_an_ended_access_gets_no_answer_of_a_run_that_ends_at_the_same_time(
    polls: LongPolls, api: TestClient, served: str, worker: Worker, settings: Settings
) -> None:
    url = f"{served}/api/v1/runs/{start_run(api)['id']}?wait=60"
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(httpx2.get, url, headers=authorization(), timeout=90)
        assert eventually(lambda: polls.waiting == 1, limit=60)
        with session_scope(settings) as session:
            session.execute(text(ACCESS_ENDS[0]))
        worker.finish()
        problem_of(answer.result(), 401, "unauthenticated")


def test_imports_under_one_key_leave_threads_and_connections_to_others(
    api: TestClient, served: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, inside, released = imports.store, threading.Semaphore(0), threading.Event()

    def slow(*given: Any) -> Any:
        inside.release()
        released.wait(60)
        return real(*given)

    monkeypatch.setattr(imports, "store", slow)
    with ThreadPoolExecutor(IMPORTS) as pool:
        headers = authorization() | {"Idempotency-Key": "i1"}
        asked = [
            pool.submit(httpx2.post, f"{served}/api/v1/imports", json=body(), headers=headers, timeout=90)
            for _ in range(IMPORTS)
        ]
        try:
            assert inside.acquire(timeout=60)
            assert eventually(lambda: sum(one.done() for one in asked) == IMPORTS - 9, limit=60)
            assert _connections(settings) <= 2
            assert (
                httpx2.get(f"{served}/api/v1/runs", headers=authorization(), timeout=60).json()["data"] == []
            )
        finally:
            released.set()
        answers = [one.result() for one in asked]
    for refused in (answer for answer in answers if answer.status_code != 201):
        problem_of(refused, 503, "overloaded")
        assert refused.headers["retry-after"] == "5"
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 201}) == 1
    assert len(api.get("/api/v1/runs").json()["data"]) == 1


def _connections(settings: Settings) -> int:
    """The connections to this test's database that are in a transaction."""
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL"
    )
    with session_scope(settings) as session:
        return int(session.scalar(text(query)) or 0)


def test_a_key_that_another_process_works_under_is_refused_at_once(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url, headers = f"/api/v1/experiments/{experiment}/runs", {"Idempotency-Key": "k1"}
    with session_scope(settings) as session:
        session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"{DEFAULT_TEAM} k1", 0))))
        answer = api.post(url, json={}, headers=headers)
        problem_of(answer, 409, "in_use")
        assert answer.headers["retry-after"] == "5"
    assert api.post(url, json={}, headers=headers).status_code == 202


def test_an_answer_that_an_older_version_kept_is_given_again(
    api: TestClient, worker: Worker, settings: Settings, postgres: PostgresServer
) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url, headers = f"/api/v1/experiments/{experiment}/runs", {"Idempotency-Key": "k1"}
    first = api.post(url, json={}, headers=headers)
    old = {"id": first.json()["id"], "state": "queued", "a_field_of_old": 1}
    with session_scope(settings) as session:
        session.execute(text("UPDATE idempotency_key SET answer = :answer"), {"answer": json.dumps(old)})
    again = api.post(url, json={}, headers=headers)
    assert (again.status_code, again.json()) == (202, old)
    assert again.headers["location"] == first.headers["location"]


@pytest.mark.parametrize(
    ("address", "content"),
    [
        ("imports", '{"host": "a", "host": "b", "experiment": {}, "logs": []}'),
        ("imports", '{"host": "a", "experiment": {"name": "a", "name": "b"}, "logs": []}'),
        ("shares:open", '{"token": "a", "token": "b"}'),
        ("runs/RUN/shares", '{"expires_in_days": 1, "expires_in_days": 2}'),
        ("experiments/EXPERIMENT/runs", '{"host": "a", "host": "b"}'),
    ],
)
def test_a_key_that_is_named_twice_is_refused(
    api: TestClient, worker: Worker, address: str, content: str
) -> None:
    run = start_run(api)
    address = address.replace("RUN", run["id"]).replace("EXPERIMENT", run["experiment_id"])
    headers = {"Content-Type": "application/json"}
    problem_of(api.post(f"/api/v1/{address}", content=content, headers=headers), 400, "duplicate_key")
