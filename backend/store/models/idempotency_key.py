"""Responses to requests with an Idempotency-Key."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class IdempotencyKey(Base):
    """One key of a team, the fingerprint of its first request, and the response, in the same transaction."""

    __tablename__ = "idempotency_key"

    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[str]
    run_id: Mapped[str]
    answer: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
