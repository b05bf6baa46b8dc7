"""Webhooks from the end of a run to a real receiver, with the library of the standard as its judge."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from standardwebhooks import Webhook

from backend.api.app import create_app
from backend.api.run_ends.job import RunEndJob
from backend.api.webhooks.dispatcher import Dispatcher
from backend.api.webhooks.schedule import DELAYS_S
from backend.settings import Settings
from backend.store import grants
from backend.store.repositories import run_ends, webhooks
from backend.store.session import dispose, session_scope
from tests.accounts import add_account, add_team, browser_headers
from tests.api.client import BASE, DOCUMENT, Worker, problem_of, start_run
from tests.api.receiver import ReceiverServer, receiving, respond
from tests.scripts.waiting import eventually
from tests.services import as_role


@pytest.fixture
def receiver() -> Iterator[ReceiverServer]:
    """A receiver over plain http on loopback."""
    with receiving() as server:
        yield server


@pytest.fixture
def allowing(settings: Settings) -> Settings:
    """Settings that allow receivers on loopback."""
    return settings.model_copy(update={"webhook_allow": "127.0.0.0/8"})


@pytest.fixture
def hooks(allowing: Settings) -> Iterator[TestClient]:
    """A client of an API that allows receivers on loopback, signed in as an administrator."""
    headers = browser_headers(allowing, add_account(allowing))
    with TestClient(create_app(allowing), base_url=BASE, headers=headers) as client:
        yield client


def test_a_name_that_is_not_resolved_in_time_holds_no_thread(
    hooks: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server of an attacker answers late: forty requests would hold every thread of the API."""
    resolver, ended = socket.getaddrinfo, threading.Event()

    def slow(host: Any, *given: Any, **named: Any) -> Any:
        if host == "slow.example.org":
            ended.wait(10)
            raise socket.gaierror("no such name")
        return resolver(host, *given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    monkeypatch.setattr("backend.api.webhooks.service.RESOLVE_S", 0.2)
    began = time.monotonic()
    answer = hooks.post("/api/v1/webhooks", json={"url": "https://slow.example.org/"})
    waited = time.monotonic() - began
    ended.set()
    problem_of(answer, 422, "target_not_allowed")
    assert waited < 5


def add(hooks: TestClient, receiver: ReceiverServer, **fields: Any) -> dict[str, Any]:
    url = f"http://127.0.0.1:{receiver.server_port}/hook"
    created = hooks.post("/api/v1/webhooks", json={"url": url, **fields})
    assert created.status_code == 201, created.text
    found: dict[str, Any] = created.json()
    return found


def tick(settings: Settings) -> int:
    """One pass that makes messages and sends them and knows nothing of earlier ones, as after a restart."""
    asyncio.run(RunEndJob(settings).run_once())
    return asyncio.run(Dispatcher(settings).send_due())


def log(hooks: TestClient, hook: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hooks.get(f"/api/v1/webhooks/{hook['id']}/deliveries").json()["data"]
    return found


def make_due(settings: Settings) -> None:
    """Let every waiting time pass."""
    with session_scope(settings) as session:
        session.execute(text("UPDATE webhook_delivery SET next_at = clock_timestamp()"))


def received(receiver: ReceiverServer, secret: str) -> list[dict[str, Any]]:
    """What the library of the standard accepts of the received messages."""
    return [Webhook(secret).verify(body, headers) for _, headers, body in receiver.received]


def test_the_end_of_a_run_arrives(
    hooks: TestClient, allowing: Settings, worker: Worker, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    run = start_run(hooks)
    worker.finish()
    assert tick(allowing) == 1
    (message,) = received(receiver, hook["secret"])
    assert message["type"] == "run.completed" and message["timestamp"].endswith("Z")
    data = message["data"]
    assert (data["run_id"], data["state"], data["threshold_outcome"]) == (run["id"], "done", None)
    assert data["url"].endswith(f"/runs/{run['id']}") and data["headline"]
    (entry,) = log(hooks, hook)
    assert (entry["state"], entry["attempts"], entry["last_status"]) == ("delivered", 1, 204)
    assert entry["id"] == receiver.received[0][1]["webhook-id"] and entry["run_id"] == run["id"]
    assert tick(allowing) == 0 and len(receiver.received) == 1


def test_every_kind_of_end(
    hooks: TestClient, allowing: Settings, worker: Worker, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    run = start_run(hooks)
    assert hooks.post(f"/api/v1/runs/{run['id']}:cancel").json()["state"] == "cancelled"
    start_run(hooks)
    worker.fail(worker.claim())
    worker.finish()
    start_run(hooks, DOCUMENT | {"thresholds": ["tps >= 1000000"], "rounds": 8, "name": "thresholds"})
    worker.finish()
    while tick(allowing):
        pass
    found = received(receiver, hook["secret"])
    assert sorted(message["type"] for message in found) == [
        "run.cancelled", "run.completed", "run.incomplete", "run.threshold_failed",
    ]  # fmt: skip
    failed = next(message for message in found if message["type"] == "run.threshold_failed")
    assert failed["data"]["thresholds"] == ["tps >= 1000000"]
    assert failed["data"]["threshold_outcome"] == "fail"


def test_only_chosen_events_and_only_the_own_team(
    hooks: TestClient, allowing: Settings, worker: Worker, receiver: ReceiverServer
) -> None:
    add(hooks, receiver, events=["run.cancelled"])
    other = browser_headers(allowing, add_account(allowing, team_id=add_team(allowing), name="Eve"))
    url = f"http://127.0.0.1:{receiver.server_port}/eve"
    assert hooks.post("/api/v1/webhooks", json={"url": url}, headers=other).status_code == 201
    start_run(hooks)
    worker.finish()
    assert tick(allowing) == 0 and receiver.received == []


def test_the_end_and_its_message_are_one_transaction(
    hooks: TestClient, allowing: Settings, worker: Worker, receiver: ReceiverServer
) -> None:
    """The outbox has a row exactly if the run has ended, written with the worker's own role."""
    add(hooks, receiver)
    run = start_run(hooks)

    def rows() -> int:
        with session_scope(allowing) as session:
            return int(session.execute(text("SELECT count(*) FROM run_end")).scalar_one())

    while worker.open() > 1:
        worker.record(worker.claim())
        assert rows() == 0
    worker.record(worker.claim())
    assert rows() == 1 and hooks.get(f"/api/v1/runs/{run['id']}").json()["state"] == "done"
    limited = as_role(allowing, grants.WORKER)
    with session_scope(limited) as session:
        run_ends.add(session, run["id"])
    dispose(limited)


def kept(settings: Settings, run_id: str) -> list[str]:
    query = text("SELECT kind FROM derived WHERE run_id = :run ORDER BY kind")
    with session_scope(settings) as session:
        return list(session.execute(query, {"run": run_id}).scalars())


def test_the_result_of_an_ended_run_is_kept_before_anybody_reads_it(
    api: TestClient, settings: Settings, worker: Worker
) -> None:
    run_id = start_run(api)["id"]
    worker.finish()
    assert kept(settings, run_id) == []
    asyncio.run(RunEndJob(settings).run_once())  # nothing is sent here, and no team has a webhook
    assert eventually(lambda: kept(settings, run_id) == ["figures", "history", "result"])


def test_a_lost_sender_delivers_again_after_its_lease(
    hooks: TestClient, allowing: Settings, worker: Worker, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    start_run(hooks)
    worker.finish()
    lost = Dispatcher(allowing)
    asyncio.run(RunEndJob(allowing).run_once())
    assert len(lost._claim()) == 1  # and its process ends here
    assert tick(allowing) == 0 and receiver.received == []
    make_due(allowing)
    assert tick(allowing) == 1
    assert log(hooks, hook)[0]["attempts"] == 2 and len(receiver.received) == 1


def test_failures_are_repeated_under_the_same_id_until_the_last(
    hooks: TestClient, allowing: Settings, worker: Worker, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    start_run(hooks)
    worker.finish()
    receiver.answer = lambda handler: respond(handler, 500, b"broken")
    for attempt in range(1, len(DELAYS_S) + 2):
        assert tick(allowing) == 1
        (entry,) = log(hooks, hook)
        assert (entry["attempts"], entry["last_status"], entry["last_answer"]) == (attempt, 500, "broken")
        assert tick(allowing) == 0
        make_due(allowing)
    assert entry["state"] == "failed" and entry["next_at"] is None and tick(allowing) == 0
    assert [attempt["status"] for attempt in entry["history"]] == [500] * (len(DELAYS_S) + 1)
    assert len({headers["webhook-id"] for _, headers, _ in receiver.received}) == 1
    assert hooks.get("/api/v1/webhooks").json()["data"][0]["failing_since"] is not None
    receiver.answer = lambda handler: respond(handler, 200)
    again = hooks.post(f"/api/v1/webhooks/{hook['id']}/deliveries/{entry['id']}:redeliver")
    assert (again.status_code, again.json()["state"]) == (202, "pending")
    assert tick(allowing) == 1 and log(hooks, hook)[0]["state"] == "delivered"
    history = log(hooks, hook)[0]["history"]
    assert [attempt["status"] for attempt in history[-2:]] == [500, 200]
    assert all(attempt["error"] is None and attempt["seconds"] >= 0 for attempt in history)
    assert sorted(attempt["at"] for attempt in history) == [attempt["at"] for attempt in history]
    assert len(received(receiver, hook["secret"])) == len(DELAYS_S) + 2
    assert hooks.get("/api/v1/webhooks").json()["data"][0]["failing_since"] is None


@pytest.mark.parametrize("reason", ["gone", "failing"])
def test_a_receiver_that_is_gone_or_fails_for_days_is_disabled_with_a_notice(
    hooks: TestClient, allowing: Settings, worker: Worker, receiver: ReceiverServer, reason: str
) -> None:
    hook = add(hooks, receiver)
    start_run(hooks)
    worker.finish()
    receiver.answer = lambda handler: respond(handler, 410 if reason == "gone" else 503)
    tick(allowing)
    if reason == "failing":
        assert hooks.get("/api/v1/webhooks").json()["data"][0]["disabled_at"] is None
        with session_scope(allowing) as session:
            session.execute(text("UPDATE webhook SET failing_since = now() - interval '6 days'"))
        make_due(allowing)
        tick(allowing)
    (listed,) = hooks.get("/api/v1/webhooks").json()["data"]
    assert listed["disabled_reason"] == reason and listed["disabled_at"]
    noted = hooks.get("/api/v1/audit").json()["data"][0]
    assert (noted["action"], noted["object"], noted["code"]) == ("disableWebhook", hook["id"], reason)
    make_due(allowing)
    assert tick(allowing) == 0
    problem_of(hooks.post(f"/api/v1/webhooks/{hook['id']}:test"), 409, "conflict")
    assert hooks.patch(f"/api/v1/webhooks/{hook['id']}", json={"enabled": True}).json()["disabled_at"] is None


def test_a_test_message_and_a_pause(hooks: TestClient, allowing: Settings, receiver: ReceiverServer) -> None:
    hook = add(hooks, receiver, description="chat")
    assert hooks.post(f"/api/v1/webhooks/{hook['id']}:test").status_code == 202
    tick(allowing)
    assert received(receiver, hook["secret"])[0]["type"] == "webhook.test"
    changed = hooks.patch(f"/api/v1/webhooks/{hook['id']}", json={"enabled": False, "description": "old"})
    assert (changed.json()["disabled_reason"], changed.json()["description"]) == ("paused", "old")
    assert hooks.delete(f"/api/v1/webhooks/{hook['id']}").status_code == 204
    assert hooks.get("/api/v1/webhooks").json()["data"] == []
    problem_of(hooks.post(f"/api/v1/webhooks/{hook['id']}:test"), 404, "not_found")


def test_the_secret_is_shown_once_and_only_to_the_api(
    hooks: TestClient, allowing: Settings, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    assert hook["secret"].startswith("whsec_") and len(hook["secret"]) == 50
    hooks.post(f"/api/v1/webhooks/{hook['id']}:test")
    tick(allowing)
    shown = hooks.get("/api/v1/webhooks")
    assert shown.headers["cache-control"] == "no-store"
    everything = shown.text + json.dumps(log(hooks, hook)) + hooks.get("/api/v1/audit").text
    assert hook["secret"] not in everything
    for role in (grants.WORKER, grants.READONLY):
        with session_scope(allowing) as session:
            query = text("SELECT has_table_privilege(:role, 'webhook', 'SELECT')")
            assert session.execute(query, {"role": role}).scalar_one() is False
            column = text("SELECT has_column_privilege(:role, 'webhook', 'secret', :may)")
            for privilege in ("SELECT", "INSERT", "UPDATE"):
                assert not session.execute(column, {"role": role, "may": privilege}).scalar_one()
            assert not session.execute(
                text("SELECT pg_has_role(:role, :api, 'MEMBER') OR pg_has_role(:role, :owner, 'MEMBER')"),
                {"role": role, "api": grants.API, "owner": grants.MIGRATE},
            ).scalar_one()


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.1/", "https://2130706433/", "https://0x7f000001/", "https://[::ffff:127.0.0.1]/",
     "https://169.254.169.254/", "https://localhost./", "http://localhost:2375/", "ftp://example.org/",
     "https://u:p@example.org/", "https://host.invalid/"],
)  # fmt: skip
def test_a_target_that_is_not_public_is_refused_and_nothing_is_stored(api: TestClient, url: str) -> None:
    problem_of(api.post("/api/v1/webhooks", json={"url": url}), 422, "target_not_allowed")
    assert api.get("/api/v1/webhooks").json()["data"] == []
    entry = api.get("/api/v1/audit").json()["data"][0]
    assert (entry["action"], entry["status"]) == ("createWebhook", 422)


def test_an_address_that_is_no_longer_allowed_is_not_contacted(
    hooks: TestClient, settings: Settings, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    hooks.post(f"/api/v1/webhooks/{hook['id']}:test")
    assert tick(settings) == 1 and receiver.received == []
    (entry,) = log(hooks, hook)
    assert "no public address" in entry["last_error"]
    assert [(attempt["status"], attempt["error"]) for attempt in entry["history"]] == [(None, "blocked")]


def test_the_log_of_attempts_is_bounded_and_ends_with_its_message(
    hooks: TestClient, allowing: Settings, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    message = hooks.post(f"/api/v1/webhooks/{hook['id']}:test").json()
    receiver.answer = lambda handler: respond(handler, 503, b"x" * 5000)
    for _ in range(webhooks.KEPT_ATTEMPTS + 3):
        hooks.post(f"/api/v1/webhooks/{hook['id']}/deliveries/{message['id']}:redeliver")
        assert tick(allowing) == 1
    receiver.answer = lambda handler: respond(handler, 200)
    make_due(allowing)
    tick(allowing)
    (entry,) = log(hooks, hook)
    assert [attempt["status"] for attempt in entry["history"]] == [503] * (webhooks.KEPT_ATTEMPTS - 1) + [200]
    with session_scope(allowing) as session:
        session.execute(text("UPDATE webhook_delivery SET created_at = now() - interval '31 days'"))
        webhooks.forget_old(session)
    with session_scope(allowing) as session:
        assert session.execute(text("SELECT count(*) FROM webhook_attempt")).scalar_one() == 0


def test_a_message_that_waits_at_a_disabled_webhook_is_not_kept_for_ever(
    hooks: TestClient, allowing: Settings, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    hooks.post(f"/api/v1/webhooks/{hook['id']}:test")
    assert hooks.patch(f"/api/v1/webhooks/{hook['id']}", json={"enabled": False}).status_code == 200
    with session_scope(allowing) as session:
        session.execute(text("UPDATE webhook_delivery SET created_at = now() - interval '31 days'"))
        webhooks.forget_old(session)
    assert log(hooks, hook) == []


def test_an_attempt_names_the_kind_of_its_error(
    hooks: TestClient, allowing: Settings, receiver: ReceiverServer
) -> None:
    hook = add(hooks, receiver)
    with session_scope(allowing) as session:
        https = f"https://127.0.0.1:{receiver.server_port}/"
        session.execute(text("UPDATE webhook SET url = :url"), {"url": https})
    hooks.post(f"/api/v1/webhooks/{hook['id']}:test")
    tick(allowing)
    with session_scope(allowing) as session:
        session.execute(text("UPDATE webhook SET url = 'http://127.0.0.1:1/'"))
    make_due(allowing)
    tick(allowing)
    assert [attempt["error"] for attempt in log(hooks, hook)[0]["history"]] == ["tls", "connection"]


def test_bad_input(hooks: TestClient, receiver: ReceiverServer) -> None:
    url = f"http://127.0.0.1:{receiver.server_port}/"
    for body in ({}, {"url": url, "events": []}, {"url": url, "events": ["all"]}, {"url": url, "secret": "x"},
                 {"url": 1}, {"url": url, "team_id": "tem_1"}):  # fmt: skip
        assert hooks.post("/api/v1/webhooks", json=body).status_code == 422, body
    hook = add(hooks, receiver)
    problem_of(hooks.post(f"/api/v1/webhooks/{hook['id']}/deliveries/msg_x:redeliver"), 404, "not_found")
    message = hooks.post(f"/api/v1/webhooks/{hook['id']}:test").json()
    other = add(hooks, receiver)
    foreign = f"/api/v1/webhooks/{other['id']}/deliveries/{message['id']}:redeliver"
    problem_of(hooks.post(foreign), 404, "not_found")
    for _ in range(18):
        add(hooks, receiver)
    problem_of(hooks.post("/api/v1/webhooks", json={"url": url}), 409, "conflict")


def test_the_threads_of_the_api_make_messages_and_send_them(
    hooks: TestClient, allowing: Settings, worker: Worker, receiver: ReceiverServer
) -> None:
    add(hooks, receiver)
    often = allowing.model_copy(update={"webhook_every_s": 0.05, "run_ends_every_s": 0.05})
    ends, dispatcher = RunEndJob(often), Dispatcher(often)
    ends.start()
    dispatcher.start()
    try:
        start_run(hooks)
        worker.finish()
        assert eventually(lambda: len(receiver.received) == 1, limit=60)
    finally:
        dispatcher.stop()
        ends.stop()
