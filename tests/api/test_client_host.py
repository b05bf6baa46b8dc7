"""A run that names a client host: what the API accepts, and what it stores."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.repositories import hosts
from backend.store.session import session_scope
from tests.api.client import Worker, problem_of

DOCUMENT: dict[str, Any] = {
    "name": "two-hosts",
    "title": "Two hosts",
    "factors": {
        "path": ["container_address", "published_remote"],
        "engine": ["host"],
        "tool": ["wrk"],
        "service": ["pong"],
    },
    "baseline": {"path": "container_address"},
    "rounds": 2,
}
ABLE = {"engines": ["on", "off", "host"], "host_userland_proxy": True}


@pytest.fixture
def experiment(api: TestClient, settings: Settings, worker: Worker) -> str:
    """The experiment's id; bench-1 is the run's host, bench-2 may run clients."""
    with session_scope(settings) as session:
        for name in ("bench-1", "bench-2"):
            hosts.announce(session, name, ABLE, {})
    created = api.post("/api/v1/experiments", json=DOCUMENT)
    assert created.status_code == 201, created.text
    found: str = created.json()["id"]
    return found


def start(api: TestClient, experiment: str, **body: Any) -> Any:
    return api.post(f"/api/v1/experiments/{experiment}/runs", json={"host": "bench-1"} | body)


def test_a_run_with_a_client_host(api: TestClient, settings: Settings, experiment: str) -> None:
    answer = start(api, experiment, client_host="bench-2")
    assert answer.status_code == 202, answer.text
    assert answer.json()["client_host"] == "bench-2"
    assert api.get(f"/api/v1/runs/{answer.json()['id']}").json()["client_host"] == "bench-2"
    with session_scope(settings) as session:
        paths = session.execute(text("SELECT DISTINCT levels ->> 'path' FROM trial ORDER BY 1")).scalars()
        assert list(paths) == ["container_address", "published_remote"]


def test_without_a_client_host_the_remote_cell_is_infeasible(
    api: TestClient, settings: Settings, experiment: str
) -> None:
    answer = start(api, experiment)
    assert answer.json()["client_host"] is None
    with session_scope(settings) as session:
        paths = session.execute(text("SELECT DISTINCT levels ->> 'path' FROM trial")).scalars()
        assert list(paths) == ["container_address"]


@pytest.mark.parametrize(
    ("client", "code"), [("bench-1", "same_host"), ("nobody", "unknown_host")]
)  # fmt: skip
def test_the_client_host_is_another_known_one(
    api: TestClient, experiment: str, client: str, code: str
) -> None:
    errors = problem_of(start(api, experiment, client_host=client), 422, "invalid")["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [("/client_host", code)]


def test_a_closed_or_unable_client_host_is_refused(
    api: TestClient, settings: Settings, experiment: str
) -> None:
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET host_network = false WHERE name = 'bench-2'"))
    errors = problem_of(start(api, experiment, client_host="bench-2"), 422, "invalid")["errors"]
    assert errors[0]["code"] == "mode_not_enabled"
    with session_scope(settings) as session:
        hosts.announce(session, "bench-2", {"engines": ["on", "off"]}, {})
    errors = problem_of(start(api, experiment, client_host="bench-2"), 422, "invalid")["errors"]
    assert errors[0]["code"] == "client_host_unused"
    assert "bench-2 cannot run it" in errors[0]["detail"]
