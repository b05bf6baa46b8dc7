"""Checks a one-time link or a password, and opens a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from backend.api.errors import (
    Forbidden,
    Paused,
    SecondFactorRequired,
    SecondFactorWrong,
    WrongCredentials,
)
from backend.api.identity import second_factor
from backend.api.passwords import hashing
from backend.api.passwords.rules import normalised
from backend.api.sessions.service import Browser, Opened, open_session
from backend.api.sign_in.schemas import SignIn
from backend.core.errors import Invalid, PlimsollError
from backend.settings import Settings
from backend.store.repositories import accounts, passwords, second_factors
from backend.store.repositories.accounts import Subject
from backend.store.repositories.passwords import StoredPassword
from backend.store.secrets import digest
from backend.store.session import session_scope

NOBODY: Final = f"acc_{'0' * 16}"
_KINDS: Final = "send either link, or email and password"


@dataclass(frozen=True)
class Credentials:
    """Email address and password, normalised; `code` of the second factor, if one was given."""

    email: str
    password: str
    code: str | None


@dataclass(frozen=True)
class Refused:
    """A sign-in that failed: the answer, and for the audit log the account that it was for."""

    error: PlimsollError
    subject: Subject | None


def credentials(given: SignIn) -> Credentials | str:
    """The password or the link of a request. Raises Invalid unless it has exactly one of the two kinds."""
    if given.link is not None:
        for name in ("email", "password", "code"):
            if getattr(given, name) is not None:
                raise Invalid.at(f"/{name}", "two_kinds", _KINDS)
        return given.link
    if given.email is None and given.password is None:
        raise Invalid.at("/link", "missing", _KINDS)
    if given.email is None:
        raise Invalid.at("/email", "missing", "the email address of the account")
    if given.password is None:
        raise Invalid.at("/password", "missing", "the password of the account")
    return Credentials(given.email, normalised(given.password), given.code)


def by_link(settings: Settings, link: str, browser: Browser) -> Opened:
    """Use up a one-time link and open a session. Raises Gone."""
    with session_scope(settings) as session:
        account_id = accounts.use_sign_in_link(session, digest(link))
        return open_session(session, account_id, "link", browser)


def by_password(settings: Settings, given: Credentials, browser: Browser) -> Opened | Refused:
    """Open a session if the password is right, and the code where one is needed.

    For an address without an account the steps, their statements and the answers are the same, and no row is
    locked. No transaction is open while the hash is computed.
    """
    with session_scope(settings) as session:
        attempts = passwords.attempts_subject(session, given.email, digest(browser.device))
        pause_s = passwords.begin_attempt(session, attempts)
        account = passwords.by_email(session, given.email)
        subject = accounts.named(session, NOBODY if account is None else account.account_id)
    if pause_s:
        return Refused(Paused("wrong passwords", pause_s), subject)
    stored = None if account is None else account.hash
    if not hashing.matches(stored, given.password) or account is None or stored is None:
        return Refused(WrongCredentials(), subject)
    renewed = hashing.hashed(given.password) if hashing.is_outdated(stored) else None
    with session_scope(settings) as session:
        passwords.end_attempts(session, attempts)
        now = passwords.lock(session, account.account_id)
        if now is None or now.hash != stored:  # changed meanwhile
            return Refused(WrongCredentials(), subject)
        if renewed is not None:
            passwords.store(session, account.account_id, renewed)
        refusal, proved = _second_step(session, now, given.code)
        if refusal is not None:
            return Refused(refusal, subject)
        return open_session(session, account.account_id, "password", browser, proved)


def _second_step(
    session: Session, account: StoredPassword, code: str | None
) -> tuple[PlimsollError | None, bool]:
    """Why an account does not sign in with its right password, or None; and whether a code was accepted.

    A wrong code is counted.
    """
    if account.is_disabled:
        return Forbidden("account_disabled", "this account is disabled: ask an administrator"), False
    if not second_factor.is_required(session, account.account_id):
        return None, False
    if code is None:
        return SecondFactorRequired(), False
    answer = second_factor.check(session, account.account_id, code)
    if answer == "paused":
        return Paused("wrong codes", int(second_factors.PAUSE.total_seconds())), False
    return (None, True) if answer == "accepted" else (SecondFactorWrong(), False)
