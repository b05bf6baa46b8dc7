"""Enrolments, with which a host joins this server, and the tokens that hosts get for them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Enrolment(Base):
    """Leave for one host to join, once, until it expires. Only the SHA-256 of its secret is stored.

    With `host_name`, only a host of this name may use it. `nonce_sha256` is of the request that used it: the
    same request again, its answer lost, gets a new token for a short time.
    """

    __tablename__ = "enrolment"
    __table_args__ = (
        CheckConstraint("(used_at IS NULL) = (nonce_sha256 IS NULL)", name="use"),
        CheckConstraint("host_id IS NULL OR used_at IS NOT NULL", name="host"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    secret_sha256: Mapped[str] = mapped_column(unique=True)
    prefix: Mapped[str]
    note: Mapped[str] = mapped_column(server_default="")
    host_name: Mapped[str | None]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    nonce_sha256: Mapped[str | None]
    host_id: Mapped[str | None] = mapped_column(ForeignKey("host.id", ondelete="SET NULL"))
    revoked_at: Mapped[datetime | None]


class HostToken(Base):
    """The credential of one enrolled host's worker. Only its SHA-256 and its first characters are stored."""

    __tablename__ = "host_token"

    id: Mapped[str] = mapped_column(primary_key=True)
    host_id: Mapped[str] = mapped_column(ForeignKey("host.id", ondelete="CASCADE"), index=True)
    enrolment_id: Mapped[str | None] = mapped_column(ForeignKey("enrolment.id", ondelete="SET NULL"))
    token_sha256: Mapped[str] = mapped_column(unique=True)
    prefix: Mapped[str]
    address: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
