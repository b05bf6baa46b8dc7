"""One cell in one round: the unit of work, and a row of the queue."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Trial(Base):
    """One trial. `fence` counts its claims; `lease_until` is set by a claim, from the database's clock.

    `quality` is that of its record (`core.plan.matrix`); null where it has none, or nothing happened.
    """

    __tablename__ = "trial"
    __table_args__ = (
        UniqueConstraint("run_id", "cell_id", "round"),
        UniqueConstraint("run_id", "seq"),
        CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled', 'spared')", name="state"
        ),
        CheckConstraint("(state = 'running') = (lease_until IS NOT NULL)", name="lease"),
        CheckConstraint("(state = 'failed') = (failure_code IS NOT NULL)", name="failure"),
        CheckConstraint("quality IN ('retaken', 'contaminated', 'invalid')", name="quality"),
        Index(
            "ix_trial_queue",
            "host_id",
            "created_at",
            "run_id",
            "seq",
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    host_id: Mapped[str] = mapped_column(ForeignKey("host.id"))
    cell_id: Mapped[str]
    round: Mapped[int]
    position: Mapped[int]
    seq: Mapped[int]
    levels: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(server_default="queued")
    fence: Mapped[int] = mapped_column(server_default="0")
    attempts: Mapped[int] = mapped_column(server_default="0")
    worker: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    failure_code: Mapped[str | None]
    failure_detail: Mapped[str | None]
    quality: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
