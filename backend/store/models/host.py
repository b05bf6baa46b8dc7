"""A Docker host on which a worker measures."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Host(Base):
    """One host by name. Its worker updates capabilities, conditions and `last_seen_at`.

    `imported`: only imported logs name it; no worker has announced it. `host_network`: an administrator has
    it open to plans that use its network or its own Docker daemon.
    """

    __tablename__ = "host"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    capabilities: Mapped[dict[str, Any]]
    environment: Mapped[dict[str, Any]]
    conditions: Mapped[list[Any]] = mapped_column(server_default="[]")
    imported: Mapped[bool] = mapped_column(server_default="false")
    host_network: Mapped[bool] = mapped_column(server_default="true")
    last_seen_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
