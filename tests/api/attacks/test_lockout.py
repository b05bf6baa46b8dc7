"""Wrong passwords from elsewhere do not keep the owner of an account out, and give nobody more guesses."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.authentication import device_cookie_name
from backend.settings import Settings
from backend.store.repositories.passwords import FREE_FAILURES
from backend.store.secrets import new_secret
from backend.store.session import session_scope
from tests.api.client import BASE, problem_of
from tests.api.test_second_factor_endpoints import PATH, enrol
from tests.passwords import EMAIL, GOOD, add_with_password

SESSIONS = "/api/v1/sessions"
OTHER = "bob@example.org"


def browser(anonymous: TestClient) -> TestClient:
    """A browser without cookies."""
    return TestClient(anonymous.app, base_url=BASE)


def sign_in(client: TestClient, password: str = GOOD, email: str = EMAIL) -> int:
    return client.post(SESSIONS, json={"email": email, "password": password}).status_code


def sign_out(client: TestClient) -> None:
    token = client.get("/api/v1/session").json()["csrf_token"]
    assert client.delete("/api/v1/session", headers={"X-CSRF-Token": token}).status_code == 204


def fail_often(client: TestClient) -> None:
    """Give wrong passwords until a pause begins."""
    seen = [sign_in(client, "no idea at all") for _ in range(FREE_FAILURES + 1)]
    assert seen == [401] * FREE_FAILURES + [429]


@pytest.fixture
def own(anonymous: TestClient, settings: Settings) -> TestClient:
    """The browser of the owner of an account, in which it was signed in, and is not now."""
    add_with_password(settings)
    client = browser(anonymous)
    assert sign_in(client) == 204
    sign_out(client)
    return client


def test_the_owner_signs_in_while_somebody_elsewhere_fails(anonymous: TestClient, own: TestClient) -> None:
    stranger = browser(anonymous)
    fail_often(stranger)
    assert sign_in(stranger) == 429, "even with the right password"
    assert sign_in(own) == 204
    assert sign_in(stranger) == 429, "the owner's sign-in gives a stranger no new guesses"


@pytest.mark.parametrize("cookie", ["made up", "of another account", "x" * 200])
def test_no_other_cookie_passes_the_pause(
    anonymous: TestClient, settings: Settings, own: TestClient, cookie: str
) -> None:
    fail_often(browser(anonymous))
    stranger = browser(anonymous)
    if cookie == "of another account":
        add_with_password(settings, OTHER, "Bob")
        assert sign_in(stranger, email=OTHER) == 204
        sign_out(stranger)
    else:
        stranger.cookies.set(device_cookie_name(settings), new_secret() if cookie == "made up" else cookie)
    assert sign_in(stranger) == 429


def test_a_known_browser_has_a_pause_of_its_own(anonymous: TestClient, own: TestClient) -> None:
    fail_often(own)
    assert sign_in(own) == 429
    assert sign_in(browser(anonymous)) == 204, "others wait for none of its attempts"


def test_a_browser_is_forgotten(anonymous: TestClient, settings: Settings, own: TestClient) -> None:
    fail_often(browser(anonymous))
    with session_scope(settings) as session:
        session.execute(text("UPDATE browser_session SET created_at = created_at - interval '181 days'"))
    assert sign_in(own) == 429


def test_wrong_codes_in_a_stolen_session_do_not_keep_its_owner_out(
    anonymous: TestClient, settings: Settings, own: TestClient
) -> None:
    assert sign_in(own) == 204
    headers = {"X-CSRF-Token": own.get("/api/v1/session").json()["csrf_token"]}
    _, codes = enrol(own, headers)
    thief = browser(anonymous)
    thief.cookies.update(own.cookies)
    for _ in range(6):
        guess = thief.post(f"{PATH}:verify", headers=headers, json={"code": "1"})
    problem_of(guess, 429, "rate_limited")
    body = {"email": EMAIL, "password": GOOD, "code": codes[0]}
    assert browser(anonymous).post(SESSIONS, json=body).status_code == 204


def test_the_cookie_opens_nothing_and_only_its_hash_is_stored(
    anonymous: TestClient, settings: Settings, own: TestClient
) -> None:
    (name,) = own.cookies.keys()
    value = own.cookies[name]
    assert name == device_cookie_name(settings)
    problem_of(own.get("/api/v1/runs"), 401, "unauthenticated")
    with session_scope(settings) as session:
        assert value not in str(session.execute(text("SELECT * FROM browser_session")).all())
    assert sign_in(own) == 204
    assert own.cookies[name] == value, "one browser of several accounts stays known to each"
