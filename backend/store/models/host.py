"""A Docker host on which a worker measures."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Host(Base):
    """One host by name. Its worker updates capabilities, conditions, disk, clock and `last_seen_at`.

    `imported`: only imported logs name it; no worker has announced it. `host_network`: an administrator has
    it open to plans that use its network or its own Docker daemon. `labels`, `drained_at` with `drained_by`
    and `policy` are an administrator's too. `release` and `protocol` are those of its worker, `install_id`
    is of the worker's installation and `installed` how its program got there (backend.worker_installation);
    `measured` are figures of its noise, from its own A/A pairs. `recent_claims` are the keys of its last
    claims, newest last, each with the trial and the fence that it got.
    """

    __tablename__ = "host"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    capabilities: Mapped[dict[str, Any]]
    environment: Mapped[dict[str, Any]]
    conditions: Mapped[list[Any]] = mapped_column(server_default="[]")
    imported: Mapped[bool] = mapped_column(server_default="false")
    host_network: Mapped[bool] = mapped_column(server_default="true")
    labels: Mapped[list[Any]] = mapped_column(server_default="[]")
    drained_at: Mapped[datetime | None]
    drained_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    policy: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    disk: Mapped[dict[str, Any] | None]
    clock: Mapped[dict[str, Any] | None]
    release: Mapped[str | None]
    protocol: Mapped[int | None]
    install_id: Mapped[str | None]
    installed: Mapped[str | None]
    measured: Mapped[dict[str, Any] | None]
    recent_claims: Mapped[list[Any]] = mapped_column(server_default="[]")
    last_seen_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
