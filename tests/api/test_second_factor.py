"""Codes of an authenticator app, made by pyotp as an app makes them, and recovery codes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pyotp
import pytest
from sqlalchemy import text

from backend.api.identity import second_factor
from backend.api.identity.second_factor import Answer
from backend.settings import Settings
from backend.store.repositories import second_factors
from backend.store.session import session_scope
from tests.accounts import add_account

NOW = 1_800_000_000.0


@pytest.fixture
def account(settings: Settings) -> str:
    return add_account(settings)


def enrol(settings: Settings, account: str) -> tuple[pyotp.TOTP, tuple[str, ...]]:
    """An app with the secret, confirmed one minute before NOW."""
    with session_scope(settings) as session:
        enrolment = second_factor.begin(session, account, "ada@example.org")
        assert enrolment is not None
    app = pyotp.TOTP(enrolment.secret)
    with session_scope(settings) as session:
        codes = second_factor.confirm(session, account, app.at(NOW - 60), lambda: NOW - 60)
    assert codes is not None
    return app, codes


def check(settings: Settings, account: str, code: str, now: float = NOW) -> Answer:
    with session_scope(settings) as session:
        return second_factor.check(session, account, code, lambda: now)


def test_it_is_required_once_a_code_has_confirmed_it(settings: Settings, account: str) -> None:
    with session_scope(settings) as session:
        enrolment = second_factor.begin(session, account, "ada@example.org")
        assert enrolment is not None and not second_factor.is_required(session, account)
    parsed = pyotp.parse_uri(enrolment.url)
    assert (parsed.secret, parsed.issuer, parsed.name) == (enrolment.secret, "Plimsoll", "ada@example.org")
    picture = ElementTree.fromstring(enrolment.svg)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert enrolment.svg.count("http") == 1 and "style" not in enrolment.svg
    with session_scope(settings) as session:
        assert second_factor.confirm(session, account, "000000x", lambda: NOW) is None
        assert not second_factor.is_required(session, account)
    app, codes = enrol(settings, account)
    with session_scope(settings) as session:
        assert second_factor.is_required(session, account)
        assert second_factor.begin(session, account, "ada") is None
        assert second_factor.confirm(session, account, app.at(NOW), lambda: NOW) is None
    assert len(set(codes)) == second_factor.RECOVERY_CODES
    with session_scope(settings) as session:
        stored = str(session.execute(text("SELECT recovery_sha256 FROM second_factor")).scalar_one())
    assert not any(code in stored for code in codes)


def test_a_code_is_accepted_once(settings: Settings, account: str) -> None:
    app, _ = enrol(settings, account)
    assert check(settings, account, app.at(NOW)) == "accepted"
    assert check(settings, account, app.at(NOW)) == "wrong"
    assert check(settings, account, app.at(NOW - 30)) == "wrong", "older than the accepted one"
    assert check(settings, account, app.at(NOW + 30)) == "accepted"


def test_the_code_of_the_enrolment_does_not_sign_in(settings: Settings, account: str) -> None:
    app, _ = enrol(settings, account)
    assert check(settings, account, app.at(NOW - 60), NOW - 60) == "wrong"


def test_of_two_equal_codes_at_once_one_is_accepted(settings: Settings, account: str) -> None:
    app, _ = enrol(settings, account)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: check(settings, account, app.at(NOW)), range(4)))
    assert sorted(answers) == ["accepted", "wrong", "wrong", "wrong"]


@pytest.mark.parametrize(
    ("away", "expected"), [(-60, "wrong"), (-30, "accepted"), (30, "accepted"), (60, "wrong")]
)
def test_clocks_may_differ_by_one_step(settings: Settings, account: str, away: int, expected: str) -> None:
    app, _ = enrol(settings, account)
    assert check(settings, account, app.at(NOW + away)) == expected


def test_a_recovery_code_works_once(settings: Settings, account: str) -> None:
    _, codes = enrol(settings, account)
    assert check(settings, account, f" {codes[3].upper()} ") == "accepted"
    assert check(settings, account, codes[3]) == "wrong"
    assert check(settings, account, codes[4]) == "accepted"
    with session_scope(settings) as session:
        stored = second_factors.lock(session, account)
    assert stored is not None and stored.recovery_codes == 8


def test_guessing_pauses(settings: Settings, account: str) -> None:
    app, codes = enrol(settings, account)
    for _ in range(second_factors.MAX_FAILURES):
        assert check(settings, account, "12345") == "wrong"
    assert check(settings, account, app.at(NOW)) == "paused"
    assert check(settings, account, codes[0]) == "paused"
    with session_scope(settings) as session:
        session.execute(text("UPDATE second_factor SET failed_at = failed_at - interval '6 min'"))
    assert check(settings, account, "12345") == "wrong"
    assert check(settings, account, app.at(NOW)) == "paused", "one wrong code is enough after a pause"
    with session_scope(settings) as session:
        session.execute(text("UPDATE second_factor SET failed_at = failed_at - interval '6 min'"))
    assert check(settings, account, app.at(NOW)) == "accepted"
    assert check(settings, account, "12345") == "wrong"
    assert check(settings, account, app.at(NOW + 30)) == "accepted"


@pytest.mark.parametrize("code", ["", "0" * 5000, "１２３４５６", "12\u00003456"])
def test_hostile_codes_are_wrong(settings: Settings, account: str, code: str) -> None:
    enrol(settings, account)
    assert check(settings, account, code) == "wrong"


def test_a_factor_that_was_reset_is_gone(settings: Settings, account: str) -> None:
    app, codes = enrol(settings, account)
    with session_scope(settings) as session:
        assert second_factors.remove(session, account) and not second_factors.remove(session, account)
        assert not second_factor.is_required(session, account)
    assert check(settings, account, app.at(NOW)) == check(settings, account, codes[0]) == "wrong"
