"""The session in which another host runs the client of a trial."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class ClientSession(Base):
    """One trial's session; `fence` is that of the attempt which holds the trial.

    `document` is what the side that entered the phase has said in it. `…_seen_at` are from the database's
    clock.
    """

    __tablename__ = "client_session"
    __table_args__ = (
        CheckConstraint(
            "phase IN ('requested', 'accepted', 'offered', 'ready', 'warming', 'armed', 'measuring', "
            "'measured', 'collecting', 'collected', 'ended')",
            name="phase",
        ),
        CheckConstraint("server_host_id <> client_host_id", name="hosts"),
        Index(None, "client_host_id", postgresql_where=text("phase = 'requested'")),
    )

    trial_id: Mapped[str] = mapped_column(ForeignKey("trial.id", ondelete="CASCADE"), primary_key=True)
    fence: Mapped[int]
    server_host_id: Mapped[str] = mapped_column(ForeignKey("host.id"))
    client_host_id: Mapped[str] = mapped_column(ForeignKey("host.id"))
    phase: Mapped[str] = mapped_column(server_default="requested")
    document: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    reason: Mapped[str] = mapped_column(server_default="")
    server_seen_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    client_seen_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
