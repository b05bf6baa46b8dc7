"""Second factors: enrolment, and codes that are accepted once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, SQLColumnExpression, delete, exists, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from backend.store.models import BrowserSession, ExternalIdentity, SecondFactor

MAX_FAILURES: Final = 5
PAUSE: Final = timedelta(minutes=5)


@dataclass(frozen=True)
class StoredFactor:
    """An account's second factor; `is_paused` after MAX_FAILURES wrong codes, until PAUSE has passed."""

    secret: str
    last_step: int
    is_confirmed: bool
    is_paused: bool
    recovery_codes: int


@dataclass(frozen=True)
class FactorState:
    """Since when an account has a second factor, and how many recovery codes are left."""

    confirmed_at: datetime
    recovery_codes: int


def state(session: Session, account_id: str) -> FactorState | None:
    """The confirmed second factor of an account, or None."""
    row = session.execute(
        select(SecondFactor.confirmed_at, func.cardinality(SecondFactor.recovery_sha256)).where(
            SecondFactor.account_id == account_id, SecondFactor.confirmed_at.is_not(None)
        )
    ).one_or_none()
    return None if row is None else FactorState(*row)


def is_present(account_id: SQLColumnExpression[str]) -> ColumnElement[bool]:
    """Whether an account has a confirmed second factor, or signs in by a provider, which has its own."""
    confirmed = exists().where(SecondFactor.account_id == account_id, SecondFactor.confirmed_at.is_not(None))
    linked = exists().where(ExternalIdentity.account_id == account_id)
    return confirmed | linked


def has_any(session: Session, account_id: str) -> bool:
    """`is_present` for one account."""
    return session.scalar(select(is_present(literal(account_id)))) is True


def begin(session: Session, account_id: str, secret: str) -> bool:
    """Store a secret that is not confirmed yet, in place of an earlier one that never was.

    Returns False, and changes nothing, if the account has a confirmed one.
    """
    statement = insert(SecondFactor).values(account_id=account_id, secret=secret)
    changed = statement.on_conflict_do_update(
        index_elements=[SecondFactor.account_id],
        set_={"secret": secret, "last_step": 0},
        where=SecondFactor.confirmed_at.is_(None),
    )
    return session.scalar(changed.returning(SecondFactor.account_id)) is not None


def lock(session: Session, account_id: str) -> StoredFactor | None:
    """The factor of an account, for this transaction alone: of two equal codes at once, one is accepted."""
    row = session.execute(
        select(
            SecondFactor.secret,
            SecondFactor.last_step,
            SecondFactor.confirmed_at.is_not(None),
            func.coalesce(
                (SecondFactor.failures >= MAX_FAILURES)
                & (SecondFactor.failed_at > func.clock_timestamp() - PAUSE),
                False,
            ),
            func.cardinality(SecondFactor.recovery_sha256),
        )
        .where(SecondFactor.account_id == account_id)
        .with_for_update()
    ).one_or_none()
    return None if row is None else StoredFactor(*row)


def confirm(session: Session, account_id: str, step: int, recovery_sha256: list[str]) -> None:
    """From now on the factor is required; the recovery codes replace earlier ones."""
    _set(
        session,
        account_id,
        last_step=step,
        recovery_sha256=recovery_sha256,
        failures=0,
        confirmed_at=func.clock_timestamp(),
    )


def replace_recovery_codes(session: Session, account_id: str, recovery_sha256: list[str]) -> None:
    """Replace the recovery codes."""
    _set(session, account_id, recovery_sha256=recovery_sha256)


def accepted(session: Session, account_id: str, step: int) -> None:
    """A code of this time step was accepted: no code of it or of an earlier one is accepted again."""
    _set(session, account_id, last_step=step, failures=0)


def use_recovery_code(session: Session, account_id: str, code_sha256: str) -> bool:
    """Use up a recovery code; returns whether the account has it."""
    used = session.execute(
        update(SecondFactor)
        .where(
            SecondFactor.account_id == account_id,
            SecondFactor.recovery_sha256.contains([code_sha256]),
        )
        .values(recovery_sha256=func.array_remove(SecondFactor.recovery_sha256, code_sha256), failures=0)
        .returning(SecondFactor.account_id)
    )
    return used.scalar_one_or_none() is not None


def failed(session: Session, account_id: str) -> None:
    """Count a wrong code."""
    _set(session, account_id, failures=SecondFactor.failures + 1, failed_at=func.clock_timestamp())


def remove(session: Session, account_id: str) -> bool:
    """Remove an account's second factor, also from its sessions; returns whether it had one."""
    session.execute(
        update(BrowserSession).where(BrowserSession.account_id == account_id).values(second_factor_at=None)
    )
    found = session.execute(
        delete(SecondFactor).where(SecondFactor.account_id == account_id).returning(SecondFactor.account_id)
    )
    return found.scalar_one_or_none() is not None


def _set(session: Session, account_id: str, **values: object) -> None:
    session.execute(update(SecondFactor).where(SecondFactor.account_id == account_id).values(**values))
