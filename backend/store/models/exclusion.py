"""The log of exclusions of trials by hand."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Exclusion(Base):
    """One entry: somebody excluded a trial for a reason, or included it again. The last one of a trial holds.

    `run_id` is that of the trial. Append-only.
    """

    __tablename__ = "exclusion"
    __table_args__ = (
        CheckConstraint("action IN ('excluded', 'included')", name="action"),
        CheckConstraint("(action = 'excluded') = (reason IS NOT NULL)", name="reason"),
        Index(None, "run_id", "id"),
        Index(None, "trial_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    trial_id: Mapped[str] = mapped_column(ForeignKey("trial.id", ondelete="CASCADE"))
    action: Mapped[str]
    reason: Mapped[str | None]
    by: Mapped[str]
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
