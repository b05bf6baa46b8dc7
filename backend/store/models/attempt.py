"""The log of claims and their outcomes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Attempt(Base):
    """One log entry: a worker claimed a trial, or that attempt ended with an outcome.

    Append-only: triggers refuse UPDATE, and DELETE while the trial exists.
    """

    __tablename__ = "attempt"
    __table_args__ = (
        CheckConstraint("entry IN ('claimed', 'ended')", name="entry"),
        CheckConstraint("(entry = 'ended') = (outcome IS NOT NULL)", name="outcome"),
    )

    trial_id: Mapped[str] = mapped_column(ForeignKey("trial.id", ondelete="CASCADE"), primary_key=True)
    fence: Mapped[int] = mapped_column(primary_key=True)
    entry: Mapped[str] = mapped_column(primary_key=True)
    worker: Mapped[str]
    outcome: Mapped[str | None]
    detail: Mapped[str | None]
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
