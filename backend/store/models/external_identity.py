"""Identities at an OpenID Connect provider that sign in to an account."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class ExternalIdentity(Base):
    """One person at one provider: issuer and subject identify it, and nothing else does.

    `email` is what the provider said at the last sign-in, for display only.
    """

    __tablename__ = "external_identity"

    issuer: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
    email: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    last_used_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
