"""Schedules that start an experiment again, and what became of each time that was due."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class Schedule(Base):
    """One schedule of an experiment: on `hosts`, or on those with `host_label`.

    `next_at` is null while it is paused. Its runs have the rights of `account_id`, who changed it last;
    `host_network`: that request could start runs in the host's network.
    """

    __tablename__ = "schedule"
    __table_args__ = (
        CheckConstraint("(hosts IS NULL) <> (host_label IS NULL)", name="hosts"),
        Index("ix_schedule_next_at", "next_at", postgresql_where="next_at IS NOT NULL"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), index=True)
    experiment_id: Mapped[str] = mapped_column(ForeignKey("experiment.id", ondelete="CASCADE"), index=True)
    cron: Mapped[str]
    time_zone: Mapped[str]
    hosts: Mapped[list[Any] | None]
    host_label: Mapped[str | None]
    client_host: Mapped[str | None]
    account_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    host_network: Mapped[bool]
    next_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())


class ScheduleStart(Base):
    """What became of a time that was due: a run or a group of runs, or why there is none.

    `times` is the number of due times in a row, from `due_at` on. `waits_until`: the host's opening
    hours begin then, and its first trial waits for them.
    """

    __tablename__ = "schedule_start"
    __table_args__ = (
        CheckConstraint("outcome IN ('started', 'missed')", name="outcome"),
        Index(None, "schedule_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    schedule_id: Mapped[str] = mapped_column(ForeignKey("schedule.id", ondelete="CASCADE"))
    due_at: Mapped[datetime]
    at: Mapped[datetime]
    outcome: Mapped[str]
    reason: Mapped[str | None]
    detail: Mapped[str] = mapped_column(server_default="")
    host: Mapped[str | None]
    times: Mapped[int] = mapped_column(server_default="1")
    late: Mapped[bool] = mapped_column(server_default="false")
    waits_until: Mapped[datetime | None]
    run_id: Mapped[str | None]
    group_id: Mapped[str | None]
