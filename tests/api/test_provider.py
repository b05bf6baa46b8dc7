"""Sign-in by an OpenID Connect provider, with a real Dex."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.authentication import cookie_name
from backend.api.app import create_app
from backend.api.identity import attempt as attempts
from backend.api.identity import provider, service
from backend.api.identity.attempt import own_path
from backend.api.identity.provider import redirect_uri
from backend.api.serve import server_config
from backend.settings import Settings
from backend.store.ids import new_id
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope
from tests.accounts import OTHER_TEAM, add_account, add_team, browser_headers
from tests.api.client import BASE, problem_of
from tests.api.running import running
from tests.api.test_second_factor_endpoints import PATH as FACTOR
from tests.api.test_second_factor_endpoints import enrol
from tests.dex import CLIENT_ID, SECRET, TOKEN_LIFETIME_S, Dex, running_dex

START = "/api/v1/sign-in/oidc"
IDENTITIES = "/api/v1/account/identities"
EMAILS = ("grace@example.org", "alan@elsewhere.test")


@pytest.fixture(scope="module")
def shared_dex(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dex]:
    with running_dex(tmp_path_factory.mktemp("dex"), redirect_uri(Settings()), EMAILS) as dex:
        yield dex


def settings_with(settings: Settings, issuer: str, **more: Any) -> Settings:
    given = {"oidc_allowed_domains": "example.org", "oidc_default_role": "runner", **more}
    return Settings(
        **settings.model_dump(exclude_unset=True) | given,
        oidc_issuer=issuer,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=SECRET,
    )


@pytest.fixture
def configured(settings: Settings, shared_dex: Dex) -> Settings:
    return settings_with(settings, shared_dex.issuer)


@pytest.fixture
def browser(configured: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(configured), base_url=BASE, follow_redirects=False) as client:
        yield client


def begin(browser: TestClient, to: str = "/runs/run_1") -> str:
    answer = browser.get(START, params={"to": to})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def sign_in(browser: TestClient, dex: Dex, email: str = EMAILS[0]) -> Any:
    """The answer of the callback after a sign-in at the provider."""
    return browser.get(back(dex.sign_in(begin(browser), email)))


def back(url: str) -> str:
    assert url.startswith(BASE)
    return url.removeprefix(BASE)


def failed(answer: Any, code: str, browser: TestClient) -> None:
    assert (answer.status_code, answer.headers["location"]) == (303, f"/sign-in?failed={code}")
    assert browser.get("/api/v1/session").status_code == 401


def rows(settings: Settings, query: str) -> list[Any]:
    with session_scope(settings) as session:
        return list(session.execute(text(query)))


def test_a_first_and_a_second_sign_in(browser: TestClient, configured: Settings, shared_dex: Dex) -> None:
    url = urlsplit(begin(browser))
    query = parse_qs(url.query)
    assert query["code_challenge_method"] == ["S256"] and query["response_type"] == ["code"]
    assert {"state", "nonce", "code_challenge"} <= query.keys()
    for _ in range(2):
        browser.cookies.clear()
        answer = sign_in(browser, shared_dex)
        assert (answer.status_code, answer.headers["location"]) == (303, "/runs/run_1")
        cookies = answer.headers.get_list("set-cookie")
        assert any(cookie_name(configured) in one and "HttpOnly" in one for one in cookies)
        session = browser.get("/api/v1/session").json()
        assert (session["account"]["email"], session["team"]["role"]) == (EMAILS[0], "runner")
    assert rows(configured, "SELECT count(*) FROM account")[0][0] == 1
    log = rows(configured, "SELECT action, actor, status, code FROM audit ORDER BY id")
    assert [tuple(one) for one in log] == [("signInByProvider", "grace", 303, None)] * 2


def test_somebody_whom_nobody_invited(browser: TestClient, configured: Settings, shared_dex: Dex) -> None:
    failed(sign_in(browser, shared_dex, EMAILS[1]), "not_invited", browser)
    assert rows(configured, "SELECT * FROM account") == []
    (entry,) = rows(configured, "SELECT actor, status, code FROM audit")
    assert tuple(entry) == ("anonymous", 401, "not_invited")


def test_an_open_invitation_to_the_same_verified_address(
    browser: TestClient, configured: Settings, shared_dex: Dex
) -> None:
    team = add_team(configured)
    with session_scope(configured) as session:
        session.execute(
            text(
                "INSERT INTO one_time_link (id, kind, token_sha256, team_id, role, email, expires_at) VALUES "
                "(:id, 'invitation', :hash, :team, 'viewer', 'Alan@Elsewhere.test', now() + interval '1 day')"
            ),
            {"id": new_id("lnk"), "hash": digest(new_secret()), "team": team},
        )
    assert sign_in(browser, shared_dex, EMAILS[1]).headers["location"] == "/runs/run_1"
    session = browser.get("/api/v1/session").json()
    assert [(one["id"], one["role"]) for one in session["teams"]] == [(OTHER_TEAM, "viewer")]
    assert rows(configured, "SELECT used_at FROM one_time_link")[0][0] is not None


def test_an_account_is_not_taken_over_by_its_address(
    browser: TestClient, configured: Settings, shared_dex: Dex
) -> None:
    account = add_account(configured)
    with session_scope(configured) as session:
        session.execute(text("UPDATE account SET email = 'GRACE@example.org'"))
    failed(sign_in(browser, shared_dex), "email_taken", browser)
    headers = browser_headers(configured, account)
    answer = browser.post(IDENTITIES, headers=headers)
    assert answer.status_code == 200, answer.text
    returned = back(shared_dex.sign_in(answer.json()["url"], EMAILS[0]))
    own = f"{headers['Cookie']}; {browser_cookie(browser, configured)}"
    assert browser.get(returned, headers={"Cookie": own}).headers["location"] == "/account"
    browser.cookies.clear()
    assert sign_in(browser, shared_dex).headers["location"] == "/runs/run_1"
    assert browser.get("/api/v1/session").json()["account"]["id"] == account


def browser_cookie(browser: TestClient, settings: Settings) -> str:
    name = attempts.cookie_name(settings)
    return f"{name}={browser.cookies[name]}"


def test_linking_needs_the_session_that_began_it(
    browser: TestClient, configured: Settings, shared_dex: Dex
) -> None:
    victim, other = add_account(configured), add_account(configured)
    answer = browser.post(IDENTITIES, headers=browser_headers(configured, victim))
    returned = back(shared_dex.sign_in(answer.json()["url"], EMAILS[0]))
    own = browser_headers(configured, other)["Cookie"]
    answer = browser.get(returned, headers={"Cookie": f"{own}; {browser_cookie(browser, configured)}"})
    assert answer.headers["location"] == "/account?failed=attempt_unknown"
    assert rows(configured, "SELECT * FROM external_identity") == []


def test_identities_are_listed_and_unlinked(
    browser: TestClient, configured: Settings, shared_dex: Dex
) -> None:
    sign_in(browser, shared_dex)
    account = browser.get("/api/v1/session").json()["account"]["id"]
    headers = browser_headers(configured, account)
    browser.cookies.clear()
    (found,) = browser.get(IDENTITIES, headers=headers).json()["data"]
    assert (found["issuer"], found["current"], found["email"]) == (shared_dex.issuer, True, EMAILS[0])
    path = f"{IDENTITIES}/{found['id']}"
    assert "only way" in problem_of(browser.delete(path, headers=headers), 409, "conflict")["detail"]
    with session_scope(configured) as session:
        session.execute(text("UPDATE account SET password_hash = 'x'"))
    other = browser_headers(configured, add_account(configured))
    problem_of(browser.delete(path, headers=other), 404, "not_found")
    assert browser.delete(path, headers=headers).status_code == 204
    problem_of(browser.delete(path, headers=headers), 404, "not_found")
    failed(sign_in(browser, shared_dex), "email_taken", browser)


def test_a_new_way_to_sign_in_needs_the_second_factor_that_the_account_has(
    browser: TestClient, configured: Settings, shared_dex: Dex
) -> None:
    """A one-time link alone must not become a sign-in that counts as one with a second factor."""
    account = add_account(configured)
    _, codes = enrol(browser, browser_headers(configured, account))
    by_link = browser_headers(configured, account)
    problem_of(browser.post(IDENTITIES, headers=by_link), 403, "second_factor_not_proved")
    verify = f"{FACTOR}:verify"
    assert browser.post(verify, headers=by_link, json={"code": codes[0]}).status_code == 204
    assert browser.post(IDENTITIES, headers=by_link).status_code == 200


def test_a_new_way_to_sign_in_needs_a_recent_sign_in(browser: TestClient, configured: Settings) -> None:
    headers = browser_headers(configured, add_account(configured))
    with session_scope(configured) as session:
        session.execute(text("UPDATE browser_session SET created_at = created_at - interval '16 min'"))
    problem_of(browser.post(IDENTITIES, headers=headers), 403, "sign_in_again")
    problem_of(browser.delete(f"{IDENTITIES}/idn_0000", headers=headers), 403, "sign_in_again")


def test_a_state_of_another_browser(browser: TestClient, configured: Settings, shared_dex: Dex) -> None:
    returned = back(shared_dex.sign_in(begin(browser), EMAILS[0]))
    browser.cookies.clear()
    failed(browser.get(returned), "attempt_unknown", browser)
    begin(browser)  # the cookie of an attempt of its own does not help
    failed(browser.get(returned), "attempt_unknown", browser)


def test_a_changed_cookie_is_another_attempt(
    browser: TestClient, configured: Settings, shared_dex: Dex
) -> None:
    returned = back(shared_dex.sign_in(begin(browser), EMAILS[0]))
    name = attempts.cookie_name(configured)
    changed = browser.cookies[name].replace("/runs/run_1", "/runs/run_2")
    answer = browser.get(returned, headers={"Cookie": f"{name}={changed}"})
    assert answer.headers["location"] == "/sign-in?failed=attempt_unknown"


def test_a_nonce_of_another_attempt(
    browser: TestClient, shared_dex: Dex, monkeypatch: pytest.MonkeyPatch
) -> None:
    returned = back(shared_dex.sign_in(begin(browser), EMAILS[0]))
    monkeypatch.setattr(attempts.Attempt, "nonce", "another")
    failed(browser.get(returned), "invalid_token", browser)


def test_a_code_without_its_verifier(
    browser: TestClient, shared_dex: Dex, monkeypatch: pytest.MonkeyPatch
) -> None:
    returned = back(shared_dex.sign_in(begin(browser), EMAILS[0]))
    monkeypatch.setattr(attempts.Attempt, "verifier", "x" * 43)
    failed(browser.get(returned), "code_refused", browser)


def test_a_replayed_code(browser: TestClient, configured: Settings, shared_dex: Dex) -> None:
    returned = back(shared_dex.sign_in(begin(browser), EMAILS[0]))
    kept = browser_cookie(browser, configured)
    assert browser.get(returned).headers["location"] == "/runs/run_1"
    browser.cookies.clear()
    failed(browser.get(returned), "attempt_unknown", browser)
    answer = browser.get(returned, headers={"Cookie": kept})
    assert answer.headers["location"] == "/sign-in?failed=code_refused"


def test_an_attempt_ends_after_ten_minutes(browser: TestClient, shared_dex: Dex) -> None:
    returned = back(shared_dex.sign_in(begin(browser), EMAILS[0]))
    browser.app.state.provider.now = lambda: time.time() + attempts.LIFETIME_S + 5  # type: ignore[attr-defined]
    failed(browser.get(returned), "attempt_unknown", browser)


@pytest.mark.parametrize("ahead", [TOKEN_LIFETIME_S + 90, -90])
def test_clocks_that_differ_by_more_than_a_minute(browser: TestClient, shared_dex: Dex, ahead: int) -> None:
    browser.app.state.provider.now = lambda: time.time() + ahead  # type: ignore[attr-defined]
    failed(sign_in(browser, shared_dex), "clock_skew", browser)


@pytest.mark.parametrize("ahead", [TOKEN_LIFETIME_S + 30, -30])
def test_clocks_that_differ_by_less(browser: TestClient, shared_dex: Dex, ahead: int) -> None:
    browser.app.state.provider.now = lambda: time.time() + ahead  # type: ignore[attr-defined]
    assert sign_in(browser, shared_dex).headers["location"] == "/runs/run_1"


def test_a_person_who_declines(browser: TestClient) -> None:
    state = parse_qs(urlsplit(begin(browser)).query)["state"][0]
    answer = browser.get(f"{START}/callback", params={"state": state, "error": "access_denied"})
    failed(answer, "declined", browser)


def test_a_disabled_account(browser: TestClient, configured: Settings, shared_dex: Dex) -> None:
    sign_in(browser, shared_dex)
    with session_scope(configured) as session:
        session.execute(text("UPDATE account SET disabled_at = now()"))
    failed(sign_in(browser, shared_dex), "account_disabled", browser)


def test_a_provider_that_names_itself_otherwise(settings: Settings, shared_dex: Dex) -> None:
    wrong = settings_with(settings, shared_dex.issuer.replace("127.0.0.1", "localhost"))
    with TestClient(create_app(wrong), base_url=BASE, follow_redirects=False) as browser:
        failed(browser.get(START), "issuer_mismatch", browser)
    assert rows(settings, "SELECT code FROM audit")[0][0] == "issuer_mismatch"


def test_a_provider_that_is_stopped(settings: Settings, tmp_path: Path) -> None:
    with running_dex(tmp_path, redirect_uri(settings), EMAILS) as dex:
        given = settings_with(settings, dex.issuer)
        with TestClient(create_app(given), base_url=BASE, follow_redirects=False) as browser:
            returned = back(dex.sign_in(begin(browser), EMAILS[0]))
            dex.stop()
            failed(browser.get(returned), "unavailable", browser)
        with TestClient(create_app(given), base_url=BASE, follow_redirects=False) as browser:
            failed(browser.get(START), "unavailable", browser)
            headers = browser_headers(given, add_account(given))
            problem_of(browser.post(IDENTITIES, headers=headers), 503, "unavailable")


class Silent:
    """A provider that accepts connections and never answers."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.issuer = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._connections: list[socket.socket] = []

    def accept(self) -> None:
        """Wait for a connection, and keep it open."""
        self._listener.settimeout(120)
        self._connections.append(self._listener.accept()[0])

    def close(self) -> None:
        """End all connections."""
        for each in (*self._connections, self._listener):
            each.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    found = Silent()
    yield found
    found.close()


def test_a_provider_that_never_answers(
    settings: Settings, silent: Silent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "LIMIT_S", 0.2)
    given = settings_with(settings, silent.issuer)
    with TestClient(create_app(given), base_url=BASE, follow_redirects=False) as browser:
        failed(browser.get(START), "unavailable", browser)
        silent.accept()
        failed(browser.get(START), "unavailable", browser)  # at once: no request within RETRY_S


def test_others_are_served_while_a_provider_is_silent(
    settings: Settings, silent: Silent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "LIMIT_S", 60.0)
    given = settings_with(settings, silent.issuer)
    app = create_app(given)
    config = server_config(app, given)
    with running(config) as base, ThreadPoolExecutor() as pool:
        visits = [pool.submit(httpx2.get, f"{base}{START}", timeout=60.0) for _ in range(50)]
        silent.accept()  # the first visit; the others wait for it
        for _ in range(50):
            assert httpx2.get(f"{base}/api/v1/sign-in", timeout=60.0).status_code == 200
        assert not any(each.done() for each in visits)
        silent.close()
        answers = {each.result().headers["location"] for each in visits}
    assert answers == {"/sign-in?failed=unavailable"}


def test_failed_attempts_have_a_budget(settings: Settings, shared_dex: Dex) -> None:
    given = settings_with(settings, shared_dex.issuer, rate_secret_guesses="1/min burst 3")
    with TestClient(create_app(given), base_url=BASE, follow_redirects=False) as browser:
        for _ in range(3):
            failed(browser.get(f"{START}/callback?state=x&code=y"), "attempt_unknown", browser)
        problem_of(browser.get(f"{START}/callback?state=x&code=y"), 429, "rate_limited")


def test_a_server_without_a_provider(anonymous: TestClient) -> None:
    assert anonymous.get("/api/v1/sign-in").json() == {"provider": None}
    problem_of(anonymous.get(START), 404, "not_found")


@pytest.mark.parametrize(
    "path",
    ["https://evil.test", "//evil.test", "/\\evil.test", "/a\r\nb", "/a\tb", "", None, "/api/v1/runs", "/%"],
)
def test_only_pages_of_this_origin_are_opened(path: str | None) -> None:
    assert own_path(path) == ("/%" if path == "/%" else "/")


def test_groups_give_roles() -> None:
    given = Settings(oidc_group_roles="bench=runner, ops=admin", oidc_default_role="viewer")
    assert [service._role(given, groups) for groups in ((), ("bench",), ("ops", "bench"))] == [
        "viewer",
        "runner",
        "admin",
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"oidc_issuer": "http://idp.example.org", "oidc_client_id": "x"},
        {"oidc_issuer": "https://idp.example.org"},
        {"oidc_group_roles": "bench=root"},
        {"oidc_scopes": "profile"},
    ],
)
def test_unsafe_settings_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"oidc|OIDC|role"):
        Settings(**wrong)  # type: ignore[arg-type]
