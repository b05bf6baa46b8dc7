"""Passwords of accounts, and the pauses after wrong ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final

from sqlalchemy import ColumnElement, Result, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from backend.store.models import Account, BrowserSession, PasswordFailure

FREE_FAILURES: Final = 5
FIRST_PAUSE_S: Final = 30
DOUBLED: Final = 5
"""How often a pause doubles: the longest one is 16 minutes."""
KEPT: Final = timedelta(days=1)
"""How long after the last wrong password they are forgotten."""
KNOWN_FOR: Final = timedelta(days=180)
"""How long after a sign-in wrong passwords from its browser are counted apart."""

_SELECT: Final = select(
    Account.id, Account.name, Account.email, Account.password_hash, Account.disabled_at.is_not(None)
)


@dataclass(frozen=True)
class StoredPassword:
    """An account with its password's hash, None if it has no password."""

    account_id: str
    name: str
    email: str | None
    hash: str | None
    is_disabled: bool


def by_email(session: Session, email: str) -> StoredPassword | None:
    """The account with this email address, in any case."""
    return _found(session.execute(_SELECT.where(func.lower(Account.email) == func.lower(email))))


def read(session: Session, account_id: str) -> StoredPassword | None:
    """One account."""
    return _found(session.execute(_SELECT.where(Account.id == account_id)))


def lock(session: Session, account_id: str) -> StoredPassword | None:
    """One account, which no other transaction changes meanwhile."""
    return _found(session.execute(_SELECT.where(Account.id == account_id).with_for_update()))


def _found(rows: Result[Any]) -> StoredPassword | None:
    row: Any = rows.one_or_none()
    return None if row is None else StoredPassword(*row)


def store(session: Session, account_id: str, password_hash: str) -> None:
    """Give an account a password."""
    session.execute(update(Account).where(Account.id == account_id).values(password_hash=password_hash))


def attempts_subject(session: Session, email: str, device_sha256: str) -> str:
    """What wrong passwords for an address are counted as, when they come from this browser.

    Those from a browser in which the account was signed in are counted apart: nobody elsewhere can make its
    owner wait. Sessions are found by the browser first, so that the query does the same for every address.
    """
    of_device = (
        select(BrowserSession.account_id)
        .where(
            BrowserSession.device_sha256 == device_sha256,
            BrowserSession.created_at > func.clock_timestamp() - KNOWN_FOR,
        )
        .cte("of_device")
        .prefix_with("MATERIALIZED")
    )
    is_own = select(of_device).join(Account, Account.id == of_device.c.account_id)
    is_known = session.scalar(select(is_own.where(func.lower(Account.email) == func.lower(email)).exists()))
    return f"{email} {device_sha256}" if is_known else email


def begin_attempt(session: Session, subject: str) -> int:
    """Count an attempt as a wrong one until it succeeds; returns 0, or the seconds of a pause.

    During a pause nothing is counted. Attempts at the same time are counted one after the other.
    """
    now = func.clock_timestamp()
    old = select(PasswordFailure.subject_sha256).where(PasswordFailure.failed_at < now - KEPT)
    session.execute(
        delete(PasswordFailure).where(
            PasswordFailure.subject_sha256.in_(old.limit(100).with_for_update(skip_locked=True))
        )
    )
    ends = PasswordFailure.failed_at + _pause()
    key = _key(subject)
    count = session.scalar(
        insert(PasswordFailure)
        .values(subject_sha256=key, failures=1, failed_at=now)
        .on_conflict_do_update(
            index_elements=[PasswordFailure.subject_sha256],
            set_={"failures": PasswordFailure.failures + 1, "failed_at": now},
            where=(PasswordFailure.failures < FREE_FAILURES) | (ends <= now),
        )
        .returning(PasswordFailure.failures)
    )
    if count is not None:
        return 0
    left = session.scalar(
        select(func.extract("epoch", ends - now)).where(PasswordFailure.subject_sha256 == key)
    )
    return max(1, ceil(left or 0))


def end_attempts(session: Session, subject: str) -> None:
    """Forget the wrong passwords: the right one was given."""
    session.execute(delete(PasswordFailure).where(PasswordFailure.subject_sha256 == _key(subject)))


def _pause() -> ColumnElement[Any]:
    times = func.least(PasswordFailure.failures - FREE_FAILURES, DOUBLED)
    return func.make_interval(0, 0, 0, 0, 0, 0, FIRST_PAUSE_S * func.power(2, times))


def _key(subject: str) -> ColumnElement[str]:
    """The SHA-256 in hexadecimal digits; in the database, whose lower() also finds the account."""
    return func.encode(func.sha256(func.convert_to(func.lower(subject), "UTF8")), "hex")
