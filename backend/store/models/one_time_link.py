"""Links that work once: sign-in and invitation."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class OneTimeLink(Base):
    """One link. Only the SHA-256 of its token is stored.

    A sign-in link has an account; an invitation has a team and a role, and optionally the email address that
    the new account gets.
    """

    __tablename__ = "one_time_link"
    __table_args__ = (
        CheckConstraint("kind IN ('sign_in', 'invitation')", name="kind"),
        CheckConstraint("(kind = 'sign_in') = (account_id IS NOT NULL)", name="account"),
        CheckConstraint(
            "(kind = 'invitation') = (team_id IS NOT NULL AND role IS NOT NULL)", name="invitation"
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    token_sha256: Mapped[str] = mapped_column(unique=True)
    account_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    team_id: Mapped[str | None] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), index=True)
    role: Mapped[str | None]
    email: Mapped[str | None]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
