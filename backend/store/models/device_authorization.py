"""Device authorizations: a command line that waits until somebody signs it in with a browser."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Text, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class DeviceAuthorization(Base):
    """One authorization (RFC 8628), from its start until its token is delivered or it is deleted as old.

    Of the device code only its SHA-256 is stored. `scopes` and `client_name` are what the client says;
    `account_id`, `team_id`, `granted` and `lifetime_days` are what somebody approved. `network` is what
    is counted as one client. There is no token before the client fetches it.
    """

    __tablename__ = "device_authorization"
    __table_args__ = (
        CheckConstraint("decision IN ('approved', 'denied')", name="decision"),
        CheckConstraint(
            "decision IS DISTINCT FROM 'approved'"
            " OR (account_id IS NOT NULL AND team_id IS NOT NULL AND granted IS NOT NULL)",
            name="approval",
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    device_code_sha256: Mapped[str] = mapped_column(unique=True)
    user_code: Mapped[str] = mapped_column(unique=True)
    client_name: Mapped[str]
    address: Mapped[str]
    network: Mapped[str] = mapped_column(index=True)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    expires_at: Mapped[datetime] = mapped_column(index=True)
    interval_s: Mapped[int]
    polled_at: Mapped[datetime | None]
    decision: Mapped[str | None]
    account_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    team_id: Mapped[str | None] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    granted: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    lifetime_days: Mapped[int | None]
