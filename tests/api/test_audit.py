"""The filters of the audit log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import audit
from backend.store.repositories.audit import Audited
from backend.store.session import session_scope
from tests.accounts import OTHER_TEAM, add_account, add_team, browser_headers
from tests.api.client import BASE, problem_of

ADA, BOB = "acc_000000000000000a", "acc_000000000000000b"


def add(settings: Settings, action: str, status: int, account_id: str, team_id: str = DEFAULT_TEAM) -> None:
    entry = Audited(
        team_id=team_id,
        account_id=account_id,
        actor="x",
        token_prefix=None,
        action=action,
        object=None,
        status=status,
        code=None,
        address="",
        request_id="r",
    )
    with session_scope(settings) as session:
        audit.add(session, entry)


def found(api: TestClient, query: str) -> list[tuple[str, int]]:
    answer = api.get(f"/api/v1/audit?{query}")
    assert answer.status_code == 200, answer.text
    return [(line["action"], line["status"]) for line in answer.json()["data"]]


def test_entries_match_all_filters(api: TestClient, settings: Settings) -> None:
    add_team(settings)
    add(settings, "startRun", 202, ADA)
    add(settings, "startRun", 429, BOB)
    add(settings, "deleteRun", 403, BOB)
    add(settings, "deleteRun", 503, ADA)
    add(settings, "startRun", 202, BOB, OTHER_TEAM)
    assert found(api, "action=startRun") == [("startRun", 429), ("startRun", 202)]
    assert found(api, "outcome=done") == [("startRun", 202)]
    assert found(api, "outcome=refused") == [("deleteRun", 403), ("startRun", 429)]
    assert found(api, "outcome=failed") == [("deleteRun", 503)]
    assert found(api, f"account_id={BOB}") == [("deleteRun", 403), ("startRun", 429)]
    assert found(api, f"account_id={BOB}&action=startRun&outcome=refused") == [("startRun", 429)]
    assert found(api, "action=nothing") == []


def test_times_are_from_since_and_before_until(api: TestClient, settings: Settings) -> None:
    add(settings, "startRun", 202, ADA)
    (line,) = api.get("/api/v1/audit").json()["data"]
    at = datetime.fromisoformat(line["at"])
    later = quote((at + timedelta(seconds=1)).isoformat())
    # The same moment in another zone.
    earlier = quote((at - timedelta(seconds=1)).astimezone(UTC).isoformat())
    assert found(api, f"since={earlier}&until={later}") == [("startRun", 202)]
    assert found(api, f"since={later}") == found(api, f"until={earlier}") == []


def test_a_filter_holds_on_every_page(api: TestClient, settings: Settings) -> None:
    for status in (202, 429, 202, 429):
        add(settings, "startRun", status, ADA)
    first = api.get("/api/v1/audit?outcome=refused&limit=1")
    assert "outcome=refused" in first.headers["Link"]
    older = api.get(first.links["next"]["url"]).json()
    assert [line["status"] for line in older["data"]] == [429] and older["next_cursor"] is None


@pytest.mark.parametrize(
    "query",
    ["action=a.b", "outcome=maybe", "account_id=1", "since=yesterday", "until=2026-11-22T00:00:00", "x=1"],
)
def test_an_unknown_filter_is_refused(api: TestClient, query: str) -> None:
    assert api.get(f"/api/v1/audit?{query}").status_code == 422


def test_filters_open_the_log_to_nobody_else(api: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, "runner", name="Bob"))
    bob = TestClient(create_app(settings), base_url=BASE, headers=headers)
    problem_of(bob.get("/api/v1/audit?outcome=done"), 403, "forbidden")
