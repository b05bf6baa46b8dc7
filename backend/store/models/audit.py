"""The audit log: who did what, and what was refused."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Identity, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class AuditEntry(Base):
    """One entry, never changed. It keeps names as text: the objects may be deleted later.

    `actor` is an account's name or "anonymous"; `action` is an operation of the API or a command on the
    server; `object` is the id that the request names, or else of what it created; `created` is the id of
    what it created or queued; `status` and `code` are those of the response.
    """

    __tablename__ = "audit"
    __table_args__ = (
        Index(None, "team_id", "id"),
        Index(None, "team_id", "action", "id"),
        Index(None, "team_id", "account_id", "id"),
        Index(None, "team_id", "at"),
        Index("ix_audit_refused", "team_id", "id", postgresql_where="status >= 400"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    team_id: Mapped[str | None]
    account_id: Mapped[str | None]
    actor: Mapped[str]
    token_prefix: Mapped[str | None]
    action: Mapped[str]
    object: Mapped[str | None]
    created: Mapped[str | None]
    status: Mapped[int]
    code: Mapped[str | None]
    address: Mapped[str]
    request_id: Mapped[str]
