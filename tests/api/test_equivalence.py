"""How far the lab equals the host's own engine, as the host's page shows it."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from tests.api.client import DOCUMENT, Worker, problem_of, start_run

BOTH: dict[str, Any] = {
    **DOCUMENT,
    "name": "both-engines",
    "factors": {**DOCUMENT["factors"], "engine": ["lab", "host"]},
    "baseline": {"engine": "lab"},
    "rounds": 7,
}
URL = "/api/v1/hosts/bench-1/equivalence"


def test_without_such_a_run_the_preset_to_run_is_named(api: TestClient, worker: Worker) -> None:
    start_run(api)
    worker.finish()
    start_run(api, BOTH)
    worker.record(worker.claim())
    found = problem_of(api.get(URL), 404, "not_found")
    assert "lab-equals-host" in found["detail"]
    problem_of(api.get("/api/v1/hosts/nobody/equivalence"), 404, "not_found")
    assert api.get("/api/v1/hosts/bench-1").json()["equivalence_run_id"] is None


def test_each_path_has_its_ratio_with_an_interval(api: TestClient, worker: Worker) -> None:
    run = start_run(api, BOTH)
    count = 0
    while worker.open():
        claimed = worker.claim()
        rate = {"same_container": 10_000.0, "published_loopback": 8_000.0}[str(claimed.levels["path"])]
        if (claimed.levels["engine"], claimed.levels["path"]) == ("host", "published_loopback"):
            rate *= 0.8
        count += 1
        worker.record(claimed, rate * (1 + count % 5 / 1e4))
    assert api.get("/api/v1/hosts/bench-1").json()["equivalence_run_id"] == run["id"]
    found = api.get(URL).json()
    assert (found["run_id"], found["metric"], found["margin"]) == (run["id"], "tps", 0.05)
    by_path = {path["path"]: path for path in found["paths"]}
    assert list(by_path) == ["same_container", "published_loopback"]
    assert by_path["same_container"]["verdict"] == "equivalent"
    slower = by_path["published_loopback"]
    assert abs(slower["ratio"] - 0.8) < 0.01 and slower["interval"]["high"] < 0.9 and slower["n"] == 7
