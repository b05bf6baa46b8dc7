"""Identities at an OpenID Connect provider, and the accounts that they sign in to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.orm import Session

from backend.store.models import Account, ExternalIdentity, OneTimeLink


@dataclass(frozen=True)
class LinkedAccount:
    """The account of an identity."""

    id: str
    name: str
    disabled: bool


def account_of(session: Session, issuer: str, subject: str) -> LinkedAccount | None:
    """The account that this identity signs in to, or None."""
    row = session.execute(
        select(Account.id, Account.name, Account.disabled_at)
        .join(ExternalIdentity, ExternalIdentity.account_id == Account.id)
        .where(ExternalIdentity.issuer == issuer, ExternalIdentity.subject == subject)
    ).one_or_none()
    return None if row is None else LinkedAccount(row.id, row.name, row.disabled_at is not None)


def lock(session: Session, issuer: str, subject: str) -> None:
    """Let only one transaction at a time decide about an identity."""
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"{issuer} {subject}", 0))))


def add(session: Session, issuer: str, subject: str, account_id: str, email: str | None) -> None:
    """Let an identity sign in to an account."""
    session.execute(
        insert(ExternalIdentity).values(issuer=issuer, subject=subject, account_id=account_id, email=email)
    )


@dataclass(frozen=True)
class ListedIdentity:
    """One identity of an account; `email` is what the provider stated last."""

    id: str
    issuer: str
    email: str | None
    created_at: datetime
    last_used_at: datetime


_public_id: Final[ColumnElement[str]] = func.concat(
    "idn_",
    func.left(
        func.encode(
            func.sha256(
                func.convert_to(func.concat(ExternalIdentity.issuer, "\n", ExternalIdentity.subject), "UTF8")
            ),
            "hex",
        ),
        16,
    ),
)
"""The public id: it follows from issuer and subject, which may be long and are nobody's business."""


def listed(session: Session, account_id: str) -> list[ListedIdentity]:
    """The identities of an account, oldest first."""
    query = select(
        _public_id,
        ExternalIdentity.issuer,
        ExternalIdentity.email,
        ExternalIdentity.created_at,
        ExternalIdentity.last_used_at,
    ).where(ExternalIdentity.account_id == account_id)
    return [ListedIdentity(*row) for row in session.execute(query.order_by(ExternalIdentity.created_at))]


def has_password(session: Session, account_id: str) -> bool:
    """Whether an account has a password. Locks the account: of two ways to sign in, one remains."""
    query = select(Account.password_hash.is_not(None)).where(Account.id == account_id)
    return session.scalar(query.with_for_update()) is True


def unlink(session: Session, account_id: str, identity_id: str) -> None:
    """Remove an identity of an account."""
    session.execute(
        delete(ExternalIdentity).where(ExternalIdentity.account_id == account_id, _public_id == identity_id)
    )


def touch(session: Session, issuer: str, subject: str, email: str | None) -> None:
    """Write the time of a sign-in, and the address that the provider stated."""
    session.execute(
        update(ExternalIdentity)
        .where(ExternalIdentity.issuer == issuer, ExternalIdentity.subject == subject)
        .values(last_used_at=func.clock_timestamp(), email=email)
    )


def has_email(session: Session, email: str) -> bool:
    """Whether an account has this email address."""
    query = select(Account.id).where(func.lower(Account.email) == email.lower())
    return session.scalar(query) is not None


def has_verified(session: Session, account_id: str, email: str) -> bool:
    """Whether a provider states this address, verified, for an identity that signs in to the account."""
    query = select(ExternalIdentity.account_id).where(
        ExternalIdentity.account_id == account_id, func.lower(ExternalIdentity.email) == func.lower(email)
    )
    return session.scalar(query.limit(1)) is not None


def take_invitations(session: Session, email: str) -> dict[str, str]:
    """Use up the open invitations to an email address; returns the roles by team."""
    rows = session.execute(
        update(OneTimeLink)
        .where(
            OneTimeLink.kind == "invitation",
            func.lower(OneTimeLink.email) == email.lower(),
            OneTimeLink.used_at.is_(None),
            OneTimeLink.revoked_at.is_(None),
            OneTimeLink.expires_at > func.clock_timestamp(),
        )
        .values(used_at=func.clock_timestamp())
        .returning(OneTimeLink.team_id, OneTimeLink.role)
    )
    return {row.team_id: row.role for row in rows}
