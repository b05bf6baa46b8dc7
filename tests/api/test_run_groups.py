"""One experiment on several hosts: all runs or none, their states, their result, and bad input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store import invariants
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, browser_headers
from tests.api.client import DOCUMENT, Worker, problem_of

SIX_ROUNDS = DOCUMENT | {"rounds": 8}
HOSTS = ("bench-a", "bench-b", "bench-c")


@pytest.fixture
def workers(settings: Settings) -> dict[str, Worker]:
    """The workers of three hosts."""
    return announced(settings, *HOSTS)


def announced(settings: Settings, *names: str, **capabilities: Any) -> dict[str, Worker]:
    found = {name: Worker(settings) for name in names}
    for name, worker in found.items():
        worker.announce(name, **capabilities)
    return found


def change_host(owner: Settings, name: str, **columns: str) -> None:
    """Give a host labels, or drain it, as an administrator does."""
    with session_scope(owner) as session:
        for column, value in columns.items():
            change = text(f"UPDATE host SET {column} = {value} WHERE name = :name")
            session.execute(change, {"name": name})


def experiment_id(api: TestClient, document: dict[str, Any] = SIX_ROUNDS) -> str:
    created: str = api.post("/api/v1/experiments", json=document).json()["id"]
    return created


def start(api: TestClient, document: dict[str, Any] = SIX_ROUNDS, **body: Any) -> Any:
    url = f"/api/v1/experiments/{experiment_id(api, document)}/run-groups"
    headers = {"Idempotency-Key": body.pop("key")} if "key" in body else {}
    return api.post(url, json=body, headers=headers)


def runs_of(api: TestClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get("/api/v1/runs").json()["data"]
    return found


def orders(api: TestClient, group: dict[str, Any]) -> Iterator[list[str]]:
    for member in group["members"]:
        rows = api.get(f"/api/v1/runs/{member['run_id']}/trials?limit=200").json()["data"]
        yield [row["cell_id"] for row in sorted(rows, key=lambda row: (row["round"], row["position"]))]


def test_each_host_gets_a_run_with_an_order_of_its_own(api: TestClient, workers: dict[str, Worker]) -> None:
    answer = start(api, hosts=HOSTS)
    group = answer.json()
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/api/v1/run-groups/{group['id']}"
    assert [member["host"] for member in group["members"]] == list(HOSTS)
    assert (group["state"], group["seed"], group["host_label"]) == ("queued", 7, None)
    assert api.get(answer.headers["location"]).json() == group
    found = {run["host"]: run for run in runs_of(api)}
    assert {run["group_id"] for run in found.values()} == {group["id"]} and len(found) == 3
    assert len({run["seed"] for run in found.values()}) == 3
    assert len({tuple(order) for order in orders(api, group)}) == 3
    listed = api.get("/api/v1/run-groups").json()
    assert listed == {"data": [group], "next_cursor": None}


def test_a_group_seed_repeats_the_orders_of_its_hosts(api: TestClient, workers: dict[str, Worker]) -> None:
    first = start(api, hosts=HOSTS).json()
    again = start(api, hosts=HOSTS[::-1]).json()
    assert list(orders(api, first)) == list(orders(api, again))[::-1]


def test_a_label_chooses_hosts(api: TestClient, workers: dict[str, Worker], owner_settings: Settings) -> None:
    for name in ("bench-a", "bench-c"):
        change_host(owner_settings, name, labels='\'["metal", "old"]\'')
    group = start(api, host_label="metal").json()
    assert [member["host"] for member in group["members"]] == ["bench-a", "bench-c"]
    assert group["host_label"] == "metal"
    refused = problem_of(start(api, host_label="cloud"), 422, "unknown_label")
    assert refused["errors"][0]["pointer"] == "/host_label"
    assert "there is metal, old" in refused["errors"][0]["detail"]


def test_a_repeated_request_gets_the_group_that_was_made(api: TestClient, workers: dict[str, Worker]) -> None:
    first, again = (start(api, hosts=HOSTS, key="one") for _ in range(2))
    assert first.json() == again.json() and again.headers["idempotent-replayed"] == "true"
    assert len(runs_of(api)) == 3
    problem_of(start(api, hosts=HOSTS[:2], key="one"), 422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("body", "pointer", "code", "words"),
    [
        ({"hosts": ["bench-a", "bench-a"]}, "/hosts/1", "duplicate_host", "name it once"),
        (
            {"hosts": ["bench-a", "nowhere"]},
            "/hosts/1",
            "unknown_host",
            "the known hosts are: bench-a, bench-b",
        ),
        ({"hosts": []}, "/hosts", "empty", "at least one host"),
        (
            {"hosts": [f"h{i}" for i in range(200)]},
            "/hosts",
            "too_many",
            "at most 64 are allowed; name fewer",
        ),
        ({}, "/hosts", "missing", "either the hosts or a host_label"),
        ({"hosts": ["bench-a"], "host_label": "x"}, "/hosts", "missing", "not both"),
        ({"host_label": "metal"}, "/host_label", "unknown_label", "no host has a label yet"),
    ],
)
def test_a_bad_choice_of_hosts_names_the_field_and_the_remedy(
    api: TestClient,
    workers: dict[str, Worker],
    body: dict[str, Any],
    pointer: str,
    code: str,
    words: str,
) -> None:
    (error,) = problem_of(start(api, **body), 422, code)["errors"]
    assert error["pointer"] == pointer and words in error["detail"]
    assert runs_of(api) == []


def test_a_drained_host_refuses_the_whole_group(
    api: TestClient, workers: dict[str, Worker], owner_settings: Settings
) -> None:
    change_host(owner_settings, "bench-b", drained_at="clock_timestamp()", labels="'[\"x\"]'")
    (error,) = problem_of(start(api, hosts=HOSTS), 422, "host_drained")["errors"]
    assert error["pointer"] == "/hosts/1" and "resume it, or leave it out" in error["detail"]
    (error,) = problem_of(start(api, host_label="x"), 422, "host_drained")["errors"]
    assert error["pointer"] == "/host_label" and "take the label from it" in error["detail"]
    assert runs_of(api) == []


def test_a_host_that_can_run_nothing_refuses_the_whole_group(api: TestClient, settings: Settings) -> None:
    announced(settings, "able", paths=["same_container", "published_loopback"])
    announced(settings, "unable", paths=["macvlan"])
    found = problem_of(start(api, hosts=["able", "unable"]), 422, "invalid")
    assert {error["pointer"] for error in found["errors"]} == {"/hosts/1"}
    assert all(error["detail"].startswith("unable: ") for error in found["errors"])
    assert "leave this host out" in found["errors"][0]["detail"]
    assert runs_of(api) == [] and api.get("/api/v1/run-groups").json()["data"] == []


def test_a_cell_that_one_host_cannot_run_is_infeasible_there_with_its_reason(
    api: TestClient, settings: Settings
) -> None:
    able = announced(settings, "able", paths=["same_container", "published_loopback"])["able"]
    part = announced(
        settings, "part", paths=["same_container"], reasons={"path.published_loopback": "no port"}
    )
    group = start(api, hosts=["able", "part"]).json()
    assert [member["infeasible_cells"] for member in group["members"]] == [0, 1]
    able.finish()
    part["part"].finish()
    result = api.get(f"/api/v1/run-groups/{group['id']}/result").json()
    assert result["members"][1]["infeasible"][0]["reason"] == "no port"
    assert result["notices"][0].startswith("Measured on one host: Published port on 127.0.0.1 on able only")
    row = next(row for row in result["table"]["rows"] if not row["is_baseline"])
    assert row["disagreement"]["outcome"] == "cannot_tell"
    assert row["figures"][1]["missing"] == "no port"


def test_quotas_count_the_sum_of_all_runs(
    api: TestClient, workers: dict[str, Worker], owner_settings: Settings
) -> None:
    with session_scope(owner_settings) as session:
        team = session.scalar(text("SELECT id FROM team LIMIT 1"))
        add = text("INSERT INTO team_quota (team_id, quota, value) VALUES (:team, 'active_runs', 2)")
        session.execute(add, {"team": team})
    problem = problem_of(start(api, hosts=HOSTS), 429, "quota_exceeded")
    assert "2 runs that have not ended" in problem["detail"] and "adds 3" in problem["detail"]
    assert runs_of(api) == []
    assert start(api, hosts=HOSTS[:2]).status_code == 202


def test_states_follow_the_members_and_the_result_puts_them_side_by_side(
    api: TestClient, workers: dict[str, Worker], settings: Settings
) -> None:
    group = start(api, hosts=HOSTS).json()
    url = f"/api/v1/run-groups/{group['id']}"
    for place, worker in enumerate(workers.values()):
        factor = 1.0
        while worker.open():
            claimed = worker.claim()
            proxied = claimed.levels["path"] != "same_container"
            factor = 1 + claimed.round / 1000 * (1 + proxied)
            apart = 0.6 if place == 2 else 0.8
            worker.record(claimed, 10_000.0 * (place + 1) * factor * (apart if proxied else 1.0))
        assert api.get(url).json()["state"] == ("done" if place == 2 else "running")
    found = api.get(url).json()
    assert found["finished_at"] and all(
        m["progress"]["done"] == m["progress"]["total"] for m in found["members"]
    )
    result = api.get(f"{url}/result").json()
    row = next(row for row in result["table"]["rows"] if not row["is_baseline"])
    assert [round(figure["ratio"], 1) for figure in row["figures"]] == [0.8, 0.8, 0.6]
    assert row["figures"][1]["median"] == pytest.approx(2 * row["figures"][0]["median"])
    assert row["disagreement"]["outcome"] == "disagree" and "bench-c" in row["disagreement"]["apart"]
    assert result["headline"] == "Hosts disagree about 1 of 1 cell."
    assert result["ended"] and result["metrics"][0] == result["table"]["metric"]
    problem_of(api.get(f"{url}/result?metric=nonsense"), 422, "unknown_metric")
    with session_scope(settings) as session:
        assert invariants.violations(session) == []


def test_a_group_is_cancelled_as_one_and_its_ended_runs_stay(
    api: TestClient, workers: dict[str, Worker]
) -> None:
    group = start(api, hosts=HOSTS).json()
    url = f"/api/v1/run-groups/{group['id']}"
    workers["bench-a"].finish()
    claimed = workers["bench-b"].claim()
    answer = api.post(f"{url}:cancel", json={})
    assert answer.status_code == 202, answer.text
    assert [member["state"] for member in answer.json()["members"]] == ["done", "running", "cancelled"]
    assert answer.json()["members"][1]["cancel_requested"] and answer.json()["state"] == "running"
    workers["bench-b"].cancel(claimed)
    assert api.get(url).json()["state"] == "cancelled"
    assert api.post(f"{url}:cancel", json={}).status_code == 202
    result = api.get(f"{url}/result").json()
    assert any("was cancelled" in notice or "were cancelled" in notice for notice in result["notices"])


def test_an_ended_group_cannot_be_cancelled(api: TestClient, workers: dict[str, Worker]) -> None:
    group = start(api, hosts=["bench-a"]).json()
    workers["bench-a"].finish()
    problem_of(api.post(f"/api/v1/run-groups/{group['id']}:cancel", json={}), 409, "conflict")


def test_a_deleted_member_stays_listed_and_the_last_one_ends_the_group(
    api: TestClient, workers: dict[str, Worker]
) -> None:
    group = start(api, hosts=HOSTS[:2]).json()
    url = f"/api/v1/run-groups/{group['id']}"
    for name in HOSTS[:2]:
        workers[name].finish()
    first, second = (member["run_id"] for member in group["members"])
    assert api.delete(f"/api/v1/runs/{first}").status_code == 204
    member = api.get(url).json()["members"][0]
    assert (member["host"], member["state"], member["run_id"]) == ("bench-a", "deleted", None)
    result = api.get(f"{url}/result").json()
    assert "The run on bench-a was deleted: the group is judged without it." in result["notices"]
    assert api.delete(f"/api/v1/runs/{second}").status_code == 204
    problem_of(api.get(url), 404, "not_found")
    problem_of(api.get(f"{url}/result"), 404, "not_found")


def test_an_experiment_is_deleted_with_its_groups(api: TestClient, workers: dict[str, Worker]) -> None:
    group = start(api, hosts=HOSTS[:2]).json()
    for name in HOSTS[:2]:
        workers[name].finish()
    assert api.delete(f"/api/v1/experiments/{group['experiment_id']}").status_code == 204
    assert api.get("/api/v1/run-groups").json()["data"] == []


def test_a_partly_failed_member_is_said(api: TestClient, workers: dict[str, Worker]) -> None:
    group = start(api, hosts=HOSTS[:2]).json()
    workers["bench-a"].finish()
    while workers["bench-b"].open():
        workers["bench-b"].fail(workers["bench-b"].claim())
    found = api.get(f"/api/v1/run-groups/{group['id']}").json()
    assert found["state"] == "incomplete"
    result = api.get(f"/api/v1/run-groups/{group['id']}/result").json()
    assert "The run on bench-b ended with failed trials." in result["notices"]
    row = next(row for row in result["table"]["rows"] if not row["is_baseline"])
    assert row["figures"][1]["missing"] and row["figures"][1]["ratio"] is None


def test_another_teams_group_is_missing(
    api: TestClient, workers: dict[str, Worker], settings: Settings
) -> None:
    group = start(api, hosts=HOSTS[:2]).json()
    outsider = browser_headers(settings, add_account(settings, "admin", add_team(settings)))
    url = f"/api/v1/run-groups/{group['id']}"
    for answer in (
        api.get(url, headers=outsider),
        api.get(f"{url}/result", headers=outsider),
        api.post(f"{url}:cancel", json={}, headers=outsider),
    ):
        problem_of(answer, 404, "not_found")
    assert api.get("/api/v1/run-groups", headers=outsider).json()["data"] == []


def test_groups_are_paged_newest_first(api: TestClient, workers: dict[str, Worker]) -> None:
    made = [start(api, hosts=["bench-a"]).json()["id"] for _ in range(3)]
    first = api.get("/api/v1/run-groups?limit=2").json()
    rest = api.get(f"/api/v1/run-groups?limit=2&cursor={first['next_cursor']}").json()
    assert [group["id"] for group in (*first["data"], *rest["data"])] == made[::-1]
