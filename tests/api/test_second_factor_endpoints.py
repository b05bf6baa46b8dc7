"""The second factor of an account as its owner and an administrator change it."""

from __future__ import annotations

import time
from typing import Any

import pyotp
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.client import problem_of
from tests.api.command import Command

PATH = "/api/v1/account/second-factor"
Headers = dict[str, str]


class App:
    """An authenticator app that shows two codes: of the present time step and of the next one."""

    def __init__(self, secret: str) -> None:
        self._totp = pyotp.TOTP(secret)
        self._step = int(time.time()) // 30 - 1

    def code(self) -> str:
        """The next code; the server accepts those of one step before and after its clock."""
        self._step += 1
        return self._totp.generate_otp(self._step)


@pytest.fixture
def account(settings: Settings) -> str:
    return add_account(settings)


@pytest.fixture
def headers(settings: Settings, account: str) -> Headers:
    return browser_headers(settings, account)


def enrol(client: TestClient, headers: Headers, **more: Any) -> tuple[App, list[str]]:
    """An app with the secret, and the recovery codes."""
    begun = client.post(PATH, headers=headers)
    assert begun.status_code == 201, begun.text
    app = App(begun.json()["secret"])
    answer = client.post(f"{PATH}:confirm", headers=headers, json={"code": app.code(), **more})
    assert answer.status_code == 200, answer.text
    return app, answer.json()["recovery_codes"]


def state(client: TestClient, headers: Headers) -> dict[str, Any]:
    found: dict[str, Any] = client.get(PATH, headers=headers).json()
    return found


def execute(settings: Settings, statement: str) -> None:
    with session_scope(settings) as session:
        session.execute(text(statement))


def age(settings: Settings) -> None:
    """Let every session be of a sign-in that is not recent."""
    execute(settings, "UPDATE browser_session SET created_at = created_at - interval '16 min'")


def test_enrolment(anonymous: TestClient, settings: Settings, headers: Headers) -> None:
    before = state(anonymous, headers)
    assert (before["confirmed_at"], before["proved"], before["recent_sign_in"]) == (None, False, True)
    begun = anonymous.post(PATH, headers=headers)
    assert begun.status_code == 201 and begun.headers["cache-control"] == "no-store"
    assert pyotp.parse_uri(begun.json()["url"]).secret == begun.json()["secret"]
    wrong = anonymous.post(f"{PATH}:confirm", headers=headers, json={"code": "12345"})
    problem_of(wrong, 422, "wrong_code")
    app, codes = enrol(anonymous, headers)
    after = state(anonymous, headers)
    assert after["confirmed_at"] is not None
    assert (after["recovery_codes"], after["proved"]) == (len(codes), True) == (10, True)
    problem_of(anonymous.post(PATH, headers=headers), 409, "conflict")
    again = anonymous.post(f"{PATH}:confirm", headers=headers, json={"code": app.code()})
    problem_of(again, 409, "conflict")
    with session_scope(settings) as session:
        log = session.execute(text("SELECT action, status, code FROM audit ORDER BY id")).all()
    assert [tuple(one) for one in log] == [
        ("beginSecondFactor", 201, None),
        ("confirmSecondFactor", 422, "wrong_code"),
        ("beginSecondFactor", 201, None),
        ("confirmSecondFactor", 200, None),
        ("beginSecondFactor", 409, "conflict"),
        ("confirmSecondFactor", 409, "conflict"),
    ]


def test_changes_need_a_recent_sign_in(anonymous: TestClient, settings: Settings, headers: Headers) -> None:
    age(settings)
    problem_of(anonymous.post(PATH, headers=headers), 403, "sign_in_again")
    fresh = browser_headers(
        settings, anonymous.get("/api/v1/session", headers=headers).json()["account"]["id"]
    )
    app, codes = enrol(anonymous, fresh)
    age(settings)
    for path in (f"{PATH}/recovery-codes", f"{PATH}:remove"):
        problem_of(anonymous.post(path, headers=fresh, json={"code": codes[0]}), 403, "sign_in_again")
    assert not state(anonymous, fresh)["recent_sign_in"]
    assert state(anonymous, fresh)["recovery_codes"] == 10, "a refused change uses no code"
    verified = anonymous.post(f"{PATH}:verify", headers=headers, json={"code": app.code()})
    assert verified.status_code == 204 and state(anonymous, headers)["proved"]


def test_recovery_codes_are_renewed_by_a_code(anonymous: TestClient, headers: Headers) -> None:
    app, old = enrol(anonymous, headers)
    problem_of(
        anonymous.post(f"{PATH}/recovery-codes", headers=headers, json={"code": "000"}), 422, "wrong_code"
    )
    new = anonymous.post(f"{PATH}/recovery-codes", headers=headers, json={"code": app.code()}).json()
    assert len(set(new["recovery_codes"]) - set(old)) == 10
    problem_of(anonymous.post(f"{PATH}:verify", headers=headers, json={"code": old[0]}), 422, "wrong_code")
    used = anonymous.post(f"{PATH}:verify", headers=headers, json={"code": new["recovery_codes"][0]})
    assert used.status_code == 204 and state(anonymous, headers)["recovery_codes"] == 9


def test_removal_by_a_recovery_code(
    anonymous: TestClient, settings: Settings, account: str, headers: Headers
) -> None:
    _, codes = enrol(anonymous, headers)
    other = browser_headers(settings, account)
    verified = anonymous.post(f"{PATH}:verify", headers=other, json={"code": codes[1]})
    assert verified.status_code == 204
    problem_of(anonymous.post(f"{PATH}:remove", headers=headers, json={"code": codes[1]}), 422, "wrong_code")
    assert anonymous.post(f"{PATH}:remove", headers=headers, json={"code": codes[2]}).status_code == 204
    for each in (headers, other):
        assert (state(anonymous, each)["confirmed_at"], state(anonymous, each)["proved"]) == (None, False)
    problem_of(anonymous.post(f"{PATH}:remove", headers=headers, json={"code": codes[3]}), 409, "conflict")


def test_other_browsers_are_signed_out_if_wanted(
    anonymous: TestClient, settings: Settings, account: str, headers: Headers
) -> None:
    other = browser_headers(settings, account)
    _, codes = enrol(anonymous, headers, end_other_sessions=True)
    problem_of(anonymous.get(PATH, headers=other), 401, "unauthenticated")
    other = browser_headers(settings, account)
    change = {"code": codes[0], "end_other_sessions": True}
    assert anonymous.post(f"{PATH}:remove", headers=headers, json=change).status_code == 204
    problem_of(anonymous.get(PATH, headers=other), 401, "unauthenticated")


def test_guessing_in_a_session_pauses(anonymous: TestClient, headers: Headers) -> None:
    app, _ = enrol(anonymous, headers)
    for _ in range(5):
        problem_of(anonymous.post(f"{PATH}:verify", headers=headers, json={"code": "1"}), 422, "wrong_code")
    paused = anonymous.post(f"{PATH}:verify", headers=headers, json={"code": app.code()})
    problem_of(paused, 429, "rate_limited")
    assert 1 <= int(paused.headers["retry-after"]) <= 30


def test_guessing_at_the_enrolment_pauses(anonymous: TestClient, headers: Headers) -> None:
    anonymous.post(PATH, headers=headers)
    for _ in range(5):
        problem_of(anonymous.post(f"{PATH}:confirm", headers=headers, json={"code": "1"}), 422, "wrong_code")
    paused = anonymous.post(f"{PATH}:confirm", headers=headers, json={"code": "1"})
    problem_of(paused, 429, "rate_limited")


def test_an_administrator_of_the_installation_resets(
    anonymous: TestClient, settings: Settings, account: str, headers: Headers
) -> None:
    enrol(anonymous, headers)
    admin = add_account(settings, installation_admin=True)
    by_admin = browser_headers(settings, admin)
    path = f"/api/v1/accounts/{account}/second-factor"
    problem_of(anonymous.delete(path, headers=headers), 403, "forbidden")
    assert anonymous.delete(path, headers=by_admin).status_code == 204
    assert state(anonymous, headers)["confirmed_at"] is None
    problem_of(anonymous.delete(path, headers=by_admin), 404, "not_found")
    problem_of(anonymous.delete("/api/v1/accounts/acc_x/second-factor", headers=by_admin), 404, "not_found")
    own = f"/api/v1/accounts/{admin}/second-factor"
    problem_of(anonymous.delete(own, headers=by_admin), 409, "conflict")
    enrol(anonymous, headers)
    age(settings)
    problem_of(anonymous.delete(path, headers=by_admin), 403, "sign_in_again")


def test_root_on_the_host_resets(
    anonymous: TestClient,
    settings: Settings,
    account: str,
    headers: Headers,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", settings.database_url)
    command = Command(capsys, monkeypatch)
    command("admin", "second-factor-reset", account, code=2)
    enrol(anonymous, headers)
    assert "no second factor now" in command("admin", "second-factor-reset", account)
    after = state(anonymous, headers)
    assert (after["confirmed_at"], after["proved"]) == (None, False)
    command("admin", "second-factor-reset", "nobody@example.org", code=2)
    assert "there is no account nobody@example.org" in command.err
    with session_scope(settings) as session:
        log = session.execute(
            text("SELECT actor, object FROM audit WHERE action = 'resetSecondFactor'")
        ).all()
    assert [tuple(one) for one in log] == [("command on the server", account)]
