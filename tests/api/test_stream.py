"""The event stream over real HTTP: stored events by id, live ones from Redis, resume and end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from redis import Redis
from sqlalchemy import text

from backend.api.access import open_request
from backend.api.runs import encoded_events, service, subscriptions
from backend.api.runs import stream as stream_module
from backend.queue import connect, publish_live
from backend.settings import Settings
from backend.store.repositories import events as stored_events
from backend.store.session import session_scope
from tests.accounts import authorization
from tests.api import client as client_module
from tests.api.access_ends import ACCESS_ENDS
from tests.api.client import Worker, problem_of, start_run
from tests.services import PostgresServer, RedisServer

Event = tuple[str | None, str | None, Any]


@contextmanager
def stream(base: str, run_id: str, last: str | None = None, query: str = "") -> Iterator[Iterator[Event]]:
    headers = authorization() | ({"Last-Event-ID": last} if last is not None else {})
    url = f"{base}/api/v1/runs/{run_id}/events{query}"
    with httpx2.stream("GET", url, headers=headers, timeout=60) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        assert "content-encoding" not in answer.headers
        yield _events(answer.iter_lines())


def _events(lines: Iterator[str]) -> Iterator[Event]:
    found: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            found[name] = value
        elif found:
            yield found.get("event"), found.get("id"), json.loads(found["data"])
            found = {}


@pytest.fixture
def watching(redis_server: RedisServer) -> Redis:
    """A user of Redis that may see who subscribes to what."""
    return redis_server.client()


def test_a_run_is_followed_to_its_end(api: TestClient, served: str, worker: Worker) -> None:
    run = start_run(api)
    with stream(served, run["id"]) as events:
        # Events have neither note nor tags: these are changed by hand.
        about = {name: run[name] for name in ("last_event_id", "note", "tags")}
        assert next(events)[2] | about == run
        claimed = worker.claim()
        kind, _, trial = next(events)
        assert (kind, trial["trial_id"], trial["state"]) == ("trial", claimed.trial_id, "running")
        worker.record(claimed, 123.0)
        worker.finish()
        rest = list(events)
    assert next(data["metrics"]["tps"] for _, _, data in rest if data.get("metrics")) == 123.0
    assert (rest[-1][0], rest[-1][2]["state"]) == ("run", "done")
    ids = [int(id_) for _, id_, _ in rest if id_ is not None]
    assert ids == sorted(ids) and len(ids) == len(rest)


def test_a_stream_resumes_after_the_last_event_seen(api: TestClient, served: str, worker: Worker) -> None:
    run = start_run(api)
    worker.finish()
    with stream(served, run["id"]) as events:
        everything = list(events)
    middle = everything[4][1]
    with stream(served, run["id"], middle) as events:
        assert list(events) == everything[5:]
    with stream(served, run["id"], everything[-1][1]) as events:
        assert list(events) == []
    for nonsense in ("x", "-1", "9" * 19):
        with stream(served, run["id"], nonsense) as events:
            assert list(events) in (everything, [])


def test_a_page_that_has_read_the_run_follows_from_there(
    api: TestClient, served: str, worker: Worker
) -> None:
    run = start_run(api)
    worker.record(worker.claim())
    known = api.get(f"/api/v1/runs/{run['id']}").json()["last_event_id"]
    worker.finish()
    with stream(served, run["id"]) as events:
        everything = list(events)
    later = [event for event in everything if int(str(event[1])) > known]
    assert 0 < len(later) < len(everything)
    with stream(served, run["id"], query=f"?after={known}") as events:
        assert list(events) == later
    with stream(served, run["id"], later[0][1], f"?after={known}") as events:
        assert list(events) == later[1:]


def test_a_long_past_is_replayed_without_a_wait(
    api: TestClient, served: str, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches of events follow each other at once: with a wait between them this would not end."""
    monkeypatch.setattr(stored_events, "BATCH", 2)
    monkeypatch.setattr(stream_module, "BATCH", 2)
    monkeypatch.setattr(subscriptions, "CHECK_EVERY_S", 1000.0)
    run = start_run(api)
    worker.finish()
    with stream(served, run["id"]) as events:
        assert list(events)[-1][2]["state"] == "done"


def test_many_events_are_one_chunk(api: TestClient, worker: Worker, token: dict[str, str]) -> None:
    """A write for each event took 18 s for a run of 10,000 trials."""
    run = start_run(api)
    worker.finish()
    bodies: list[bytes] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        bodies.append(message.get("body", b""))

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError("the client stays")

    path = f"/api/v1/runs/{run['id']}/events"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1"), (b"authorization", token["Authorization"].encode())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    asyncio.run(_within(20.0, api.app(scope, receive, send)))
    chunks = [body for body in bodies if body]
    assert len(chunks) == 1
    assert chunks[0].count(b"event: ") > 8


async def _within(seconds: float, answer: Awaitable[None]) -> None:
    await asyncio.wait_for(answer, seconds)


def test_a_silent_stream_is_kept_open_by_comments(
    api: TestClient, served: str, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_module, "KEEPALIVE_S", 0.05)
    run = start_run(api)
    url = f"{served}/api/v1/runs/{run['id']}/events?after={run['last_event_id']}"
    with httpx2.stream("GET", url, headers=authorization(), timeout=60) as answer:
        lines = answer.iter_lines()
        assert next(lines).startswith(":")
        worker.finish()
        assert any('"state": "done"' in line for line in lines)


def test_a_client_that_leaves_is_no_error(
    api: TestClient, served: str, worker: Worker, watching: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    run = start_run(api)
    with stream(served, run["id"]) as events:
        next(events)
    while watching.pubsub_numsub(f"plimsoll:live:{run['id']}")[0][1]:
        worker.record(worker.claim()) if worker.open() else None
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


def test_live_samples_come_from_redis_without_an_id(
    api: TestClient, served: str, worker: Worker, settings: Settings, watching: Redis
) -> None:
    run = start_run(api)
    client = connect(settings)
    sample = {"trial_id": "trl_x", "cell_id": "c1", "t": 1.0, "tps": 123.0, "cores": None}
    with stream(served, run["id"]) as events:
        next(events)
        while not watching.pubsub_numsub(f"plimsoll:live:{run['id']}")[0][1]:
            pass
        client.publish(f"plimsoll:live:{run['id']}", b"\xff not json")
        publish_live(client, run["id"], sample)
        assert next(events) == ("live", None, sample)


def test_a_lost_message_costs_a_few_seconds_only(
    api: TestClient, served: str, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "publish_events", lambda *_: True)
    run = start_run(api)
    with stream(served, run["id"]) as events:
        next(events)
        worker.finish()
        assert list(events)[-1][2]["state"] == "done"


def test_many_streams_share_one_subscription(
    api: TestClient, served: str, worker: Worker, settings: Settings, watching: Redis
) -> None:
    run = start_run(api)
    client = connect(settings)
    channel = f"plimsoll:live:{run['id']}"
    with stream(served, run["id"]) as one, stream(served, run["id"]) as another:
        next(one), next(another)
        while not watching.pubsub_numsub(channel)[0][1]:
            pass
        publish_live(client, run["id"], {"t": 1.0})
        assert next(one) == next(another) == ("live", None, {"t": 1.0})
        assert watching.pubsub_numsub(channel)[0][1] == 1


def test_new_events_are_read_once_for_all_streams_of_a_run(
    api: TestClient, served: str, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start_run(api)
    query = f"?after={run['last_event_id']}"
    with ExitStack() as stack:
        opened = [stack.enter_context(stream(served, run["id"], query=query)) for _ in range(5)]
        worker.claim()
        first = [[next(events), next(events)] for events in opened]  # the streams have caught up
        reads: list[int] = []
        read = service.events_after

        def counting(settings: Settings, run_id: str, event_id: int) -> Any:
            found = read(settings, run_id, event_id)
            reads.extend(event.id for event in found)
            return found

        monkeypatch.setattr(service, "events_after", counting)
        api.post(f"/api/v1/runs/{run['id']}:cancel", json={}).raise_for_status()
        rest = [[next(events) for _ in range(4)] for events in opened]
    assert first == [first[0]] * 5 and rest == [rest[0]] * 5
    assert len(reads) == len(set(reads))


def test_the_newest_events_of_a_run_are_complete_or_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoded_events, "KEPT", 3)
    newest = encoded_events.NewestEvents(10)
    newest.add(stored_events.StoredEvent(id_, "trial", {}) for id_ in (11, 14, 15))
    assert newest.after(9) is None
    assert [event.id for event in newest.after(11) or ()] == [14, 15]
    newest.add([stored_events.StoredEvent(20, "trial", {})])
    assert newest.after(10) is None
    assert [event.id for event in newest.after(11) or ()] == [14, 15, 20]
    assert (newest.after(20), newest.last_id) == ([], 20)


def test_a_stream_goes_on_without_redis(
    api: TestClient, served: str, worker: Worker, redis_server: RedisServer
) -> None:
    run = start_run(api)
    redis_server.stop()
    try:
        with stream(served, run["id"]) as events:
            next(events)
            worker.finish()
            assert list(events)[-1][2]["state"] == "done"
    finally:
        redis_server.start()


def test_an_unknown_run_is_a_404_and_no_stream(api: TestClient) -> None:
    problem_of(api.get("/api/v1/runs/run_0000000000000000/events"), 404, "not_found")


def test_a_stream_outlives_a_restart_of_the_database(
    api: TestClient, served: str, worker: Worker, postgres: PostgresServer
) -> None:
    run = start_run(api)
    with stream(served, run["id"]) as events:
        next(events)
        postgres.stop()
        postgres.start()
        worker.finish()
        assert list(events)[-1][2]["state"] == "done"


def test_run_events_of_older_versions_are_streamed(
    api: TestClient, served: str, worker: Worker, settings: Settings
) -> None:
    """With `skipped` beside `spared`; an event that is no Run of this version as it was stored."""
    run = start_run(api)
    progress = {**run["progress"], "spared": 3}
    del progress["skipped"]
    older = {**run, "progress": progress}
    oldest = {"id": run["id"], "state": "done"}
    with session_scope(settings) as session:
        stored_events.append(session, run["id"], "run", [older, oldest])
    with stream(served, run["id"], query=f"?after={run['last_event_id']}") as events:
        found = [data for _, _, data in events]
    assert found == [{**older, "progress": {**progress, "skipped": 3}}, oldest]


@pytest.mark.parametrize("end", ACCESS_ENDS)
def test_an_open_stream_ends_with_the_access_of_its_caller(
    api: TestClient,
    served: str,
    worker: Worker,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    end: str,
) -> None:
    monkeypatch.setattr(open_request, "RECHECK_S", 0.2)
    run = start_run(api)
    headers = dict(api.headers) if "browser_session" in end else authorization()
    url = f"{served}/api/v1/runs/{run['id']}/events"
    with httpx2.stream("GET", url, headers=headers, timeout=60) as answer:
        events = _events(answer.iter_lines())
        assert next(events)[0] == "run"
        with session_scope(settings) as session:
            session.execute(text(end))
        assert list(events) == []
    assert open_request.RECHECK_S <= 15
