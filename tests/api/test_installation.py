"""Quotas of single teams, and the audit log of the whole installation."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.session import session_scope
from tests.accounts import OTHER_TEAM, add_account, add_team, browser_headers
from tests.api.client import BASE, DOCUMENT, Worker, problem_of, start_run

QUOTAS = f"/api/v1/teams/{DEFAULT_TEAM}/quotas"
AUDIT = "/api/v1/installation/audit"


@pytest.fixture
def root(anonymous: TestClient, settings: Settings) -> TestClient:
    """A client of an administrator of the installation, who is in no team."""
    account = add_account(settings, None, name="Root", installation_admin=True)
    anonymous.headers.update(browser_headers(settings, account))
    return anonymous


def quotas(answer: Any) -> dict[str, tuple[int | None, int, int]]:
    """Own limit, limit of the installation, and the one that counts, by quota."""
    assert answer.status_code == 200, answer.text
    return {row["quota"]: (row["own"], row["default"], row["limit"]) for row in answer.json()["data"]}


def test_a_team_has_limits_of_its_own(
    root: TestClient, api: TestClient, settings: Settings, worker: Worker
) -> None:
    other = browser_headers(settings, add_account(settings, "admin", add_team(settings)))
    first = quotas(root.get(QUOTAS))
    assert len(first) == 7 and first["active_runs"] == (None, 50, 50)
    changed = quotas(root.put(QUOTAS, json={"active_runs": 1, "open_streams": 0, "cells_per_plan": None}))
    assert changed["active_runs"] == (1, 50, 1) and changed["cells_per_plan"] == (None, 10_000, 10_000)
    run = start_run(api)
    refused = api.post(f"/api/v1/experiments/{run['experiment_id']}/runs", json={})
    assert "may have 1 runs" in problem_of(refused, 429, "quota_exceeded")["detail"]
    problem_of(api.get(f"/api/v1/runs/{run['id']}/events"), 429, "quota_exceeded")
    with TestClient(root.app, base_url=BASE, headers=other) as theirs:
        for _ in range(2):
            start_run(theirs)
    seen = {row["quota"]: row["limit"] for row in api.get("/api/v1/usage").json()["data"]}
    assert (seen["active_runs"], seen["open_streams"]) == (1, 0)
    assert quotas(root.put(QUOTAS, json={"cells_per_plan": 1}))["active_runs"] == (None, 50, 50)
    refused = api.post(f"/api/v1/experiments/{run['experiment_id']}/runs", json={})
    problem_of(refused, 422, "quota_exceeded")
    assert quotas(root.put(QUOTAS, json={})) == first
    assert api.post(f"/api/v1/experiments/{run['experiment_id']}/runs", json={}).status_code == 202
    lines = [each for each in api.get("/api/v1/audit").json()["data"] if each["action"] == "setTeamQuotas"]
    assert [(each["actor"], each["object"], each["status"]) for each in lines] == [
        ("Root", DEFAULT_TEAM, 200)
    ] * 3


@pytest.mark.parametrize("value", [-1, "5", 1.5, True, 10**16])
def test_limits_have_bounds(root: TestClient, value: Any) -> None:
    assert root.put(QUOTAS, json={"stored_bytes": value}).status_code == 422
    problem_of(root.put(QUOTAS, json={"unknown": 1}), 422, "unknown_field")


@pytest.mark.parametrize("team", ["tem_0000000000000009", "tem_x"])
def test_quotas_of_an_unknown_team(root: TestClient, team: str) -> None:
    for method, body in (("GET", None), ("PUT", {})):
        answer = root.request(method, f"/api/v1/teams/{team}/quotas", json=body)
        problem_of(answer, 404, "not_found")


def test_a_stopped_team_stores_nothing_more(root: TestClient, api: TestClient) -> None:
    root.put(QUOTAS, json={"stored_bytes": 0})
    problem_of(api.post("/api/v1/experiments", json=DOCUMENT), 429, "quota_exceeded")


def test_the_whole_audit_log(root: TestClient, api: TestClient, settings: Settings) -> None:
    other = browser_headers(settings, add_account(settings, "viewer", add_team(settings), name="Eve"))
    problem_of(root.delete("/api/v1/runs/run_0000000000000000", headers=other), 404, "not_found")
    assert api.post("/api/v1/experiments", json=DOCUMENT).status_code == 201
    account = add_account(settings, None)
    root.patch(f"/api/v1/accounts/{account}", json={"disabled": True})
    found = root.get(AUDIT)
    assert found.headers["cache-control"] == "no-store"
    seen = [(line["actor"], line["team_id"], line["action"]) for line in found.json()["data"]]
    assert seen == [
        ("Root", None, "setAccountAccess"),
        ("Ada", DEFAULT_TEAM, "createExperiment"),
        ("Eve", OTHER_TEAM, "deleteRun"),
    ]
    (line,) = root.get(AUDIT, params={"team_id": OTHER_TEAM}).json()["data"]
    assert (line["actor"], line["code"]) == ("Eve", "not_found")
    (line,) = root.get(AUDIT, params={"outcome": "refused"}).json()["data"]
    assert line["actor"] == "Eve"
    page = root.get(AUDIT, params={"limit": 2}).json()
    assert len(page["data"]) == 2
    (last,) = root.get(AUDIT, params={"limit": 2, "cursor": page["next_cursor"]}).json()["data"]
    assert last["actor"] == "Eve"
    problem_of(api.get(AUDIT), 403, "forbidden")
    problem_of(root.get(AUDIT, headers=other), 403, "forbidden")
    with session_scope(settings) as session:
        refused = session.execute(text("SELECT actor FROM audit WHERE action = 'listInstallationAudit'"))
        assert list(refused.scalars()) == ["Ada", "Eve"]
