"""The matrix of a run: every trial by cell and round, cheap to read and kept current by events."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.runs import matrix, results
from backend.measured_window import MeasuredWindow
from backend.settings import Settings
from tests.api.client import DOCUMENT, Worker, problem_of, start_run


def own_settings(api: TestClient) -> Settings:
    found: Settings = api.app.state.settings  # type: ignore[attr-defined]
    return found


def read(api: TestClient, run: str) -> dict[str, Any]:
    results.forget(own_settings(api), run)
    answer = api.get(f"/api/v1/runs/{run}/matrix")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def entry(found: dict[str, Any], cell: str, round_: int) -> tuple[str, float | None]:
    row = next(row for row in found["cells"] if row["id"] == cell)
    return row["states"][round_ - 1], row["rates"][round_ - 1]


def test_a_matrix_fills_up_and_names_what_happened(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    waiting = read(api, run)
    assert waiting["rounds"] == 2 and {row["states"] for row in waiting["cells"]} == {"qq"}
    assert waiting["cells"][0]["path"] == "same_container" and waiting["cells"][0]["metric"] == "tps"
    first = worker.claim()
    assert entry(read(api, run), first.cell_id, 1) == ("r", None)
    worker.record(first, 1234.5678)
    second = worker.claim()
    worker.record(second, 900.0, quality={"discarded": [{"reasons": ["steal"]}]})
    third = worker.claim()
    worker.fail(third)
    fourth = worker.claim()
    worker.record(fourth, 800.0, quality={"contaminated": ["steal: 9 %, limit 5 %"]})
    found = read(api, run)
    assert entry(found, first.cell_id, first.round) == ("d", 1234.6)
    assert entry(found, second.cell_id, second.round) == ("t", 900.0)
    assert entry(found, third.cell_id, third.round) == ("f", None)
    assert entry(found, fourth.cell_id, fourth.round) == ("c", 800.0)
    assert found["last_event_id"] == api.get(f"/api/v1/runs/{run}").json()["last_event_id"]
    newest = [(one["trial_id"], one["state"]) for one in found["newest"]]
    assert newest == [
        (fourth.trial_id, "done"),
        (third.trial_id, "failed"),
        (second.trial_id, "done"),
        (first.trial_id, "done"),
    ]
    assert found["newest"][0]["metrics"]["tps"] == 800.0
    worker.finish()
    assert read(api, run)["newest"] == []


def test_events_name_the_quality_of_a_trial(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    worker.record(worker.claim(), 900.0, quality={"discarded": [{"reasons": ["steal"]}]})
    worker.finish()
    with api.stream("GET", f"/api/v1/runs/{run}/events") as stream:
        lines = [line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: ")]
    ended = [found for found in map(json.loads, lines) if found.get("metrics")]
    assert ended[0]["quality"] == "retaken"
    assert {found["quality"] for found in ended[1:]} == {None}


def test_an_excluded_trial_changes_the_matrix_and_its_etag(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    worker.finish()
    url = f"/api/v1/runs/{run}/matrix"
    before = api.get(url)
    assert before.headers["cache-control"] == "private, no-cache"
    again = api.get(url, headers={"If-None-Match": before.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    trial = api.get(f"/api/v1/runs/{run}/trials?cell=c2").json()["data"][0]
    assert api.put(f"/api/v1/trials/{trial['id']}/exclusion", json={"reason": "backup"}).status_code == 200
    after = api.get(url, headers={"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200 and entry(after.json(), "c2", 1)[0] == "e"


def test_a_cell_that_cannot_run_is_a_row_with_its_reason(api: TestClient, worker: Worker) -> None:
    worker.announce("bench-1", paths=["same_container"])
    document = DOCUMENT | {"factors": {"path": ["same_container", "published_loopback"], "clients": [1, 2]}}
    rows = read(api, start_run(api, document)["id"])["cells"]
    without = [row for row in rows if row["path"] == "published_loopback"]
    assert len(without) == 2 and all(row["states"] == "" and row["infeasible"] for row in without)


def test_inside_a_window_the_matrix_in_memory_is_sent(
    api: TestClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start_run(api)["id"]
    url = f"/api/v1/runs/{run}/matrix"
    before = api.get(url)
    worker.record(worker.claim())
    results.forget(own_settings(api), run)
    budget = results.window_budget(own_settings(api))
    monkeypatch.setattr(budget, "_window", lambda: MeasuredWindow(0.0, 1e12))
    stale = api.get(url)
    assert (stale.content, stale.headers["x-result-stale"]) == (before.content, "1")
    monkeypatch.setattr(matrix, "OLDEST_S", -1.0)
    assert api.get(url).json()["last_event_id"] > before.json()["last_event_id"]


def test_of_an_unknown_run_there_is_none(api: TestClient) -> None:
    problem_of(api.get("/api/v1/runs/run_0000000000000000/matrix"), 404, "not_found")
