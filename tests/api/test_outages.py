"""Outages are listed with their start and effect."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api import readiness
from backend.settings import Settings
from backend.store.repositories import hosts
from backend.store.session import session_scope
from tests.api.client import Worker
from tests.services import PostgresServer, RedisServer


def outages(api: TestClient) -> dict[str, Any]:
    return {found["part"]: found for found in api.get("/readyz").json()["away"]}


def test_no_outage(api: TestClient, worker: Worker) -> None:
    answer = api.get("/readyz")
    assert (answer.status_code, outages(api)) == (200, {})
    checks = {"database": "ok", "redis": "ok", "migration": "ok", "storage": "not known"}
    assert answer.json()["checks"] == {**checks, "page": "the page is not built"}


def test_an_outage_of_redis_begins_when_it_is_detected(api: TestClient, redis_server: RedisServer) -> None:
    redis_server.stop()
    try:
        first, second = outages(api)["redis"], outages(api)["redis"]
        assert first["since"] == second["since"] and "trials continue" in first["effect"]
    finally:
        redis_server.start()
    assert outages(api) == {}


def test_an_outage_of_the_database(api: TestClient, worker: Worker, postgres: PostgresServer) -> None:
    postgres.stop()
    try:
        answer = api.get("/readyz")
        assert answer.status_code == 503
        assert outages(api)["database"]["since"] == answer.json()["away"][0]["since"]
        assert "kept and recorded" in answer.json()["away"][0]["effect"]
    finally:
        postgres.start()
    assert outages(api) == {}


def test_an_outage_of_a_worker_begins_at_its_last_sign(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET last_seen_at = last_seen_at - interval '5 minutes'"))
    found = outages(api)["worker"]
    (host,) = api.get("/api/v1/hosts").json()["data"]
    assert (found["host"], found["since"]) == ("bench-1", host["last_seen_at"])
    assert "wait" in found["effect"]


def test_conditions_of_a_worker_are_outages(api: TestClient, worker: Worker, settings: Settings) -> None:
    since = "2026-11-22T08:00:00+00:00"
    conditions = [
        {"part": "host", "since": since, "until": None, "reason": "dockerd is gone", "effect": "no claims"},
        {"part": "redis", "since": since, "until": since, "reason": "unreachable", "effect": "none"},
    ]
    with session_scope(settings) as session:
        hosts.update_last_seen(session, worker.host_id, conditions)
    assert list(outages(api)) == ["host"]
    found = outages(api)["host"]
    assert (found["reason"], found["effect"], found["since"]) == (
        "dockerd is gone",
        "no claims",
        "2026-11-22T08:00:00.000Z",
    )


def test_the_missing_page_is_named_until_it_is_built(api: TestClient, settings: Settings) -> None:
    (outage,) = api.get("/readyz").json()["outages"]
    assert (outage["part"], outage["reason"]) == ("page", "the page is not built")
    settings.page_dir.mkdir()
    (settings.page_dir / "index.html").write_text("<!doctype html>")
    assert api.get("/readyz").json()["outages"] == []


@pytest.mark.parametrize(
    ("revision", "reason"), [("5d0c1f7a92be", "run the migration"), ("f" * 12, "install the newer version")]
)
def test_tables_of_another_version_are_not_ready(
    api: TestClient, owner_settings: Settings, revision: str, reason: str
) -> None:
    with session_scope(owner_settings) as session:
        session.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
    answer = api.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
    assert reason in answer.json()["checks"]["migration"]
    assert answer.json()["outages"][0]["part"] == "migration"


def test_a_nearly_full_volume_is_named(
    api: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (settings.var_dir / "postgres").mkdir(parents=True)
    monkeypatch.setattr(readiness, "LEAST_FREE", 1 << 62)
    answer = api.get("/readyz")
    assert answer.status_code == 200
    assert "MiB are free" in answer.json()["checks"]["storage"]
