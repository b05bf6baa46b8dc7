"""A submitted experiment, as a canonical document."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Experiment(Base):
    """One experiment. `digest` is the canonical document's: a team stores the same document once."""

    __tablename__ = "experiment"
    __table_args__ = (UniqueConstraint("team_id", "digest"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id"))
    name: Mapped[str]
    title: Mapped[str]
    definition: Mapped[dict[str, Any]]
    digest: Mapped[str]
    note: Mapped[str] = mapped_column(server_default="")
    tags: Mapped[list[Any]] = mapped_column(server_default="[]")
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp(), index=True)
