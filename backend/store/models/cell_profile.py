"""The CPU profile of a cell of an ended run, and its place in the queue of the run's host."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class CellProfile(Base):
    """One profile that a run asks for: made when the run ends, taken by the worker of its host.

    `seq` orders those of one run. `attempts` counts the claims and is the fence of the last one.
    `reason_code` and `reason` say why none was taken; `profile` is a `core.sample.profile.CellProfile`.
    """

    __tablename__ = "cell_profile"
    __table_args__ = (
        CheckConstraint("state IN ('waiting', 'running', 'taken', 'not_taken')", name="state"),
        CheckConstraint("(state = 'taken') = (profile IS NOT NULL)", name="profile"),
        CheckConstraint("(state = 'not_taken') = (reason_code IS NOT NULL)", name="reason"),
        Index(
            "ix_cell_profile_queue",
            "host_id",
            "created_at",
            "run_id",
            "seq",
            postgresql_where=text("state IN ('waiting', 'running')"),
        ),
    )

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    cell_id: Mapped[str] = mapped_column(primary_key=True)
    host_id: Mapped[str] = mapped_column(ForeignKey("host.id"))
    seq: Mapped[int]
    levels: Mapped[dict[str, Any]]
    replica: Mapped[int] = mapped_column(server_default="0")
    state: Mapped[str] = mapped_column(server_default="waiting")
    attempts: Mapped[int] = mapped_column(server_default="0")
    reason_code: Mapped[str | None]
    reason: Mapped[str | None]
    profile: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    ended_at: Mapped[datetime | None]
