"""One experiment that was started on several hosts at once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class RunGroup(Base):
    """A group of runs, one a host; `hosts` are the names in the order of the request, also of deleted runs.

    `host_label` is the label that chose the hosts. Each run's seed is drawn from `seed` and its host's name.
    A group without runs is deleted with its last one.
    """

    __tablename__ = "run_group"
    __table_args__ = (Index(None, "team_id", "created_at"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id"))
    experiment_id: Mapped[str] = mapped_column(ForeignKey("experiment.id", ondelete="CASCADE"), index=True)
    hosts: Mapped[list[Any]]
    host_label: Mapped[str | None]
    seed: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
