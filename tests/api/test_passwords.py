"""Passwords: set, changed, reset by a one-time link, and given with an invitation."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.passwords import hashing
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, add_token, browser_headers
from tests.api.client import BASE, problem_of
from tests.api.test_access import audit, bearer
from tests.api.test_invitations import ACCEPT, invite
from tests.passwords import EMAIL, GOOD, add_with_password, count_hashes

PASSWORD = "/api/v1/account/password"
ACCOUNT = "/api/v1/account"
SESSIONS = "/api/v1/sessions"
OTHER = "copper lantern, nine quiet rivers"


def signs_in(api: TestClient, password: str, email: str = EMAIL) -> bool:
    """Whether a password opens a session; the client keeps no cookie."""
    answer = api.post(SESSIONS, json={"email": email, "password": password})
    api.cookies.clear()
    return answer.status_code == 204


def age(settings: Settings, minutes: int, method: str = "link") -> None:
    """Let every session be this old and be opened by this method."""
    with session_scope(settings) as session:
        session.execute(
            text("UPDATE browser_session SET created_at = now() - :m * interval '1 min', method = :method"),
            {"m": minutes, "method": method},
        )


def test_a_password_is_changed_by_the_current_one(anonymous: TestClient, settings: Settings) -> None:
    account = add_with_password(settings)
    headers, other = browser_headers(settings, account), browser_headers(settings, account)
    token = add_token(settings, account)
    age(settings, 16)
    assert anonymous.get(ACCOUNT, headers=headers).json()["password_change_needs"] == "current_password"
    missing = problem_of(
        anonymous.put(PASSWORD, json={"new_password": OTHER}, headers=headers), 422, "missing"
    )
    assert missing["errors"][0]["pointer"] == "/current_password"
    change = {"current_password": "no idea", "new_password": OTHER}
    wrong = problem_of(anonymous.put(PASSWORD, json=change, headers=headers), 422, "password_wrong")
    assert wrong["errors"][0]["pointer"] == "/current_password"
    change["current_password"] = GOOD
    assert anonymous.put(PASSWORD, json=change, headers=headers).status_code == 204
    assert anonymous.get(ACCOUNT, headers=headers).status_code == 200
    problem_of(anonymous.get(ACCOUNT, headers=other), 401, "unauthenticated")
    assert anonymous.get("/api/v1/runs", headers=bearer(token)).status_code == 200, "tokens are apart"
    assert signs_in(anonymous, OTHER) and not signs_in(anonymous, GOOD)
    entries = [entry for entry in audit(settings) if entry.action == "setPassword"]
    assert [entry.status for entry in entries] == [422, 422, 204]
    assert GOOD not in str(entries) and OTHER not in str(entries)


def test_the_current_password_cannot_be_guessed_in_a_stolen_session(
    anonymous: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = browser_headers(settings, add_with_password(settings))
    age(settings, 16)
    calls = count_hashes(monkeypatch)
    change = {"current_password": "no idea", "new_password": OTHER}
    codes = [anonymous.put(PASSWORD, json=change, headers=headers).json()["code"] for _ in range(7)]
    assert codes == ["password_wrong"] * 5 + ["sign_in_paused"] * 2 and calls == {"verify": 5}
    assert signs_in(anonymous, GOOD), "the account's owner still signs in"


def test_a_fresh_one_time_link_resets_a_password(anonymous: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_with_password(settings))
    for minutes, method, needs in [
        (16, "link", "current_password"),
        (0, "password", "current_password"),
        (0, "identity_provider", "current_password"),
        (14, "link", "nothing"),
    ]:
        age(settings, minutes, method)
        assert anonymous.get(ACCOUNT, headers=headers).json()["password_change_needs"] == needs
    assert anonymous.put(PASSWORD, json={"new_password": OTHER}, headers=headers).status_code == 204
    assert signs_in(anonymous, OTHER)


def test_a_reset_ends_the_pause_of_wrong_passwords(anonymous: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_with_password(settings))
    assert [signs_in(anonymous, "wrong again") for _ in range(6)] == [False] * 6
    assert not signs_in(anonymous, GOOD)
    assert anonymous.put(PASSWORD, json={"new_password": OTHER}, headers=headers).status_code == 204
    assert signs_in(anonymous, OTHER)


def test_the_first_password_needs_a_recent_sign_in_and_an_address(
    anonymous: TestClient, settings: Settings
) -> None:
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    problem_of(anonymous.put(PASSWORD, json={"new_password": GOOD}, headers=headers), 409, "conflict")
    anonymous.patch(ACCOUNT, json={"email": EMAIL}, headers=headers)
    age(settings, 16, "identity_provider")
    found = anonymous.get(ACCOUNT, headers=headers).json()
    assert (found["has_password"], found["password_change_needs"]) == (False, "recent_sign_in")
    problem_of(anonymous.put(PASSWORD, json={"new_password": GOOD}, headers=headers), 403, "sign_in_again")
    age(settings, 14, "identity_provider")
    assert anonymous.put(PASSWORD, json={"new_password": GOOD}, headers=headers).status_code == 204
    assert anonymous.get(ACCOUNT, headers=headers).json()["has_password"] is True
    assert signs_in(anonymous, GOOD)
    kept = problem_of(anonymous.patch(ACCOUNT, json={"email": None}, headers=headers), 422, "email_needed")
    assert kept["errors"][0]["pointer"] == "/email"


WEAK = [
    ("tiny", "password_too_short"),
    ("elevenchars", "password_too_short"),
    ("e\u0301" * 11, "password_too_short"),  # 22 characters as typed, 11 after normalisation
    ("aaaaaaaaaaaaaaaa", "password_too_weak"),
    ("password1234", "password_too_weak"),
    ("P@ssw0rd1234", "password_too_weak"),
    ("qwertyuiop[]", "password_too_weak"),
    ("123456789012345678901234567890", "password_too_weak"),
    ("graceannhopper", "password_too_weak"),
    ("Grace.Hopper1", "password_too_weak"),
    ("hopper@example.org", "password_too_weak"),
    ("plimsoll2026", "password_too_weak"),
    ("x" * 257, "string_too_long"),
    ("", "string_too_short"),
    (None, "string_type"),
]


@pytest.mark.parametrize(("password", "code"), WEAK)
def test_weak_passwords_are_refused_with_advice(
    anonymous: TestClient, settings: Settings, password: Any, code: str
) -> None:
    headers = browser_headers(
        settings, add_account(settings, name="Grace Ann Hopper", installation_admin=True)
    )
    anonymous.patch(ACCOUNT, json={"email": "hopper@example.org"}, headers=headers)
    answer = anonymous.put(PASSWORD, json={"new_password": password}, headers=headers)
    problem = problem_of(answer, 422, code)
    assert problem["errors"][0]["pointer"] == "/new_password"
    assert not password or password not in answer.text
    assert anonymous.get(ACCOUNT, headers=headers).json()["has_password"] is False


@pytest.mark.parametrize(
    "password", [GOOD, "x7#Qm9!vLp2$", "木曜日の朝に青い鯨が歌う", "correct horse battery staple " * 8]
)
def test_any_kind_of_characters_is_accepted(anonymous: TestClient, settings: Settings, password: str) -> None:
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    anonymous.patch(ACCOUNT, json={"email": EMAIL}, headers=headers)
    answer = anonymous.put(PASSWORD, json={"new_password": password}, headers=headers)
    assert answer.status_code == 204, answer.text
    assert signs_in(anonymous, password)


def test_only_a_hash_is_stored(anonymous: TestClient, settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    anonymous.patch(ACCOUNT, json={"email": EMAIL}, headers=headers)
    anonymous.put(PASSWORD, json={"new_password": GOOD}, headers=headers)
    with session_scope(settings) as session:
        (stored,) = session.execute(text("SELECT password_hash FROM account")).scalars()
    assert stored.startswith("$argon2id$") and not hashing.is_outdated(stored)


def test_an_invitation_takes_a_password(api: TestClient, anonymous: TestClient) -> None:
    answer = anonymous.post(
        ACCEPT, json={"link": invite(api), "name": "Grace", "email": EMAIL, "password": GOOD}
    )
    assert answer.status_code == 204, answer.text
    found = anonymous.get(ACCOUNT).json()
    assert (found["name"], found["has_password"]) == ("Grace", True)
    anonymous.cookies.clear()
    assert signs_in(anonymous, GOOD)
    bound = {"link": invite(api, email="bob@example.org"), "name": "Bob", "password": OTHER}
    assert anonymous.post(ACCEPT, json=bound).status_code == 204
    anonymous.cookies.clear()
    assert signs_in(anonymous, OTHER, "bob@example.org")


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"password": "short"}, "password_too_short", "/password"),
        ({"password": "gracehopper12"}, "password_too_weak", "/password"),
        ({"email": None}, "email_needed", "/email"),
        ({"name": None}, "two_kinds", "/password"),
    ],
)
def test_a_refused_password_leaves_the_invitation_open(
    api: TestClient, anonymous: TestClient, change: dict[str, Any], code: str, pointer: str
) -> None:
    body = {"link": invite(api), "name": "Grace Hopper", "email": EMAIL, "password": GOOD}
    problem = problem_of(anonymous.post(ACCEPT, json=body | change), 422, code)
    assert problem["errors"][0]["pointer"] == pointer
    assert anonymous.post(ACCEPT, json=body).status_code == 204


def test_a_weak_password_is_no_wrong_invitation_and_an_unknown_one_costs_no_hash(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = settings.model_copy(update={"rate_secret_guesses": "1/h burst 2"})
    admin = browser_headers(settings, add_account(settings))
    calls = count_hashes(monkeypatch)
    with TestClient(create_app(strict), base_url=BASE) as client:
        answer = client.post("/api/v1/invitations", json={"role": "viewer"}, headers=admin)
        link = answer.json()["url"].partition("#")[2]
        body = {"link": link, "name": "Grace", "email": EMAIL, "password": "password1234"}
        for _ in range(4):
            problem_of(client.post(ACCEPT, json=body), 422, "password_too_weak")
        unknown = body | {"link": "x" * 43, "password": GOOD}
        problem_of(client.post(ACCEPT, json=unknown), 410, "gone")
    assert not calls


def test_a_token_sets_no_password(anonymous: TestClient, settings: Settings) -> None:
    headers = bearer(add_token(settings, add_with_password(settings)))
    change = {"current_password": GOOD, "new_password": OTHER}
    problem_of(anonymous.put(PASSWORD, json=change, headers=headers), 403, "insufficient_scope")
    problem_of(anonymous.get(ACCOUNT, headers=headers), 403, "insufficient_scope")


def test_text_that_is_no_unicode_is_refused(api: TestClient) -> None:
    body = b'{"new_password": "' + rb"\ud800" * 12 + b'"}'
    answer = api.put(PASSWORD, content=body, headers={"Content-Type": "application/json"})
    problem_of(answer, 422, "string_unicode")
