"""Wrong passwords, counted."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class PasswordFailure(Base):
    """Attempts since the last right password, by the SHA-256 of the email address that was given.

    Those from a browser in which the account was signed in before are counted apart, by address and browser.
    Whether an account has the address makes no difference. An attempt in progress counts as a wrong one.
    """

    __tablename__ = "password_failure"

    subject_sha256: Mapped[str] = mapped_column(primary_key=True)
    failures: Mapped[int]
    failed_at: Mapped[datetime] = mapped_column(index=True)
