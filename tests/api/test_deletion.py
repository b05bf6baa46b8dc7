"""Deleting runs and experiments by request: nothing of them is answered afterwards."""

from __future__ import annotations

import threading

import httpx2
from fastapi.testclient import TestClient

from backend.settings import Settings
from backend.store import invariants
from backend.store.session import session_scope
from tests.accounts import authorization
from tests.api.client import DOCUMENT, Worker, problem_of, start_run


def test_nothing_of_a_deleted_run_is_answered(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api)["id"]
    problem_of(api.delete(f"/api/v1/runs/{run}"), 409, "conflict")
    worker.finish()
    other = start_run(api)["id"]
    trial = api.get(f"/api/v1/runs/{run}/trials").json()["data"][0]["id"]
    share = api.post(f"/api/v1/runs/{run}/shares", json={}).json()
    urls = [
        f"/api/v1/runs/{run}{path}"
        for path in ("", "/result", "/result/cells/c1", "/trials", "/exports/csv-long", "/events", "/shares")
    ] + [f"/api/v1/trials/{trial}", f"/api/v1/trials/{trial}/raw", f"/api/v1/comparisons?a={run}&b={other}"]
    open_share = {"token": share["token"]}
    for url in urls[:4]:
        assert api.get(url).status_code == 200, url
    assert api.post("/api/v1/shares:open", json=open_share).status_code == 200
    answer = api.delete(f"/api/v1/runs/{run}")
    assert (answer.status_code, answer.content) == (204, b"")
    for url in urls:
        problem_of(api.get(url), 404, "not_found")
    problem_of(api.post("/api/v1/shares:open", json=open_share), 404, "not_found")
    problem_of(api.delete(f"/api/v1/shares/{share['id']}"), 404, "not_found")
    problem_of(api.post(f"/api/v1/runs/{run}:cancel", json={}), 404, "not_found")
    problem_of(api.delete(f"/api/v1/runs/{run}"), 404, "not_found")
    assert [row["id"] for row in api.get("/api/v1/runs").json()["data"]] == [other]
    with session_scope(settings) as session:
        assert invariants.violations(session) == []


def test_an_experiment_goes_with_its_runs(api: TestClient, worker: Worker) -> None:
    first = start_run(api)
    worker.finish()
    second = start_run(api)
    experiment = f"/api/v1/experiments/{first['experiment_id']}"
    problem_of(api.delete(experiment), 409, "conflict")
    assert api.get(f"/api/v1/runs/{first['id']}").status_code == 200
    api.post(f"/api/v1/runs/{second['id']}:cancel", json={})
    assert api.delete(experiment).status_code == 204
    problem_of(api.get(experiment), 404, "not_found")
    problem_of(api.delete(experiment), 404, "not_found")
    problem_of(api.post(f"{experiment}/runs", json={}), 404, "not_found")
    assert api.get("/api/v1/runs").json()["data"] == []
    assert api.get("/api/v1/usage").json()["data"][3] == {
        "quota": "stored_bytes",
        "limit": 10_000_000_000,
        "used": 0,
        "unit": "bytes",
        "level": "ok",
    }
    assert api.post("/api/v1/experiments", json=DOCUMENT).status_code == 201


def test_a_key_of_a_deleted_run_starts_a_new_one(api: TestClient, worker: Worker) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url, headers = f"/api/v1/experiments/{experiment}/runs", {"Idempotency-Key": "k"}
    first = api.post(url, json={}, headers=headers).json()["id"]
    worker.finish()
    assert api.delete(f"/api/v1/runs/{first}").status_code == 204
    assert api.post(url, json={}, headers=headers).json()["id"] != first


def test_streams_and_long_polls_of_a_deleted_run_end(settings: Settings, worker: Worker, served: str) -> None:
    with httpx2.Client(base_url=f"{served}/api/v1", headers=authorization(), timeout=60) as client:
        experiment = client.post("/experiments", json=DOCUMENT).json()["id"]
        run = client.post(f"/experiments/{experiment}/runs", json={}).json()["id"]
        worker.finish()
        # A stream behind the last event of an ended run would wait for ever.
        last = client.get(f"/runs/{run}").json()["last_event_id"]
        following = {"Last-Event-ID": str(last + 1)}
        ended = threading.Event()

        def follow() -> None:
            with client.stream("GET", f"/runs/{run}/events", headers=following) as answer:
                for _ in answer.iter_bytes():
                    pass
            ended.set()

        thread = threading.Thread(target=follow)
        thread.start()
        assert client.delete(f"/runs/{run}").status_code == 204
        assert ended.wait(60)
        thread.join()
        assert client.get(f"/runs/{run}/events").status_code == 404
