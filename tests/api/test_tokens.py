"""API tokens and sessions, as their owners and the team's administrators manage them."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, add_team, add_token, browser_headers
from tests.api.client import problem_of

TOKENS = "/api/v1/tokens"
SESSIONS = "/api/v1/sessions"
START: dict[str, Any] = {"name": "pipeline", "scopes": ["run:read", "run:write"], "expires_in_days": 30}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_is_shown_once_works_and_is_revoked(anonymous: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, "runner"))
    made = anonymous.post(TOKENS, json=START, headers=headers)
    assert made.status_code == 201 and made.headers["cache-control"] == "no-store"
    token = made.json()["token"]
    assert anonymous.get("/api/v1/runs", headers=bearer(token)).status_code == 200
    (entry,) = anonymous.get(TOKENS, headers=headers).json()["data"]
    assert (entry["prefix"], entry["scopes"], entry["name"]) == (token[:10], START["scopes"], "pipeline")
    assert token not in str(entry) and entry["last_used_at"] is not None
    with session_scope(settings) as session:
        stored = str(session.execute(text("SELECT * FROM api_token")).all())
        logged = session.execute(text("SELECT object FROM audit WHERE action = 'createToken'")).scalar_one()
    assert token not in stored and logged == entry["id"]
    assert anonymous.delete(f"{TOKENS}/{entry['id']}", headers=headers).status_code == 204
    problem_of(anonymous.get("/api/v1/runs", headers=bearer(token)), 401, "unauthenticated")
    assert anonymous.get(TOKENS, headers=headers).json()["data"] == []


@pytest.mark.parametrize(
    ("role", "change", "code"),
    [
        ("viewer", {}, "scope_not_allowed"),
        ("runner", {"scopes": ["admin"]}, "scope_not_allowed"),
        ("runner", {"expires_in_days": None}, "expiry_required"),
        ("admin", {"scopes": []}, "too_short"),
        ("admin", {"scopes": ["run:read", "root"]}, "literal_error"),
        ("admin", {"expires_in_days": None}, "expiry_required"),
        ("admin", {"expires_in_days": 0}, "greater_than_equal"),
        ("admin", {"expires_in_days": 366}, "less_than_equal"),
        ("admin", {"expires_in_days": True}, "int_type"),
        ("admin", {"name": ""}, "string_too_short"),
        ("admin", {"name": "a\nb"}, "string_pattern_mismatch"),
        ("admin", {"team_id": "tem_1111111111111111"}, "unknown_field"),
        ("admin", {"account_id": "acc_1111111111111111"}, "unknown_field"),
    ],
)
def test_a_token_never_exceeds_its_maker(
    anonymous: TestClient, settings: Settings, role: Any, change: dict[str, Any], code: str
) -> None:
    headers = browser_headers(settings, add_account(settings, role))
    problem_of(anonymous.post(TOKENS, json=START | change, headers=headers), 422, code)
    assert anonymous.get(TOKENS, headers=headers).json()["data"] == []


def test_a_token_cannot_mint_or_revoke_tokens(anonymous: TestClient, settings: Settings) -> None:
    headers = bearer(add_token(settings, add_account(settings)))
    problem_of(anonymous.post(TOKENS, json=START, headers=headers), 403, "insufficient_scope")
    problem_of(anonymous.get(TOKENS, headers=headers), 403, "insufficient_scope")
    problem_of(anonymous.get(SESSIONS, headers=headers), 403, "insufficient_scope")


def test_tokens_of_others(anonymous: TestClient, settings: Settings) -> None:
    owner = add_account(settings, "runner", name="Owner")
    add_token(settings, owner, scopes=("run:read",))
    mine = browser_headers(settings, owner)
    token_id = anonymous.get(TOKENS, headers=mine).json()["data"][0]["id"]
    colleague = browser_headers(settings, add_account(settings, "runner"))
    stranger = browser_headers(settings, add_account(settings, "admin", add_team(settings)))
    for headers in (colleague, stranger):
        assert anonymous.get(TOKENS, headers=headers).json()["data"] == []
        problem_of(anonymous.delete(f"{TOKENS}/{token_id}", headers=headers), 404, "not_found")
    problem_of(anonymous.delete(f"{TOKENS}/tok_x", headers=mine), 404, "not_found")
    admin = browser_headers(settings, add_account(settings))
    assert anonymous.get(TOKENS, headers=admin).json()["data"][0]["account_name"] == "Owner"
    assert anonymous.delete(f"{TOKENS}/{token_id}", headers=admin).status_code == 204


def test_an_account_without_a_team_has_no_tokens(anonymous: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, None))
    problem_of(anonymous.post(TOKENS, json=START, headers=headers), 403, "forbidden")


def test_an_account_ends_its_other_sessions_only(anonymous: TestClient, settings: Settings) -> None:
    account = add_account(settings)
    here, there = browser_headers(settings, account), browser_headers(settings, account)
    stranger = browser_headers(settings, add_account(settings))
    found = anonymous.get(SESSIONS, headers=here).json()["data"]
    assert sorted(entry["current"] for entry in found) == [False, True]
    other = next(entry["id"] for entry in found if not entry["current"])
    problem_of(anonymous.delete(f"{SESSIONS}/{other}", headers=stranger), 404, "not_found")
    assert anonymous.delete(f"{SESSIONS}/{other}", headers=here).status_code == 204
    problem_of(anonymous.get("/api/v1/runs", headers=there), 401, "unauthenticated")
    assert len(anonymous.get(SESSIONS, headers=here).json()["data"]) == 1
