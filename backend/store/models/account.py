"""Accounts: the people who sign in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Account(Base):
    """One person.

    `password_hash` is null for an account that signs in by links or by another provider only.
    `installation_admin` may create teams and accounts. A disabled account cannot sign in, and its sessions
    and tokens are refused.
    """

    __tablename__ = "account"
    __table_args__ = (Index("uq_account_email", text("lower(email)"), unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    email: Mapped[str | None]
    password_hash: Mapped[str | None]
    installation_admin: Mapped[bool] = mapped_column(server_default="false")
    disabled_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
