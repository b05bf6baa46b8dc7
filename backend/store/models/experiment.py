"""A submitted experiment, as a canonical document."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Experiment(Base):
    """One experiment. `digest` is the canonical document's: the same document is stored once."""

    __tablename__ = "experiment"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    title: Mapped[str]
    definition: Mapped[dict[str, Any]]
    digest: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp(), index=True)
