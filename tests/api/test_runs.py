"""Starting, following by poll, cancelling and reading runs."""

from __future__ import annotations

import json
import threading
import time

import pytest
from fastapi.testclient import TestClient

from backend.queue import queue_name
from backend.settings import Settings
from backend.store import invariants
from tests.api.client import DOCUMENT, Worker, problem_of, start_run
from tests.services import PostgresServer, RedisServer


def test_a_run_is_queued_and_its_worker_woken(
    api: TestClient, worker: Worker, redis_server: RedisServer
) -> None:
    created = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    answer = api.post(f"/api/v1/experiments/{created}/runs")
    run = answer.json()
    assert answer.status_code == 202
    assert answer.headers["location"] == f"/api/v1/runs/{run['id']}"
    assert answer.headers["retry-after"] == "2"
    assert (run["state"], run["host"], run["seed"], run["current"]) == ("queued", "bench-1", 7, None)
    assert run["progress"]["total"] == 6 and run["progress"]["eta_s"] > 6
    assert api.get(answer.headers["location"]).json() == run
    messages = redis_server.client().lrange(queue_name("bench-1"), 0, -1)
    assert len(messages) == 6
    assert json.loads(messages[0])["headers"]["task"] == "plimsoll.trial"


WITHOUT_SEED = {name: value for name, value in DOCUMENT.items() if name != "seed"}


def test_each_run_draws_a_seed_and_a_retry_gets_the_run_that_was_made(
    api: TestClient, worker: Worker
) -> None:
    created = api.post("/api/v1/experiments", json=WITHOUT_SEED).json()
    assert "seed" not in created["definition"]
    path = f"/api/v1/experiments/{created['id']}/runs"
    first, again = (api.post(path, headers={"Idempotency-Key": "one-key"}) for _ in range(2))
    assert first.json() == again.json()
    other = api.post(path).json()
    assert first.json()["seed"] != other["seed"] != 1
    for run in (first.json(), other):
        assert api.get(f"/api/v1/runs/{run['id']}").json()["seed"] == run["seed"]
        assert api.get(f"/api/v1/runs/{run['id']}/result").json()["seed"] == run["seed"]
        exported = api.get(f"/api/v1/runs/{run['id']}/exports/json").json()
        assert exported["definition"]["seed"] == exported["plan"]["seed"] == run["seed"]
        assert f"# seed: {run['seed']}\n" in api.get(f"/api/v1/runs/{run['id']}/exports/benchstat").text


def test_a_drawn_seed_repeats_its_order(api: TestClient, worker: Worker) -> None:
    run = start_run(api, WITHOUT_SEED)
    repeated = start_run(api, {**WITHOUT_SEED, "seed": run["seed"]})
    orders = [
        [(t["round"], t["position"], t["cell_id"]) for t in exported["trials"]]
        for exported in (api.get(f"/api/v1/runs/{r['id']}/exports/json").json() for r in (run, repeated))
    ]
    assert orders[0] == orders[1]


def test_a_plan_that_is_only_shown_has_an_example_seed(api: TestClient, worker: Worker) -> None:
    shown = api.post("/api/v1/plans", json=WITHOUT_SEED).json()
    assert shown["plan"]["seed"] == 1 and "seed" not in shown["experiment"]
    assert api.post("/api/v1/plans", json=DOCUMENT).json()["plan"]["seed"] == 7


def test_a_whole_run(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api, host="bench-1")
    claimed = worker.claim()
    running = api.get(f"/api/v1/runs/{run['id']}").json()
    assert running["state"] == "running" and running["current"]["trial_id"] == claimed.trial_id
    assert "same_container" in running["current"]["label"] or running["current"]["label"]
    worker.record(claimed)
    worker.finish()
    done = api.get(f"/api/v1/runs/{run['id']}").json()
    assert (done["state"], done["progress"]["done"], done["progress"]["eta_s"]) == ("done", 6, None)
    assert invariants.check(settings) == []


def test_wait_answers_as_soon_as_the_run_has_ended(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    timer = threading.Timer(0.6, worker.finish)
    timer.start()
    began = time.monotonic()
    found = api.get(f"/api/v1/runs/{run['id']}?wait=60").json()
    timer.join()
    assert found["state"] == "done" and time.monotonic() - began < 60
    began = time.monotonic()
    other = start_run(api, {**DOCUMENT, "seed": 9})
    assert api.get(f"/api/v1/runs/{other['id']}?wait=0.5").json()["state"] == "queued"
    assert time.monotonic() - began >= 0.5


@pytest.mark.parametrize("wait", ["-1", "61", "x", "nan"])
def test_wait_has_bounds(api: TestClient, worker: Worker, wait: str) -> None:
    problem_of(api.get(f"/api/v1/runs/{start_run(api)['id']}?wait={wait}"), 422, "invalid")


def test_runs_are_listed_newest_first(api: TestClient, worker: Worker) -> None:
    made = [start_run(api)["id"] for _ in range(3)]
    first = api.get("/api/v1/runs?limit=2").json()
    second = api.get(f"/api/v1/runs?limit=2&cursor={first['next_cursor']}").json()
    assert [run["id"] for run in first["data"] + second["data"]] == made[::-1]
    assert second["next_cursor"] is None


def test_cancel(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    claimed = worker.claim()
    answer = api.post(f"/api/v1/runs/{run['id']}:cancel")
    assert answer.status_code == 202
    assert answer.json()["cancel_requested"] is True
    assert answer.json()["progress"]["cancelled"] == 5
    worker.record(claimed)
    assert api.get(f"/api/v1/runs/{run['id']}").json()["state"] == "cancelled"
    assert api.post(f"/api/v1/runs/{run['id']}:cancel").status_code == 202


def test_a_done_run_cannot_be_cancelled(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    worker.finish()
    problem_of(api.post(f"/api/v1/runs/{run['id']}:cancel"), 409, "conflict")


def test_an_idempotency_key_brings_the_first_answer_back(
    api: TestClient, worker: Worker, redis_server: RedisServer
) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url, headers = f"/api/v1/experiments/{experiment}/runs", {"Idempotency-Key": "k1"}
    first = api.post(url, json={}, headers=headers)
    again = api.post(url, json={}, headers=headers)
    assert again.status_code == 202
    assert (again.json(), again.headers["location"]) == (first.json(), first.headers["location"])
    assert again.headers["idempotent-replayed"] == "true" and "idempotent-replayed" not in first.headers
    assert len(api.get("/api/v1/runs").json()["data"]) == 1
    assert redis_server.client().llen(queue_name("bench-1")) == 6
    problem_of(api.post(url, json={"host": "bench-1"}, headers=headers), 422, "idempotency_key_reused")
    assert api.post(url, json={}, headers={"Idempotency-Key": "k" * 256}).status_code == 422


def test_a_refused_start_leaves_its_key_unused(api: TestClient, worker: Worker) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url, headers = f"/api/v1/experiments/{experiment}/runs", {"Idempotency-Key": "k1"}
    assert api.post(url, json={"host": "nope"}, headers=headers).status_code == 422
    assert api.post(url, json={}, headers=headers).status_code == 202


def test_a_key_is_forgotten_after_a_week(
    api: TestClient, worker: Worker, settings: Settings, postgres: PostgresServer
) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url = f"/api/v1/experiments/{experiment}/runs"
    for key in ("old", "young"):
        assert api.post(url, json={}, headers={"Idempotency-Key": key}).status_code == 202
    with postgres.connect(settings.database_url.split("/")[3].split("?")[0]) as connection:
        connection.execute(
            "UPDATE idempotency_key SET created_at = created_at - interval '8 days' WHERE key = 'old'"
        )
    replayed = api.post(url, json={}, headers={"Idempotency-Key": "young"}).headers
    assert replayed["idempotent-replayed"] == "true"
    anew = api.post(url, json={}, headers={"Idempotency-Key": "old"})
    assert "idempotent-replayed" not in anew.headers and len(api.get("/api/v1/runs").json()["data"]) == 3


def test_the_same_key_at_once_makes_one_run(api: TestClient, worker: Worker) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    ids: list[str] = []

    def start() -> None:
        answer = api.post(f"/api/v1/experiments/{experiment}/runs", headers={"Idempotency-Key": "k"})
        ids.append(answer.json()["id"])

    threads = [threading.Thread(target=start) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(ids) == 5 and len(set(ids)) == 1


def test_hosts_are_chosen_or_refused(api: TestClient, settings: Settings) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url = f"/api/v1/experiments/{experiment}/runs"
    assert "start a worker" in problem_of(api.post(url), 409, "conflict")["detail"]
    Worker(settings).announce("bench-1")
    Worker(settings).announce("bench-2")
    for body, code in (({}, "missing"), ({"host": "bench-3"}, "unknown_host")):
        found = problem_of(api.post(url, json=body), 422, "invalid")["errors"][0]
        assert (found["pointer"], found["code"]) == ("/host", code)
        assert "bench-1, bench-2" in found["detail"]
    assert api.post(url, json={"host": "bench-2"}).json()["host"] == "bench-2"


def test_a_host_that_was_not_seen_may_still_be_given_work(
    api: TestClient, worker: Worker, settings: Settings, postgres: PostgresServer
) -> None:
    with postgres.connect(settings.database_url.split("/")[3].split("?")[0]) as connection:
        connection.execute("UPDATE host SET last_seen_at = clock_timestamp() - interval '2 min'")
    assert api.get("/api/v1/hosts").json()["data"][0]["online"] is False
    assert start_run(api)["state"] == "queued"


def test_a_run_leaves_out_what_its_host_cannot_run(api: TestClient, worker: Worker) -> None:
    worker.announce("bench-1", paths=["same_container"], reasons={"path.published_loopback": "no NAT here"})
    run = start_run(api)
    assert run["progress"]["total"] == 4
    cells = api.get(f"/api/v1/runs/{run['id']}/result").json()["cells"]
    assert [(c["state"], c["reason"]) for c in cells if c["id"] == "c2"] == [("infeasible", "no NAT here")]


def test_a_dead_redis_delays_nothing_but_the_wake_up(
    api: TestClient, worker: Worker, redis_server: RedisServer
) -> None:
    redis_server.stop()
    try:
        began = time.monotonic()
        run = start_run(api)
        assert time.monotonic() - began < 60
        checks = api.get("/readyz").json()["checks"]
        assert (checks["database"], checks["redis"]) == ("ok", "does not answer")
        assert api.get("/readyz").status_code == 200
        worker.finish()
        assert api.get(f"/api/v1/runs/{run['id']}").json()["state"] == "done"
    finally:
        redis_server.start()


def test_a_dead_database_is_a_503(api: TestClient, worker: Worker, postgres: PostgresServer) -> None:
    run = start_run(api)
    assert api.get("/readyz").json()["status"] == "ok"
    postgres.stop()
    try:
        for answer in (
            api.get("/api/v1/runs"),
            api.get(f"/api/v1/runs/{run['id']}/events"),
            api.post("/api/v1/experiments", json=DOCUMENT),
            api.post("/api/v1/plans", json=DOCUMENT),
        ):
            problem_of(answer, 503, "unavailable")
            assert int(answer.headers["retry-after"]) > 0
        assert api.get("/readyz").status_code == 503
        assert api.get("/healthz").status_code == 200
    finally:
        postgres.start()
    assert api.get(f"/api/v1/runs/{run['id']}").json() == run


def test_a_run_spends_its_rounds_where_they_decide(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    document = {**DOCUMENT, "rounds": 8, "stopping": {"every": 4, "at_most": 16}}
    run = start_run(api, document)
    assert run["progress"]["total"] == 48 and run["progress"]["skipped"] == 0
    worker.finish()
    done = api.get(f"/api/v1/runs/{run['id']}").json()
    assert (done["state"], done["progress"]["done"], done["progress"]["skipped"]) == ("done", 24, 24)
    assert done["progress"]["spared"] == 24, "deprecated, in v1"
    trials = api.get(f"/api/v1/runs/{run['id']}/trials?cell=c2").json()["data"]
    assert [trial["state"] for trial in trials] == ["done"] * 8 + ["spared"] * 8
    model = api.get(f"/api/v1/runs/{run['id']}/result").json()
    assert (model["looks"]["planned"], model["looks"]["taken"]) == ([8, 12, 16], [8])
    (decided,) = (cell for cell in model["cells"] if cell["id"] == "c2")
    assert (decided["decided_at"], decided["state"], decided["comparisons"]["tps"]["verdict"]) == (
        8,
        "measured",
        "worse",
    )
    whole = api.get(f"/api/v1/runs/{run['id']}/result/cells/c2").json()
    assert whole == decided
    problem_of(api.get(f"/api/v1/runs/{run['id']}/result/cells/c99"), 404, "not_found")
    assert invariants.check(settings) == []
