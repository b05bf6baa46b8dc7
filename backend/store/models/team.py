"""Teams: each sees its own experiments, runs and links only."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base

DEFAULT_TEAM: Final = "tem_0000000000000000"
"""The team of a new installation, created by the migration; owns what was stored before there were teams."""


class Team(Base):
    """One team. Its ended runs are deleted after `retention_days`; null: never.

    With `requires_second_factor`, sessions and tokens without one are no members.
    """

    __tablename__ = "team"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    retention_days: Mapped[int | None]
    requires_second_factor: Mapped[bool] = mapped_column(server_default="false")
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
