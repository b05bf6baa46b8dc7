"""Sign-in by password: right, wrong many times, paused, with a second factor, and beside other requests."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import argon2
import pyotp
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.authentication import cookie_name
from backend.api.app import create_app
from backend.api.capacity import ConcurrencyLimit
from backend.api.identity import second_factor
from backend.api.passwords import hashing
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import passwords
from backend.store.repositories.passwords import FREE_FAILURES
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE, problem_of
from tests.api.test_access import audit, sign_in_link
from tests.passwords import EMAIL, GOOD, add_with_password, count_hashes, set_password
from tests.statements import statements

SESSIONS = "/api/v1/sessions"
WRONG = {"email": EMAIL, "password": "not this one at all"}
RIGHT = {"email": EMAIL, "password": GOOD}


def sign_in(api: TestClient, **body: Any) -> Any:
    return api.post(SESSIONS, json=body)


def execute(settings: Settings, statement: str) -> list[Any]:
    with session_scope(settings) as session:
        found = session.execute(text(statement))
        return list(found) if found.returns_rows else []


def test_a_password_opens_a_session(anonymous: TestClient, settings: Settings) -> None:
    account = add_with_password(settings)
    answer = sign_in(anonymous, email="ADA@example.org", password=GOOD)
    assert answer.status_code == 204, answer.text
    assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=lax" in answer.headers["set-cookie"]
    session = anonymous.get("/api/v1/session").json()
    assert (session["account"]["id"], session["team"]["id"]) == (account, DEFAULT_TEAM)
    assert [entry["method"] for entry in anonymous.get(SESSIONS).json()["data"]] == ["password"]
    (entry,) = audit(settings)
    assert (entry.action, entry.actor, entry.status) == ("createSession", "Ada", 204)
    assert entry.account_id == account


def test_a_password_is_the_same_however_it_was_typed(anonymous: TestClient, settings: Settings) -> None:
    set_password(settings, add_account(settings), password="Zoë’s ﬁve anvils")
    composed, decomposed = "Zo\u00eb’s five anvils", "Zoe\u0308’s five anvils"
    assert sign_in(anonymous, email=EMAIL, password=composed).status_code == 204
    assert sign_in(anonymous, email=EMAIL, password=decomposed).status_code == 204
    problem_of(sign_in(anonymous, email=EMAIL, password=decomposed.upper()), 401, "wrong_credentials")


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({}, "/link", "missing"),
        ({"email": EMAIL}, "/password", "missing"),
        ({"password": GOOD}, "/email", "missing"),
        ({"link": "x", "email": EMAIL}, "/email", "two_kinds"),
        ({"link": "x", "password": GOOD}, "/password", "two_kinds"),
        ({"link": "x", "code": "123456"}, "/code", "two_kinds"),
        ({"code": "123456"}, "/link", "missing"),
        (RIGHT | {"password": "x" * 257}, "/password", "string_too_long"),
        (RIGHT | {"password": ["x"]}, "/password", "string_type"),
        (RIGHT | {"email": "ada"}, "/email", "string_pattern_mismatch"),
        (RIGHT | {"email": "ada@\u0000"}, "/email", "string_pattern_mismatch"),
        (RIGHT | {"account_id": "acc_1"}, "/account_id", "unknown_field"),
    ],
)
def test_a_request_has_one_kind_of_credentials(
    anonymous: TestClient, body: dict[str, Any], pointer: str, code: str
) -> None:
    problem = problem_of(sign_in(anonymous, **body), 422, code)
    assert [each["pointer"] for each in problem["errors"]] == [pointer]
    assert GOOD not in str(problem)


def refused(api: TestClient, **body: Any) -> tuple[int, dict[str, Any], dict[str, str]]:
    """Status, body and headers of an answer, without what names the request."""
    answer = sign_in(api, **body)
    found = {name: value for name, value in answer.json().items() if name != "instance"}
    headers = {name: value for name, value in answer.headers.items() if name != "x-request-id"}
    return answer.status_code, found, headers


def test_nothing_says_whether_an_address_has_an_account(
    anonymous: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_with_password(settings)
    with_link_only = add_account(settings, name="Grace")
    execute(settings, f"UPDATE account SET email = 'grace@example.org' WHERE id = '{with_link_only}'")
    calls = count_hashes(monkeypatch)
    found = []
    for email in (EMAIL, "grace@example.org", "nobody@example.org"):
        answers = [refused(anonymous, email=email, password="not this one at all") for _ in range(7)]
        found.append((answers, dict(calls)))
        calls.clear()
    known, without_password, unknown = found
    assert known == unknown and without_password == unknown
    answers, work = known
    assert work == {"verify": FREE_FAILURES}, "a pause costs no hash"
    assert [status for status, _, _ in answers] == [401] * FREE_FAILURES + [429] * 2
    assert answers[0][1]["code"] == "wrong_credentials"
    assert answers[-1][1]["code"] == "sign_in_paused" and answers[-1][2]["retry-after"] == "30"


def test_the_database_does_the_same_whether_or_not_an_address_has_an_account(
    anonymous: TestClient, settings: Settings
) -> None:
    """A statement more, or the lock of a row, is seen in the time of 50 answers."""
    add_with_password(settings)
    sent = []
    for email in (EMAIL, "nobody@example.org"):
        for attempt in range(FREE_FAILURES + 1):
            with statements() as found:
                assert sign_in(anonymous, email=email, password="wrong one").status_code in (401, 429)
            assert not any("FOR SHARE" in one or "FOR UPDATE OF account" in one for one in found)
            sent.append(
                (attempt, [one for one in found if not one.startswith("INSERT INTO audit")], len(found))
            )
    known, unknown = sent[: FREE_FAILURES + 1], sent[FREE_FAILURES + 1 :]
    assert known == unknown


def test_attempts_during_a_pause_are_counted_too(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("throttled.utils.now_mono_f", lambda: 1000.0)
    add_with_password(settings)
    strict = settings.model_copy(update={"rate_secret_guesses": "1/h burst 8", "rate_address_writes": "off"})
    with TestClient(create_app(strict), base_url=BASE, client=("203.0.113.9", 50000)) as stranger:
        codes = [sign_in(stranger, **WRONG).json()["code"] for _ in range(10)]
    assert codes == ["wrong_credentials"] * 5 + ["sign_in_paused"] * 3 + ["rate_limited"] * 2


def test_the_hash_of_nobody_has_the_parameters_of_today() -> None:
    assert not hashing.is_outdated(hashing.NOBODYS)
    assert not hashing.matches(None, GOOD)
    assert "$argon2id$v=19$m=19456,t=2,p=1$" in hashing.hashed(GOOD)


def pause_of(settings: Settings, failures: int) -> int:
    """The seconds that the attempt after so many wrong ones has to wait."""
    execute(settings, f"UPDATE password_failure SET failures = {failures}, failed_at = clock_timestamp()")
    with session_scope(settings) as session:
        return passwords.begin_attempt(session, EMAIL)


def test_pauses_grow_up_to_a_bound_and_end(anonymous: TestClient, settings: Settings) -> None:
    add_with_password(settings)
    problem_of(sign_in(anonymous, **WRONG), 401, "wrong_credentials")
    lengths = [pause_of(settings, failures) for failures in (4, 5, 6, 7, 10, 11, 10_000)]
    assert lengths == [0, 30, 60, 120, 960, 960, 960]
    paused = problem_of(sign_in(anonymous, **RIGHT), 429, "sign_in_paused")
    assert "960 s" in paused["detail"], "the right password too, and the answer says when to try again"
    execute(settings, "UPDATE password_failure SET failed_at = clock_timestamp() - interval '961 s'")
    assert sign_in(anonymous, **RIGHT).status_code == 204
    assert execute(settings, "SELECT * FROM password_failure") == []


def test_a_pause_is_of_one_address_alone(anonymous: TestClient, settings: Settings) -> None:
    account = add_with_password(settings)
    for _ in range(FREE_FAILURES):
        problem_of(sign_in(anonymous, **WRONG), 401, "wrong_credentials")
    problem_of(sign_in(anonymous, **RIGHT), 429, "sign_in_paused")
    add_with_password(settings, "grace@example.org", "Grace")
    assert sign_in(anonymous, email="grace@example.org", password=GOOD).status_code == 204
    assert sign_in(anonymous, link=sign_in_link(settings, account)).status_code == 204
    entries = [(entry.code, entry.actor, entry.object) for entry in audit(settings)]
    assert entries[0] == ("wrong_credentials", "anonymous", account)
    assert entries[FREE_FAILURES] == ("sign_in_paused", "anonymous", account)


def test_wrong_passwords_at_the_same_time_are_all_counted(settings: Settings) -> None:
    def attempt(_: int) -> int:
        with session_scope(settings) as session:
            return passwords.begin_attempt(session, EMAIL)

    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(attempt, range(24)))
    assert waits.count(0) == FREE_FAILURES


def test_old_failures_are_forgotten(settings: Settings) -> None:
    assert pause_of(settings, 1) == 0
    execute(settings, "UPDATE password_failure SET failures = 99, failed_at = now() - interval '25 hours'")
    with session_scope(settings) as session:
        assert passwords.begin_attempt(session, "other@example.org") == 0
    assert [row.failures for row in execute(settings, "SELECT * FROM password_failure")] == [1]


def test_every_sign_in_has_a_new_session_and_ends_the_one_before(
    anonymous: TestClient, settings: Settings
) -> None:
    account = add_with_password(settings)
    headers = browser_headers(settings, account)
    given = {"Cookie": headers["Cookie"]}
    answer = anonymous.post(SESSIONS, json=RIGHT, headers=given)
    assert answer.status_code == 204
    new = anonymous.cookies[cookie_name(settings)]
    assert new not in headers["Cookie"]
    anonymous.cookies.clear()
    problem_of(anonymous.get("/api/v1/session", headers=given), 401, "unauthenticated")
    fixed = {"Cookie": f"{cookie_name(settings)}=chosen-by-somebody-else"}
    assert anonymous.post(SESSIONS, json=RIGHT, headers=fixed).status_code == 204
    problem_of(anonymous.get("/api/v1/session", headers=fixed), 401, "unauthenticated")


@pytest.mark.parametrize("cookie", ["x", "x" * 200, "a" * 43, "%00", "plm_old", "é"])
def test_a_cookie_of_an_older_release_is_signed_out(
    anonymous: TestClient, settings: Settings, cookie: str
) -> None:
    headers = {"Cookie": f"{cookie_name(settings)}={cookie}".encode()}
    problem_of(anonymous.get("/api/v1/session", headers=headers), 401, "unauthenticated")
    add_with_password(settings)
    assert anonymous.post(SESSIONS, json=RIGHT, headers=headers).status_code == 204


def test_a_hash_of_older_parameters_is_renewed(anonymous: TestClient, settings: Settings) -> None:
    account = add_with_password(settings)
    old = argon2.PasswordHasher(time_cost=1, memory_cost=8_192, parallelism=1).hash(GOOD)
    with session_scope(settings) as session:
        passwords.store(session, account, old)
    problem_of(sign_in(anonymous, **WRONG), 401, "wrong_credentials")
    assert sign_in(anonymous, **RIGHT).status_code == 204
    ((stored,),) = execute(settings, "SELECT password_hash FROM account")
    assert stored != old and not hashing.is_outdated(stored)
    assert sign_in(anonymous, **RIGHT).status_code == 204


def test_a_damaged_hash_signs_nobody_in(anonymous: TestClient, settings: Settings) -> None:
    add_with_password(settings)
    execute(settings, "UPDATE account SET password_hash = 'x'")
    problem_of(sign_in(anonymous, **RIGHT), 401, "wrong_credentials")


def test_a_disabled_account_learns_so_by_its_right_password_alone(
    anonymous: TestClient, settings: Settings
) -> None:
    add_with_password(settings)
    execute(settings, "UPDATE account SET disabled_at = now()")
    problem_of(sign_in(anonymous, **WRONG), 401, "wrong_credentials")
    problem_of(sign_in(anonymous, **RIGHT), 403, "account_disabled")


def test_a_password_that_changes_during_the_sign_in_opens_nothing(
    anonymous: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = add_with_password(settings)
    verify = hashing.matches

    def changed_meanwhile(stored: str | None, password: str) -> bool:
        set_password(settings, account, password="another password of many words")
        return verify(stored, password)

    monkeypatch.setattr(hashing, "matches", changed_meanwhile)
    problem_of(sign_in(anonymous, **RIGHT), 401, "wrong_credentials")
    assert execute(settings, "SELECT * FROM browser_session") == []


def enrol(settings: Settings, account: str) -> tuple[pyotp.TOTP, tuple[str, ...]]:
    """An app with a confirmed secret; the code of the present time step has not been used."""
    with session_scope(settings) as session:
        enrolment = second_factor.begin(session, account, EMAIL)
        assert enrolment is not None
        codes = second_factor.confirm(session, account, pyotp.TOTP(enrolment.secret).now())
        session.execute(text("UPDATE second_factor SET last_step = 0"))
    assert codes is not None
    return pyotp.TOTP(enrolment.secret), codes


def test_a_second_factor_is_needed_with_a_password_alone(anonymous: TestClient, settings: Settings) -> None:
    account = add_with_password(settings)
    app, codes = enrol(settings, account)
    problem_of(sign_in(anonymous, **RIGHT), 401, "second_factor_required")
    problem_of(sign_in(anonymous, **RIGHT, code="x"), 401, "second_factor_wrong")
    problem_of(sign_in(anonymous, **WRONG, code=app.now()), 401, "wrong_credentials")
    assert "set-cookie" not in sign_in(anonymous, **RIGHT).headers
    code = app.now()
    assert sign_in(anonymous, **RIGHT, code=code).status_code == 204
    ((proved,),) = execute(settings, "SELECT second_factor_at IS NOT NULL FROM browser_session")
    assert proved
    problem_of(sign_in(anonymous, **RIGHT, code=code), 401, "second_factor_wrong")
    assert sign_in(anonymous, **RIGHT, code=codes[0]).status_code == 204
    assert sign_in(anonymous, link=sign_in_link(settings, account)).status_code == 204


def test_wrong_codes_are_counted_although_they_are_refused(anonymous: TestClient, settings: Settings) -> None:
    _, codes = enrol(settings, add_with_password(settings))
    for _ in range(5):
        problem_of(sign_in(anonymous, **RIGHT, code="x"), 401, "second_factor_wrong")
    answer = sign_in(anonymous, **RIGHT, code=codes[0])
    problem_of(answer, 429, "sign_in_paused")
    assert answer.headers["retry-after"] == "300"


def test_asking_for_the_code_is_no_wrong_secret_of_the_address(settings: Settings) -> None:
    enrol(settings, add_with_password(settings))
    strict = settings.model_copy(update={"rate_secret_guesses": "1/h burst 2"})
    with TestClient(create_app(strict), base_url=BASE) as api:
        for _ in range(4):
            problem_of(sign_in(api, **RIGHT), 401, "second_factor_required")
        for _ in range(2):
            problem_of(sign_in(api, **WRONG), 401, "wrong_credentials")
        problem_of(sign_in(api, **RIGHT), 429, "rate_limited")


def test_sign_ins_beyond_the_bound_are_refused_and_others_served(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = add_with_password(settings)
    calls = count_hashes(monkeypatch)
    app = create_app(settings)
    with TestClient(app, base_url=BASE) as api:
        app.state.password_slots = ConcurrencyLimit(at_once=0, queued=0)
        answer = sign_in(api, **RIGHT)
        problem_of(answer, 503, "overloaded")
        assert answer.headers["retry-after"] == "5"
        assert not calls and execute(settings, "SELECT * FROM password_failure") == []
        assert sign_in(api, link=sign_in_link(settings, account)).status_code == 204
        assert api.get("/api/v1/runs").status_code == 200


def test_one_hash_is_computed_at_a_time(anonymous: TestClient, settings: Settings) -> None:
    add_with_password(settings)
    running, most = [0], [0]
    verify = hashing.HASHER.verify

    class Watched:
        def verify(self, stored: str, password: str) -> bool:
            running[0] += 1
            most[0] = max(most[0], running[0])
            try:
                return verify(stored, password)
            finally:
                running[0] -= 1

        def check_needs_rehash(self, stored: str) -> bool:
            return False

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(12) as pool:
        patch.setattr(hashing, "HASHER", Watched())
        statuses = list(pool.map(lambda _: sign_in(anonymous, **RIGHT).status_code, range(12)))
    assert most == [hashing.AT_ONCE] and set(statuses) == {204}
