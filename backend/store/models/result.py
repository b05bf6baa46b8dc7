"""The result of a trial."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Result(Base):
    """One TrialRecord; `fence` identifies the attempt, `sha256` its spool file.

    For an imported run an ImportedRecord, which has no evidence and no attempt: fence 0.
    """

    __tablename__ = "result"
    __table_args__ = (UniqueConstraint("trial_id"),)

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    cell_id: Mapped[str] = mapped_column(primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    trial_id: Mapped[str] = mapped_column(ForeignKey("trial.id", ondelete="CASCADE"))
    fence: Mapped[int]
    sha256: Mapped[str]
    metrics: Mapped[dict[str, Any]]
    evidence_verdict: Mapped[str | None]
    payload: Mapped[dict[str, Any]]
    recorded_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
