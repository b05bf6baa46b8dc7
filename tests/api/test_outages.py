"""Outages are listed with their start and effect."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.repositories import hosts
from backend.store.session import session_scope
from tests.api.client import Worker
from tests.services import PostgresServer, RedisServer


def away(api: TestClient) -> dict[str, Any]:
    return {found["part"]: found for found in api.get("/readyz").json()["away"]}


def test_nothing_is_away(api: TestClient, worker: Worker) -> None:
    answer = api.get("/readyz")
    assert (answer.status_code, away(api)) == (200, {})
    assert answer.json()["checks"] == {"database": "ok", "redis": "ok"}


def test_redis_is_away_since_it_was_noticed(api: TestClient, redis_server: RedisServer) -> None:
    redis_server.stop()
    try:
        first, second = away(api)["redis"], away(api)["redis"]
        assert first["since"] == second["since"] and "trials continue" in first["effect"]
    finally:
        redis_server.start()
    assert away(api) == {}


def test_the_database_is_away(api: TestClient, worker: Worker, postgres: PostgresServer) -> None:
    postgres.stop()
    try:
        answer = api.get("/readyz")
        assert answer.status_code == 503
        assert away(api)["database"]["since"] == answer.json()["away"][0]["since"]
        assert "kept and recorded" in answer.json()["away"][0]["effect"]
    finally:
        postgres.start()
    assert away(api) == {}


def test_a_worker_is_away_since_it_was_seen_last(api: TestClient, worker: Worker, settings: Settings) -> None:
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET last_seen_at = last_seen_at - interval '5 minutes'"))
    found = away(api)["worker"]
    (host,) = api.get("/api/v1/hosts").json()["data"]
    assert (found["host"], found["since"]) == ("bench-1", host["last_seen_at"])
    assert "wait" in found["effect"]


def test_what_a_worker_says_is_away(api: TestClient, worker: Worker, settings: Settings) -> None:
    since = "2026-11-22T08:00:00+00:00"
    said = [
        {"part": "host", "since": since, "until": None, "reason": "dockerd is gone", "effect": "no claims"},
        {"part": "redis", "since": since, "until": since, "reason": "was away", "effect": "none"},
    ]
    with session_scope(settings) as session:
        hosts.seen(session, worker.host_id, said)
    assert list(away(api)) == ["host"]
    found = away(api)["host"]
    assert (found["reason"], found["effect"], found["since"]) == (
        "dockerd is gone",
        "no claims",
        "2026-11-22T08:00:00.000Z",
    )
