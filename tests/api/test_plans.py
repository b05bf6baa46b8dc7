"""/plans: what a plan can show, from assumption or from this host's A/A pairs, and what fits into a time."""

from __future__ import annotations

import math
from statistics import stdev
from typing import Any

import pytest
from fastapi.testclient import TestClient
from scipy.stats import chi2

from tests.api.client import DOCUMENT, Worker, problem_of, start_run

URL = "/api/v1/plans"


def preview(api: TestClient, document: dict[str, Any] = DOCUMENT, **query: Any) -> dict[str, Any]:
    answer = api.post(URL, json=document, params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_without_a_host_the_spread_is_assumed(api: TestClient) -> None:
    found = preview(api, {**DOCUMENT, "rounds": 10})["resolution"]
    assert (found["metric"], found["spread"], found["pairs"]) == ("tps", 0.05, 0)
    assert found["source"] == "assumed: no host is named"
    assert (found["comparisons"], found["smallest_effect"]) == (1, pytest.approx(0.0747, abs=1e-3))
    assert [rounds["effect"] for rounds in found["rounds_for"]] == [0.02, 0.05, 0.1]
    needed = [rounds["rounds"] for rounds in found["rounds_for"]]
    assert needed == sorted(needed, reverse=True) and needed[1] > 10 > needed[2]


def test_on_a_host_without_pairs_it_is_assumed_too(api: TestClient, worker: Worker) -> None:
    found = preview(api, host="bench-1")["resolution"]
    assert found["source"] == "assumed: no A/A pair has been measured on this host"
    assert found["smallest_effect"] is None  # two rounds show nothing


def test_the_spread_is_that_of_the_hosts_pairs(api: TestClient, worker: Worker) -> None:
    document = {**DOCUMENT, "rounds": 6}
    start_run(api, document)
    values = iter([100.0, 104.0, 98.0, 101.0, 103.0, 97.0, 99.0, 102.0, 100.5, 96.0, 105.0, 100.0])
    logs: dict[int, dict[str, float]] = {}
    while worker.open():
        claimed = worker.claim()
        value = next(values) if claimed.levels["path"] == "same_container" else 80.0
        worker.record(claimed, value)
        logs.setdefault(claimed.round, {})[claimed.cell_id] = math.log(value)
    found = preview(api, document, host="bench-1")["resolution"]
    expected = stdev(cells["c1-aa"] - cells["c1"] for cells in logs.values()) / math.sqrt(2)
    assert found["spread_estimate"] == pytest.approx(expected)
    assert found["spread"] == pytest.approx(expected * math.sqrt(5 / chi2.ppf(0.2, 5)))
    assert found["pairs"] == 6
    assert found["source"].startswith(
        "6 A/A pairs of 1 run on this host, pgbench on postgres; their spread is "
    )
    assert found["source"].endswith(" %, planned is with its upper 80 % confidence bound")
    http = {**DOCUMENT, "factors": {**DOCUMENT["factors"], "tool": "wrk"}}
    assert preview(api, http, host="bench-1")["resolution"]["source"].startswith("assumed: no A/A pair")


def test_a_handful_of_pairs_is_not_enough(api: TestClient, worker: Worker) -> None:
    start_run(api)
    worker.finish()
    found = preview(api, host="bench-1")["resolution"]
    assert (found["pairs"], found["spread"]) == (2, 0.05)
    assert found["source"] == "assumed: only 2 A/A pairs measured on this host, 6 are needed"


def test_a_budget_is_answered_with_what_fits(api: TestClient) -> None:
    paths = ["same_container", "published_loopback", "host_network"]
    document = {**DOCUMENT, "factors": {"path": paths}}
    found = preview(api, document, budget_minutes=30)["budget"]
    assert found["fits"] and found["minutes"] == 30 and found["rounds"] > 30
    assert found["seconds"] <= 1800
    assert found["stopping"]["budget_minutes"] == 30
    adaptive = {**document, "rounds": found["first_look"], "stopping": found["stopping"]}
    planned = preview(api, adaptive)
    assert planned["plan"]["looks"][0] == found["first_look"]
    assert planned["plan"]["looks"][-1] == found["stopping"]["at_most"]
    assert planned["experiment"]["stopping"] == found["stopping"]
    assert planned["plan"]["estimate"]["seconds"] <= 1800
    assert planned["budget"] is None


def test_a_too_small_budget_names_what_would_fit(api: TestClient) -> None:
    found = preview(
        api, {**DOCUMENT, "factors": {"path": ["same_container", "host_network"]}}, budget_minutes=1
    )
    assert (found["budget"]["fits"], found["budget"]["stopping"]) == (False, None)
    assert "This would fit:" in found["budget"]["sentence"]
    assert found["messages"][found["budget"]["sentence"]]["id"] == "reasons:budgetNeedsOne"


def test_every_sentence_of_a_plan_has_its_id_and_figures(api: TestClient) -> None:
    found = preview(api, {**DOCUMENT, "factors": {**DOCUMENT["factors"], "warm_up_s": 0}})
    shown = {found["quality_rule"], found["resolution"]["source"], *found["plan"]["warnings"]}
    assert shown <= set(found["messages"])
    assert found["messages"]["assumed: no host is named"] == {"id": "reasons:assumedNoHost", "figures": {}}


def test_the_rounds_for_a_requested_effect(api: TestClient) -> None:
    found = preview(api, effect=0.03)["resolution"]["rounds_for"]
    assert [row["effect"] for row in found] == [0.02, 0.03, 0.05, 0.1]
    assert found[0]["rounds"] > found[1]["rounds"] > found[2]["rounds"]


@pytest.mark.parametrize("effect", [0, -0.1, 11, "nan", "inf"])
def test_an_effect_out_of_bounds_is_refused_at_its_field(api: TestClient, effect: object) -> None:
    found = problem_of(api.post(URL, json=DOCUMENT, params={"effect": effect}), 422, "out_of_bounds")
    assert found["errors"][0]["pointer"] == "/effect"


@pytest.mark.parametrize("minutes", [0, -5, 1441, 10**12])
def test_a_budget_out_of_bounds_is_refused_at_its_field(api: TestClient, minutes: int) -> None:
    found = problem_of(api.post(URL, json=DOCUMENT, params={"budget_minutes": minutes}), 422, "out_of_bounds")
    assert found["errors"][0]["pointer"] == "/budget_minutes"
    assert "from 1 to 1440" in found["errors"][0]["detail"]


@pytest.mark.parametrize("minutes", ["half an hour", "1.5", ""])
def test_a_budget_that_is_no_number_is_refused(api: TestClient, minutes: str) -> None:
    answer = api.post(URL, json=DOCUMENT, params={"budget_minutes": minutes})
    assert answer.status_code == 422
    assert "budget_minutes" in answer.json()["errors"][0]["detail"]


def test_the_estimate_lists_the_resources(api: TestClient) -> None:
    found = preview(api)["plan"]["estimate"]
    assert found["containers"] == 3 and found["memory_bytes"] > 100_000_000, (
        "the A/A duplicate has its own server"
    )


def test_a_plan_has_the_interval_and_the_time_of_restarts(api: TestClient) -> None:
    plan = preview(api)["plan"]
    assert plan["restart_every"] == 1
    assert plan["restart_reason"].startswith("Servers restart every round: assumed")
    assert 0 < plan["estimate"]["restart_seconds"] < plan["estimate"]["seconds"]


def test_restarts_are_planned_from_the_starts_that_the_host_has_shown(
    api: TestClient, worker: Worker
) -> None:
    start_run(api, {**DOCUMENT, "rounds": 6})
    worker.finish()
    found = preview(api, host="bench-1")["plan"]
    assert "(this host, 1 run)" in found["restart_reason"], found["restart_reason"]


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"include": [{"path": "same_container"}]}, "/include/0", "includes_nothing"),
        ({"include": [{"clients": [5, 500]}]}, "/include/0/clients/1", "out_of_bounds"),
        ({"factors": {"clients": {"from": 1, "to": 8}}, "baseline": {"clients": 1}},
         "/factors/clients", "missing"),
        ({"stopping": {"at_most": 2}}, "/stopping/at_most", "out_of_bounds"),
        ({"thresholds": ["tps"]}, "/thresholds/0", "bad_threshold"),
        ({"latency_limit_ms": 5}, "/latency_limit_ms", "limit_without_rate"),
    ],
)  # fmt: skip
def test_a_document_that_asks_wrongly(api: TestClient, changes: Any, pointer: str, code: str) -> None:
    found = problem_of(api.post(URL, json={**DOCUMENT, **changes}), 422, code)
    assert [error["pointer"] for error in found["errors"]] == [pointer]


def test_an_experiment_with_every_field_is_kept_as_it_is(api: TestClient) -> None:
    document = {
        **DOCUMENT,
        "factors": {
            "path": ["same_container", "published_loopback"],
            "rate": {"from": 0, "to": 900, "step": 300},
        },
        "include": [{"path": "bare_host", "rate": 300}],
        "rounds": 6,
        "stopping": {"at_most": 18},
        "metrics": ["tps", "open_latency_p99_ms"],
        "thresholds": ["ratio(tps, baseline) >= 0.9 for path=bare_host"],
        "latency_limit_ms": 5,
    }
    created = api.post("/api/v1/experiments", json=document)
    assert created.status_code == 201, created.text
    stored = created.json()["definition"]
    assert stored["factors"]["rate"] == [0, 300, 600, 900]
    assert stored["include"] == [{"path": ["bare_host"], "rate": [300]}]
    assert api.post("/api/v1/experiments", json=stored).status_code == 200
    cells = preview(api, stored)["plan"]["cells"]
    assert sum(not cell["is_duplicate"] for cell in cells) == 9


def test_a_start_with_the_digest_of_the_shown_plan_starts_it_or_nothing(
    api: TestClient, worker: Worker
) -> None:
    shown = preview(api, host="bench-1")["plan_digest"]
    assert shown == preview(api, host="bench-1")["plan_digest"]  # the example order of the seed is no part
    assert shown != preview(api)["plan_digest"]
    assert shown != preview(api, {**DOCUMENT, "rounds": 3}, host="bench-1")["plan_digest"]
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    url = f"/api/v1/experiments/{experiment}/runs"
    other = preview(api, {**DOCUMENT, "rounds": 3}, host="bench-1")["plan_digest"]
    refused = api.post(url, json={"host": "bench-1", "plan_digest": other})
    assert (refused.status_code, refused.json()["code"]) == (409, "plan_changed")
    assert api.get("/api/v1/runs").json()["data"] == []
    assert api.post(url, json={"host": "bench-1", "plan_digest": shown}).status_code == 202


def test_a_digest_that_is_none_is_refused_at_its_field(api: TestClient, worker: Worker) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    refused = api.post(f"/api/v1/experiments/{experiment}/runs", json={"plan_digest": "x"})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/plan_digest"
