"""A trial excluded by hand is in no statistic, visible everywhere, and can come back unchanged."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.settings import Settings
from backend.store import invariants
from backend.store.repositories import aa_pairs, hosts
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker, problem_of, start_run

REASON = "backup ran at the same time"
ROUNDS = DOCUMENT | {"rounds": 6}


@pytest.fixture
def run(api: TestClient, worker: Worker) -> str:
    """A run that has ended."""
    found: str = start_run(api, ROUNDS)["id"]
    worker.finish()
    return found


def trials_of(api: TestClient, run: str, cell: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"/api/v1/runs/{run}/trials", params={"cell": cell}).json()["data"]
    return found


def result_of(api: TestClient, run: str) -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"/api/v1/runs/{run}/result").json()
    return found


def exclude(api: TestClient, trial: str, reason: str = REASON) -> dict[str, Any]:
    answer = api.put(f"/api/v1/trials/{trial}/exclusion", json={"reason": reason})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def outputs(api: TestClient, run: str, other: str) -> dict[str, bytes]:
    urls = [f"/api/v1/runs/{run}/result", f"/api/v1/comparisons?a={run}&b={other}"]
    urls += [f"/api/v1/runs/{run}/result/cells/c2", f"/api/v1/runs/{run}/trials"]
    urls += [
        f"/api/v1/runs/{run}/exports/{name}"
        for name in ("json", "csv-long", "csv-wide", "markdown", "benchstat", "html", "svg")
    ]
    found = {}
    for url in urls:
        answer = api.get(url)
        assert answer.status_code == 200, (url, answer.text)
        found[url] = answer.content
    return found


def test_an_excluded_trial_is_in_no_statistic_and_visible_everywhere(
    api: TestClient, worker: Worker, run: str
) -> None:
    trial = trials_of(api, run, "c2")[1]
    before = result_of(api, run)
    excluded = exclude(api, trial["id"])
    assert excluded["excluded"] == REASON
    assert [(e["action"], e["reason"]) for e in excluded["history"]] == [("excluded", REASON)]
    result = result_of(api, run)
    cell = next(cell for cell in result["cells"] if cell["id"] == "c2")
    assert cell["excluded"] == cell["left_out"] == [trial["round"]]
    assert cell["state"] == "partial" and cell["summaries"]["tps"]["n"] == 5
    assert f"1 of 6 trials excluded by hand: {REASON}" in cell["reason"]
    assert result["quality"]["excluded"] == 1
    sentence = "1 of 18 trials was excluded by hand, and left out with its pairs."
    assert sentence in result["headline"] and sentence not in before["headline"]
    assert sentence in [notice["sentence"] for notice in result["notices"]]
    listed = trials_of(api, run, "c2")[1]
    assert (listed["excluded"], listed["metrics"]) == (REASON, None)
    detail = api.get(f"/api/v1/trials/{trial['id']}").json()
    assert detail["excluded"] == REASON and detail["record"]["metrics"]["tps"] == 8_000
    assert detail["exclusions"][0]["reason"] == REASON
    rows = list(csv.DictReader(io.StringIO(api.get(f"/api/v1/runs/{run}/exports/csv-long").text)))
    own = [row for row in rows if row["trial"] == trial["id"]]
    assert [(row["status"], row["reason"], row["used"], row["value"]) for row in own] == [
        ("excluded", REASON, "false", "")
    ]
    wide = csv.DictReader(io.StringIO(api.get(f"/api/v1/runs/{run}/exports/csv-wide").text))
    assert {row["cell"]: row["excluded"] for row in wide}["c2"] == "1"
    document = json.loads(api.get(f"/api/v1/runs/{run}/exports/json").content)
    (row,) = [row for row in document["trials"] if row["trial_id"] == trial["id"]]
    assert (row["excluded"], row["metrics"], row["cpu"]) == (REASON, None, None)
    assert document["result"]["quality"]["excluded"] == 1
    for name in ("markdown", "html"):
        assert "excluded by hand" in api.get(f"/api/v1/runs/{run}/exports/{name}").text
    share = api.post(f"/api/v1/runs/{run}/shares", json={}).json()["token"]
    opened = api.post("/api/v1/shares:open", json={"token": share}).json()
    assert opened["chart"]["quality"]["excluded"] == 1 and sentence in opened["chart"]["headline"]


def test_excluding_and_including_again_changes_no_byte(api: TestClient, worker: Worker, run: str) -> None:
    other = start_run(api, ROUNDS)["id"]
    worker.finish()
    before = outputs(api, run, other)
    chosen = [trials_of(api, run, cell)[number]["id"] for cell, number in (("c1", 0), ("c2", 3), ("c2", 4))]
    for trial in chosen:
        exclude(api, trial)
    between = outputs(api, run, other)
    unchanged = {url for url in before if before[url] == between[url]}
    assert unchanged <= {f"/api/v1/runs/{run}/exports/svg"}
    for trial in chosen:
        assert api.delete(f"/api/v1/trials/{trial}/exclusion").status_code == 204
    assert outputs(api, run, other) == before
    history = api.get(f"/api/v1/trials/{chosen[0]}").json()["exclusions"]
    assert [entry["action"] for entry in history] == ["excluded", "included"]


def test_a_cell_without_another_trial_has_no_figures(api: TestClient, run: str) -> None:
    for trial in trials_of(api, run, "c2"):
        exclude(api, trial["id"])
    result = result_of(api, run)
    cell = next(cell for cell in result["cells"] if cell["id"] == "c2")
    assert (cell["state"], cell["summaries"]["tps"]["median"]) == ("excluded", None)
    assert any("every trial was excluded by hand" in c["sentence"] for c in cell["comparisons"].values())


def test_pairs_of_excluded_trials_say_nothing_of_the_host(
    api: TestClient, worker: Worker, run: str, settings: Settings
) -> None:
    def pairs() -> int:
        with session_scope(settings) as session:
            (host,) = hosts.list_all(session)
            return len(aa_pairs.newest(session, host.id, "tps", [("pgbench", "postgres")]).values)

    before = pairs()
    exclude(api, trials_of(api, run, "c1-aa")[0]["id"])
    exclude(api, trials_of(api, run, "c1")[1]["id"])
    assert pairs() == before - 2 == 4


def test_history_keeps_every_change_and_no_repetition(api: TestClient, run: str) -> None:
    trial = trials_of(api, run, "c1")[0]["id"]
    assert api.delete(f"/api/v1/trials/{trial}/exclusion").status_code == 204
    exclude(api, trial)
    exclude(api, trial)
    exclude(api, trial, "  the clock was wrong ")
    for _ in range(2):
        assert api.delete(f"/api/v1/trials/{trial}/exclusion").status_code == 204
    entries = exclude(api, trial)["history"]
    assert [(entry["action"], entry["reason"]) for entry in entries] == [
        ("excluded", REASON),
        ("excluded", "the clock was wrong"),
        ("included", None),
        ("excluded", REASON),
    ]
    assert all(entry["by"] and entry["at"].endswith("Z") for entry in entries)


def test_only_recorded_trials_of_ended_runs(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api)["id"]
    worker.record(worker.claim())
    done = next(t for t in api.get(f"/api/v1/runs/{run}/trials").json()["data"] if t["state"] == "done")
    body = {"reason": REASON}
    problem_of(api.put(f"/api/v1/trials/{done['id']}/exclusion", json=body), 409, "conflict")
    worker.fail(worker.claim())
    worker.finish()
    failed = next(t for t in api.get(f"/api/v1/runs/{run}/trials").json()["data"] if t["state"] == "failed")
    problem_of(api.put(f"/api/v1/trials/{failed['id']}/exclusion", json=body), 409, "conflict")
    problem_of(api.put("/api/v1/trials/trl_0000000000000000/exclusion", json=body), 404, "not_found")
    problem_of(api.delete("/api/v1/trials/trl_0000000000000000/exclusion"), 404, "not_found")
    exclude(api, done["id"])
    assert api.delete(f"/api/v1/runs/{run}").status_code == 204
    with session_scope(settings) as session:
        assert invariants.violations(session) == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "missing"),
        ({"reason": ""}, "string_too_short"),
        ({"reason": "   "}, "empty"),
        ({"reason": "a\nb"}, "unprintable"),
        ({"reason": "\u202ex"}, "unprintable"),
        ({"reason": "x" * 301}, "string_too_long"),
        ({"reason": 5}, "string_type"),
        ({"reason": "x", "by": "me"}, "unknown_field"),
    ],
)
def test_a_reason_is_one_line(api: TestClient, run: str, body: dict[str, Any], code: str) -> None:
    trial = trials_of(api, run, "c1")[0]["id"]
    problem_of(api.put(f"/api/v1/trials/{trial}/exclusion", json=body), 422, code)
    assert api.get(f"/api/v1/trials/{trial}").json()["exclusions"] == []
