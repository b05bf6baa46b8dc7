"""The events of a run, in order."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Event(Base):
    """One stored event. Ids of one run are committed in order: they are assigned under the run's row lock."""

    __tablename__ = "event"
    __table_args__ = (
        CheckConstraint("kind IN ('run', 'trial')", name="kind"),
        Index(None, "run_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    kind: Mapped[str]
    data: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
