"""The answers to requests that carried an Idempotency-Key."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class IdempotencyKey(Base):
    """One key, what it was first sent with, and the answer, written in the transaction of the work."""

    __tablename__ = "idempotency_key"

    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[str]
    run_id: Mapped[str]
    answer: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
