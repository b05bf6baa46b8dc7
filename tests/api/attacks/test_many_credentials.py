"""Credentials are made in bounded numbers, and each that works is listed, so that it can be revoked."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import enrolments, invitations, tokens
from backend.store.session import session_scope
from tests.api.client import BASE, problem_of
from tests.api.test_device_authorizations import DEVICES, approval, begin
from tests.passwords import EMAIL, GOOD, add_with_password

TOKEN: Final[dict[str, Any]] = {"name": "one", "scopes": ["run:read"]}
KINDS: Final[tuple[tuple[str, dict[str, Any], str, str], ...]] = (
    ("invitations", {"role": "viewer"}, "invitations", "backend.store.repositories.invitations.MAX_OPEN"),
    (
        f"teams/{DEFAULT_TEAM}/invitations",
        {"role": "admin"},
        "invitations",
        "backend.store.repositories.invitations.MAX_OPEN",
    ),
    ("tokens", TOKEN, "tokens", "backend.store.repositories.tokens.MAX_OF_ACCOUNT"),
    (
        "hosts/enrolments",
        {"note": "rack 1"},
        "hosts/enrolments",
        "backend.store.repositories.enrolments.MAX_OPEN",
    ),
)
MOST: Final = 4


@pytest.fixture
def client(anonymous: TestClient, installation: dict[str, str]) -> TestClient:
    """A browser of an administrator of the installation and of the default team."""
    anonymous.headers.update(installation)
    return anonymous


@pytest.mark.parametrize(("path", "body", "listed", "limit"), KINDS, ids=[kind[0] for kind in KINDS])
def test_credentials_are_not_made_without_end(
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    body: dict[str, Any],
    listed: str,
    limit: str,
) -> None:
    monkeypatch.setattr(limit, MOST)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: client.post(f"/api/v1/{path}", json=body), range(MOST + 4)))
    assert Counter(answer.status_code for answer in answers) == {201: MOST, 409: 4}
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert "revoke one" in problem_of(refused, 409, "conflict")["detail"]
    made = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    found = client.get(f"/api/v1/{listed}").json()["data"]
    assert {entry["id"] for entry in found} == set(made)
    assert client.delete(f"/api/v1/{listed}/{made[0]}").status_code == 204
    assert client.post(f"/api/v1/{path}", json=body).status_code == 201


def test_a_sign_in_of_a_command_line_is_a_token_too(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.store.repositories.tokens.MAX_OF_ACCOUNT", 1)
    assert client.post("/api/v1/tokens", json=TOKEN).status_code == 201
    codes = begin(client)
    problem_of(client.post(f"{DEVICES}:approve", json=approval(codes)), 409, "conflict")


def test_an_open_enrolment_is_listed_before_those_that_have_ended(
    client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enrolments, "MAX_LISTED", 3)
    first = client.post("/api/v1/hosts/enrolments", json={"note": "mine"}).json()["id"]
    for _ in range(4):
        made = client.post("/api/v1/hosts/enrolments", json={"note": "noise"}).json()["id"]
        assert client.delete(f"/api/v1/hosts/enrolments/{made}").status_code == 204
    found = client.get("/api/v1/hosts/enrolments").json()["data"]
    assert found[0]["id"] == first and len(found) == 3


def test_sessions_of_an_account_are_bounded_too(
    anonymous: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.store.repositories.browser_sessions.MAX_SESSIONS", 3)
    add_with_password(settings)
    browsers = [TestClient(anonymous.app, base_url=BASE) for _ in range(5)]
    for each in browsers:
        signed_in = each.post("/api/v1/sessions", json={"email": EMAIL, "password": GOOD})
        assert signed_in.status_code == 204
    seen = [each.get("/api/v1/sessions").status_code for each in browsers]
    assert seen == [401, 401, 200, 200, 200]
    assert len(browsers[-1].get("/api/v1/sessions").json()["data"]) == 3


def test_the_limits_are_within_what_a_list_shows() -> None:
    assert enrolments.MAX_OPEN <= enrolments.MAX_LISTED
    assert (invitations.MAX_OPEN, tokens.MAX_OF_ACCOUNT) == (200, 100), "docs/limits.md names them"


def test_a_token_that_has_expired_takes_no_room(
    client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.store.repositories.tokens.MAX_OF_ACCOUNT", 1)
    assert client.post("/api/v1/tokens", json=TOKEN).status_code == 201
    problem_of(client.post("/api/v1/tokens", json=TOKEN), 409, "conflict")
    with session_scope(settings) as session:
        session.execute(text("UPDATE api_token SET expires_at = clock_timestamp()"))
    assert client.post("/api/v1/tokens", json=TOKEN).status_code == 201
