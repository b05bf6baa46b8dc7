"""Starting a run of a submitted document in one request."""

from __future__ import annotations

import yaml
from fastapi.testclient import TestClient

from backend.queue import queue_name
from tests.api.client import DOCUMENT, Worker, problem_of
from tests.services import RedisServer

URL = "/api/v1/runs"


def test_a_document_is_stored_and_its_run_queued(
    api: TestClient, worker: Worker, redis_server: RedisServer
) -> None:
    answer = api.post(URL, json=DOCUMENT, params={"host": "bench-1"})
    run = answer.json()
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"{URL}/{run['id']}"
    assert answer.headers["retry-after"] == "2"
    assert (run["state"], run["host"], run["title"]) == ("queued", "bench-1", DOCUMENT["title"])
    assert api.get(answer.headers["location"]).json() == run
    assert len(redis_server.client().lrange(queue_name("bench-1"), 0, -1)) == run["progress"]["total"]
    stored = api.get(f"/api/v1/experiments/{run['experiment_id']}").json()
    assert stored["definition"]["factors"]["path"] == list(DOCUMENT["factors"]["path"])


def test_the_same_document_is_stored_once_and_yaml_is_taken(api: TestClient, worker: Worker) -> None:
    first = api.post(URL, json=DOCUMENT).json()
    second = api.post(URL, content=yaml.safe_dump(DOCUMENT), headers={"Content-Type": "application/yaml"})
    assert second.status_code == 202, second.text
    assert second.json()["experiment_id"] == first["experiment_id"]
    assert second.json()["id"] != first["id"]


def test_a_repeated_request_gets_the_run_that_was_made(api: TestClient, worker: Worker) -> None:
    key = {"Idempotency-Key": "one-key"}
    first, again = (api.post(URL, json=DOCUMENT, headers=key) for _ in range(2))
    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert len(api.get(URL).json()["data"]) == 1
    other = api.post(URL, json=DOCUMENT | {"title": "Another"}, headers=key)
    problem_of(other, 422, "idempotency_key_reused")


def test_a_refusal_stores_neither_experiment_nor_run(api: TestClient, worker: Worker) -> None:
    problem_of(api.post(URL, json=DOCUMENT, params={"host": "nowhere"}), 422, "unknown_host")
    wrong = api.post(URL, json=DOCUMENT | {"rounds": 0})
    assert problem_of(wrong, 422, "out_of_bounds")["errors"][0]["pointer"] == "/rounds"
    problem_of(api.post(URL, json=DOCUMENT, params={"plan_digest": "0" * 64}), 409, "plan_changed")
    plain = api.post(URL, content=b"{}", headers={"Content-Type": "text/plain"})
    problem_of(plain, 415, "unsupported_media_type")
    problem_of(api.post(URL, json=DOCUMENT, params={"hosts": "bench-1"}), 422, "unknown_field")
    assert api.get("/api/v1/experiments").json()["data"] == []
    assert api.get(URL).json()["data"] == []


def test_the_plan_that_was_shown_is_started(api: TestClient, worker: Worker) -> None:
    planned = api.post("/api/v1/plans", json=DOCUMENT, params={"host": "bench-1"}).json()
    params = {"host": "bench-1", "plan_digest": planned["plan_digest"]}
    run = api.post(URL, json=DOCUMENT, params=params)
    assert run.status_code == 202, run.text
