"""GET /histories: the same experiment over time, changes that were shown, and messages about them."""

from __future__ import annotations

import asyncio
import json
import math
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.run_ends.job import RunEndJob
from backend.settings import Settings
from backend.store.repositories import history_changes
from backend.store.repositories.histories import MOST_HISTORIES
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker, problem_of, start_run
from tests.scripts.waiting import eventually
from tests.services import ROOT

URL = "/api/v1/histories"


def measured(api: TestClient, worker: Worker, factor: float = 1.0, **changes: Any) -> dict[str, Any]:
    """A run that is done, in which the published port has `factor` times its usual rate."""
    run = start_run(api, {**DOCUMENT, "rounds": 2, **changes})
    count = 0
    while worker.open():
        claimed = worker.claim()
        count += 1
        rate = 10_000.0 if claimed.levels["path"] == "same_container" else 8_000.0 * factor
        worker.record(claimed, rate * (1 + (7 * count + int(run["seed"]) % 11) % 13 / 1e3))
    return run


def test_a_short_history_says_how_many_runs_are_missing(api: TestClient, worker: Worker) -> None:
    run = measured(api, worker)
    answer = api.get(f"{URL}/{run['experiment_id']}")
    found = answer.json()
    assert answer.status_code == 200, answer.text
    assert (found["host"], found["runs_total"], found["runs_missing"]) == ("bench-1", 1, 9)
    assert [one["run_id"] for one in found["runs"]] == [run["id"]] and found["changes"] == []
    again = api.get(f"{URL}/{run['experiment_id']}", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    measured(api, worker, factors={**DOCUMENT["factors"], "clients": 9})
    (other,) = api.get(f"{URL}/{run['experiment_id']}").json()["other_versions"]
    assert (other["runs"], other["same_cells"]) == (1, 0)
    listed = api.get(URL).json()
    assert [one["runs_missing"] for one in listed["data"]] == [9, 9] and listed["unseen"] == 0
    (own,) = api.get(URL, params={"experiment_id": run["experiment_id"]}).json()["data"]
    assert own["experiment_id"] == run["experiment_id"]
    assert api.get(URL, params={"experiment_id": "exp"}).status_code == 422


def test_the_page_knows_how_many_histories_a_list_has() -> None:
    found = re.search(
        r"MOST_HISTORIES = (\d+);", (ROOT / "frontend/src/features/history/limits.ts").read_text()
    )
    assert found is not None and int(found[1]) == MOST_HISTORIES


def test_no_run_is_no_history(api: TestClient, worker: Worker) -> None:
    run = start_run(api)
    answer = api.get(f"{URL}/{run['experiment_id']}")
    assert "no run of this experiment has ended" in problem_of(answer, 404, "not_found")["detail"]
    worker.finish()
    assert api.get(f"{URL}/{run['experiment_id']}").status_code == 200
    unknown = api.get(f"{URL}/{run['experiment_id']}", params={"host": "bench-9"})
    assert "bench-9" in problem_of(unknown, 404, "not_found")["detail"]


def test_a_change_is_listed_unseen_and_announced_once(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    hook = api.post(
        "/api/v1/webhooks", json={"url": "https://8.8.8.8/", "events": ["history.change_shown"]}
    ).json()
    # Of random orders of 14 runs, 2 of 3,003 are as far apart: well below the level of 1 %.
    runs = [measured(api, worker, 1.0 if number < 6 else 0.7) for number in range(14)]
    experiment_id = runs[0]["experiment_id"]
    assert {run["experiment_id"] for run in runs} == {experiment_id}
    found = api.get(f"{URL}/{experiment_id}").json()
    ratio = next(one for one in found["changes"] if one["basis"] == "ratios" and one["metric"] == "tps")
    assert (ratio["at"], ratio["direction"]) == (6, "worse") and abs(ratio["ratio"] - 0.7) < 0.02
    assert eventually(lambda: api.get(URL).json()["unseen"] > 0)
    (listed,) = api.get(URL).json()["data"]
    assert listed["unseen"] == listed["changes"] == len(found["changes"])
    assert listed["largest"]["run_id"] == runs[6]["id"] and not listed["largest"]["seen"]
    assert listed["largest"]["metric_label"] == "transactions per second"

    with session_scope(settings) as session:
        (team_id,) = session.execute(text("SELECT DISTINCT team_id FROM history_change")).scalars()
        assert len(history_changes.changes_since(session, team_id, None)) == len(found["changes"])
    for _ in range(2):
        asyncio.run(RunEndJob(settings).run_once())
    messages = api.get(f"/api/v1/webhooks/{hook['id']}/deliveries").json()["data"]
    assert [one["type"] for one in messages] == ["history.change_shown"]
    body = json.loads(messages[0]["body"])["data"]
    assert body["changes_total"] == len(body["changes"]) == len(found["changes"])
    sizes = [abs(math.log(one["ratio"])) for one in body["changes"]]
    assert sizes == sorted(sizes, reverse=True) and body["changes"][0]["run_id"] == runs[6]["id"]
    assert body["experiment_id"] == experiment_id and body["url"].endswith("/history?host=bench-1")

    assert api.post(f"{URL}:markSeen", json={}).status_code == 204
    assert api.get(URL).json()["unseen"] == 0 and api.get(URL).json()["data"][0]["largest"]["seen"]


def switches(api: TestClient, worker: Worker, of_published_port: float) -> dict[str, Any]:
    """A run that is done, in which clients of the published port switch so often, all others never."""
    run = start_run(api, {**DOCUMENT, "rounds": 2, "metrics": ["tps", "context_switches_per_txn"]})
    count = 0
    while worker.open():
        claimed = worker.claim()
        count += 1
        found = 0.0 if claimed.levels["path"] == "same_container" else of_published_port
        rate = 8_000.0 * (1 + (7 * count + int(run["seed"]) % 11) % 13 / 1e3)
        worker.record(claimed, rate, metrics={"context_switches_per_txn": found})
    return run


def test_lists_of_new_changes_have_those_from_zero_in_the_metrics_unit(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    hook = {"url": "https://8.8.8.8/", "events": ["history.change_shown"]}
    hook_id = api.post("/api/v1/webhooks", json=hook).json()["id"]
    assert api.post("/api/v1/home/visits", json={}).status_code == 204
    runs = [switches(api, worker, 0.0 if number < 6 else 4.0 + number / 100) for number in range(14)]
    (shown,) = api.get(f"{URL}/{runs[0]['experiment_id']}").json()["differences"]
    assert shown["difference"]["value"] == pytest.approx(4.1, abs=0.05)
    assert eventually(lambda: api.get(URL).json()["unseen"] == 1)
    (listed,) = api.get(URL).json()["data"]
    (changed,) = api.get("/api/v1/home").json()["changes"]["histories"]
    asyncio.run(RunEndJob(settings).run_once())
    (message,) = api.get(f"/api/v1/webhooks/{hook_id}/deliveries").json()["data"]
    (sent,) = json.loads(message["body"])["data"]["changes"]
    for one in (listed["largest"], changed, sent):
        assert (one["ratio"], one["direction"], one["run_id"]) == (None, "worse", runs[6]["id"])
        assert one["difference"] == shown["difference"]


def test_a_further_run_moves_no_known_change(api: TestClient, worker: Worker, settings: Settings) -> None:
    runs = [measured(api, worker, 1.0 if number < 6 else 0.7) for number in range(14)]
    first = runs[0]
    api.get(f"{URL}/{first['experiment_id']}")

    def known() -> list[Any]:
        with session_scope(settings) as session:
            query = "SELECT id, shown_at FROM history_change WHERE withdrawn_at IS NULL ORDER BY id"
            return [tuple(row) for row in session.execute(text(query))]

    assert eventually(lambda: known() != [])
    before = known()
    measured(api, worker, 0.7)
    assert api.get(f"{URL}/{first['experiment_id']}").json()["runs_total"] == 15
    assert set(before) <= set(known())
