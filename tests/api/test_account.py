"""The caller's own account."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.repositories import identities, profiles
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.client import problem_of

ACCOUNT = "/api/v1/account"


def test_an_account_changes_its_name_and_its_address(anonymous: TestClient, settings: Settings) -> None:
    account_id = add_account(settings, "viewer", name="Grace", installation_admin=True)
    anonymous.headers.update(browser_headers(settings, account_id))
    found = anonymous.get(ACCOUNT)
    assert found.headers["cache-control"] == "no-store"
    assert (found.json()["id"], found.json()["name"], found.json()["email"]) == (account_id, "Grace", None)
    changed = anonymous.patch(ACCOUNT, json={"email": "grace@example.org"}).json()
    assert (changed["name"], changed["email"]) == ("Grace", "grace@example.org")
    changed = anonymous.patch(ACCOUNT, json={"name": "Grace H."}).json()
    assert (changed["name"], changed["email"]) == ("Grace H.", "grace@example.org")
    assert anonymous.get("/api/v1/session").json()["account"]["name"] == "Grace H."
    assert anonymous.patch(ACCOUNT, json={"email": None}).json()["email"] is None
    assert anonymous.patch(ACCOUNT, json={}).json() == anonymous.get(ACCOUNT).json()
    with session_scope(settings) as session:
        actions = session.execute(text("SELECT action, status FROM audit")).all()
    assert set(actions) == {("updateAccount", 200)} and len(actions) == 4


def test_an_address_of_another_account_is_refused(api: TestClient, settings: Settings) -> None:
    """Said to an administrator of the installation only, who sees all accounts."""
    give_address(settings, add_account(settings), "Ada@example.org")
    root = browser_headers(settings, add_account(settings, installation_admin=True))
    found = api.patch(ACCOUNT, json={"name": "Eve", "email": "ada@EXAMPLE.org"}, headers=root)
    problem = problem_of(found, 422, "email_taken")
    assert problem["errors"][0]["pointer"] == "/email"
    assert api.get(ACCOUNT, headers=root).json()["name"] == "Ada", "nothing was changed"


def test_nobody_finds_addresses_of_others_or_takes_one_that_is_free(
    api: TestClient, settings: Settings
) -> None:
    give_address(settings, add_account(settings, None, name="Stranger"), "taken@example.org")
    answers = [api.patch(ACCOUNT, json={"email": f"{who}@example.org"}) for who in ("taken", "free")]
    problems = [problem_of(answer, 422, "email_not_verified") for answer in answers]
    assert {**problems[0], "instance": ""} == {**problems[1], "instance": ""}
    assert answers[0].headers.keys() == answers[1].headers.keys()
    assert api.get(ACCOUNT).json()["email"] is None


def test_an_address_that_the_provider_verified_for_the_account_may_be_taken(
    api: TestClient, settings: Settings
) -> None:
    me = api.get(ACCOUNT).json()["id"]
    with session_scope(settings) as session:
        identities.add(session, "https://id.example.org", "7", me, "ada@example.org")
    assert api.patch(ACCOUNT, json={"email": "Ada@example.org"}).json()["email"] == "Ada@example.org"
    own = api.patch(ACCOUNT, json={"email": "ada@EXAMPLE.org"})
    assert own.json()["email"] == "ada@EXAMPLE.org", "its own address in another case"
    problem_of(api.patch(ACCOUNT, json={"email": "eve@example.org"}), 422, "email_not_verified")


def give_address(settings: Settings, account_id: str, email: str) -> None:
    with session_scope(settings) as session:
        assert profiles.change(session, account_id, {"email": email})


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": ""}, "string_too_short"),
        ({"name": "a\nb"}, "string_pattern_mismatch"),
        ({"name": 5}, "string_type"),
        ({"email": "nobody"}, "string_pattern_mismatch"),
        ({"email": "a@" + "b" * 300}, "string_too_long"),
        ({"id": "acc_1111111111111111"}, "unknown_field"),
        ({"installation_admin": True}, "unknown_field"),
        ({"password_hash": "x"}, "unknown_field"),
    ],
)
def test_what_an_account_cannot_change(api: TestClient, body: dict[str, Any], code: str) -> None:
    problem_of(api.patch(ACCOUNT, json=body), 422, code)
