"""Kinds and modes of links, what of their use is kept, and the list of all."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.shares import service
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, browser_headers
from tests.api.client import DOCUMENT, Worker, problem_of, start_run
from tests.api.test_share_pages import comparable
from tests.api.test_shares import OPEN, ended, share


def opened(api: TestClient, token: str) -> dict[str, Any]:
    answer = api.post(OPEN, json={"token": token})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def entry(api: TestClient, run: str) -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"/api/v1/runs/{run}/shares").json()["data"][0]
    return found


def test_a_private_link_has_its_token_in_the_fragment_an_unfurling_one_in_the_path(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = ended(api, worker)
    private, unfurl = share(api, run), share(api, run, kind="unfurl", title="For the team")
    assert private["url"] == f"/shared#{private['token']}" and len(private["token"]) == 43
    assert unfurl["url"] == f"/x/{unfurl['token']}"
    assert len(unfurl["token"]) == 22 and unfurl["token"].isalnum(), "131 bits"
    for made in (private, unfurl):
        assert made["absolute_url"] == settings.base_url + made["url"]
        assert opened(api, made["token"])["title"] == made["title"]
    assert (private["kind"], private["mode"], private["title"]) == ("private", "snapshot", None)
    assert (unfurl["kind"], unfurl["title"]) == ("unfurl", "For the team")


def test_a_live_link_follows_the_run_and_a_frozen_one_does_not(api: TestClient, worker: Worker) -> None:
    run = start_run(api)["id"]
    url = f"/api/v1/runs/{run}/shares"
    problem_of(api.post(url, json={"mode": "snapshot"}), 409, "conflict")
    live = share(api, run, mode="live")
    assert opened(api, live["token"])["chart"]["state"] == "queued"
    worker.record(worker.claim())
    during = opened(api, live["token"])
    assert during["chart"]["state"] == "running" and during["mode"] == "live"
    worker.finish()
    frozen = share(api, run)
    after = opened(api, live["token"])
    assert after["chart"] == opened(api, frozen["token"])["chart"] and after["chart"]["state"] == "done"
    assert after["as_of"] > during["as_of"]
    with_ids = {after["chart"]["run_id"], after["chart"]["experiment_id"]}
    assert with_ids == {""}


def test_opening_is_counted_and_the_time_written_once_a_minute(
    api: TestClient, worker: Worker, settings: Settings
) -> None:
    run = ended(api, worker)
    token = share(api, run)["token"]
    assert (entry(api, run)["opens"], entry(api, run)["last_used_at"]) == (0, None)
    opened(api, token)
    first = entry(api, run)
    opened(api, token)
    second = entry(api, run)
    assert (first["opens"], second["opens"]) == (1, 2)
    assert first["last_used_at"] is not None and second["last_used_at"] == first["last_used_at"]
    with session_scope(settings) as session:
        session.execute(text("UPDATE share SET last_used_at = last_used_at - interval '61 seconds'"))
    opened(api, token)
    third = entry(api, run)
    assert third["opens"] == 3
    assert datetime.fromisoformat(third["last_used_at"]) >= datetime.fromisoformat(first["last_used_at"])
    api.post(OPEN, json={"token": token + "x"})
    api.post(OPEN, json={"token": token, "again": True})
    assert entry(api, run)["opens"] == 3


def test_all_links_are_listed_by_page_without_their_tokens(api: TestClient, worker: Worker) -> None:
    runs = [start_run(api)["id"], start_run(api, DOCUMENT | {"title": "Another"})["id"]]
    worker.finish()
    made = [share(api, run, kind=kind) for run in runs for kind in ("private", "unfurl")]
    api.delete(f"/api/v1/shares/{made[0]['id']}")
    first = api.get("/api/v1/shares", params={"limit": 3})
    assert first.headers["cache-control"] == "no-store"
    cursor = first.json()["next_cursor"]
    assert f"cursor={cursor}" in first.headers["link"]
    second = api.get("/api/v1/shares", params={"limit": 3, "cursor": cursor}).json()
    listed = first.json()["data"] + second["data"]
    assert [each["id"] for each in listed] == [each["id"] for each in reversed(made)]
    assert second["next_cursor"] is None
    assert [each["run_title"] for each in listed] == ["Another", "Another", "Two cells", "Two cells"]
    assert [each["run_id"] for each in listed] == [runs[1], runs[1], runs[0], runs[0]]
    assert [each["state"] for each in listed] == ["open", "open", "open", "revoked"]
    assert not any(each["token"] in first.text for each in made)
    problem_of(api.get("/api/v1/shares", params={"cursor": "x"}), 422, "bad_cursor")


def test_what_a_link_may_be_is_bounded(api: TestClient, worker: Worker) -> None:
    url = f"/api/v1/runs/{ended(api, worker)}/shares"
    for field, value in (
        ("kind", "public"),
        ("mode", "frozen"),
        ("title", ""),
        ("title", "a" * 201),
        ("title", "a\u202eb"),
        ("title", "a\x1b[31mb"),
        ("title", 5),
        ("expires_in_days", 366),
    ):
        found = problem_of(api.post(url, json={field: value}), 422, "invalid")
        assert found["errors"][0]["pointer"] == f"/{field}"
    problem_of(api.post(url, json={"created_by": "someone"}), 422, "unknown_field")


def test_the_open_links_of_a_run_are_bounded_and_expired_ones_keep_no_result(
    api: TestClient, worker: Worker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST_OPEN", 2)
    run = ended(api, worker)
    made = [share(api, run), share(api, run)]
    refused = api.post(f"/api/v1/runs/{run}/shares")
    assert "2 links to this run are open" in problem_of(refused, 409, "conflict")["detail"]
    with session_scope(settings) as session:
        expire = text("UPDATE share SET expires_at = clock_timestamp() WHERE id = :id")
        session.execute(expire, {"id": made[0]["id"]})
    share(api, run)
    with session_scope(settings) as session:
        kept = session.execute(text("SELECT snapshot IS NULL FROM share ORDER BY created_at")).scalars()
        assert list(kept) == [True, False, False]
    problem_of(api.post(OPEN, json={"token": made[0]["token"]}), 410, "share_expired")


def test_a_link_names_who_made_it_as_long_as_the_account_exists(
    api: TestClient, worker: Worker, owner_settings: Settings
) -> None:
    run = ended(api, worker)
    share(api, run)
    assert entry(api, run)["created_by"] == "Ada"
    assert api.get("/api/v1/shares").json()["data"][0]["created_by"] == "Ada"
    with session_scope(owner_settings) as session:
        session.execute(text("UPDATE share SET created_by = NULL"))
    assert entry(api, run)["created_by"] is None


def test_a_link_opens_its_result_and_nothing_else(
    api: TestClient, anonymous: TestClient, worker: Worker, settings: Settings
) -> None:
    run = ended(api, worker)
    trial = api.get(f"/api/v1/runs/{run}/trials").json()["data"][0]["id"]
    for kind in ("private", "unfurl"):
        made = share(api, run, kind=kind)
        answer = anonymous.post(OPEN, json={"token": made["token"]})
        assert answer.status_code == 200 and "set-cookie" not in answer.headers
        by_token = {"Authorization": f"Bearer {made['token']}"}
        by_cookie = {"Cookie": f"__Host-plimsoll={made['token']}; plimsoll={made['token']}"}
        for headers in ({}, by_token, by_cookie):
            for path in (
                f"runs/{run}",
                f"runs/{run}/result",
                f"runs/{run}/exports/json",
                f"runs/{run}/shares",
                f"trials/{trial}/raw",
                "runs",
                "hosts",
                "shares",
                "audit",
            ):
                problem_of(anonymous.get(f"/api/v1/{path}", headers=headers), 401, "unauthenticated")
            posted = anonymous.post(f"/api/v1/runs/{run}/shares", json={}, headers=headers)
            problem_of(posted, 401, "unauthenticated")
        problem_of(anonymous.delete(f"/api/v1/shares/{made['id']}"), 401, "unauthenticated")


def test_openings_are_not_audited_and_refusals_are(
    api: TestClient, anonymous: TestClient, worker: Worker, owner_settings: Settings
) -> None:
    made = share(api, ended(api, worker))
    body = {"token": made["token"]}
    assert anonymous.post(OPEN, json=body).status_code == 200
    api.delete(f"/api/v1/shares/{made['id']}")
    problem_of(anonymous.post(OPEN, json=body), 410, "share_revoked")
    with session_scope(owner_settings) as session:
        session.execute(text("UPDATE share SET revoked_at = NULL, expires_at = clock_timestamp()"))
    problem_of(anonymous.post(OPEN, json=body), 410, "share_expired")
    problem_of(anonymous.post(OPEN, json={"token": "x"}), 404, "not_found")
    with session_scope(owner_settings) as session:
        query = text("SELECT actor, status, code FROM audit WHERE action = 'openShare' ORDER BY id")
        kept = [tuple(row) for row in session.execute(query)]
    refusals = [(410, "share_revoked"), (410, "share_expired"), (404, "not_found")]
    assert kept == [("anonymous", *each) for each in refusals]
    assert made["token"] not in str(kept)


def test_another_team_sees_and_changes_no_link(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = ended(api, worker)
    made = share(api, run)
    account = add_account(settings, "admin", add_team(settings), "Bob")
    other = browser_headers(settings, account)
    assert api.get("/api/v1/shares", headers=other).json()["data"] == []
    missing = api.delete("/api/v1/shares/shr_0000000000000000", headers=other)
    foreign = api.delete(f"/api/v1/shares/{made['id']}", headers=other)
    problem_of(foreign, 404, "not_found")
    assert comparable(foreign)[:2] == comparable(missing)[:2]
    problem_of(api.get(f"/api/v1/runs/{run}/shares", headers=other), 404, "not_found")
    problem_of(api.post(f"/api/v1/runs/{run}/shares", headers=other), 404, "not_found")
    viewer = browser_headers(settings, add_account(settings, "viewer", name="Vi"))
    assert len(api.get("/api/v1/shares", headers=viewer).json()["data"]) == 1
    problem_of(api.post(f"/api/v1/runs/{run}/shares", headers=viewer), 403, "forbidden")
    problem_of(api.delete(f"/api/v1/shares/{made['id']}", headers=viewer), 403, "forbidden")


def test_an_exclusion_changes_a_live_link_with_its_reason_and_no_frozen_one(
    api: TestClient, worker: Worker
) -> None:
    run = ended(api, worker)
    frozen, live = share(api, run), share(api, run, mode="live")
    before = opened(api, frozen["token"])
    assert opened(api, live["token"])["chart"] == before["chart"]
    trial = api.get(f"/api/v1/runs/{run}/trials").json()["data"][0]["id"]
    excluded = api.put(f"/api/v1/trials/{trial}/exclusion", json={"reason": "a backup ran on bench-1"})
    assert excluded.status_code in (200, 201, 204), excluded.text
    after = opened(api, live["token"])
    assert "a backup ran on (the host)" in str(after) and "Ada" not in str(after)
    assert opened(api, frozen["token"]) == before
