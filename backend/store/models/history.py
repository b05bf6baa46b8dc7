"""Histories of experiments on hosts: the kept result, the changes that were shown, and who has seen them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from backend.store.models.base import Base


class DerivedOfHistory(Base):
    """The history of an experiment on one host (JSON, gzip).

    It counts while the versions of its runs have the digest `made_from`, and the program that reads it is
    that of `revision`; else it is computed again. Losing a row loses nothing.
    """

    __tablename__ = "derived_of_history"

    experiment_id: Mapped[str] = mapped_column(
        ForeignKey("experiment.id", ondelete="CASCADE"), primary_key=True
    )
    host_id: Mapped[str] = mapped_column(ForeignKey("host.id", ondelete="CASCADE"), primary_key=True)
    made_from: Mapped[str]
    revision: Mapped[str]
    body: Mapped[bytes]
    made_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())


class HistoryChange(Base):
    """A change point that was shown: when, and what was known of it last.

    It happened after `after_time` and by `until_time`. It has a `ratio`, or, where a value of the series is
    zero, a `difference` in the metric's unit (a Difference of the core as JSON). `withdrawn_at`: a later run
    or an exclusion no longer shows it. `notified`: its messages were made.
    """

    __tablename__ = "history_change"
    __table_args__ = (
        CheckConstraint("basis IN ('ratios', 'values')", name="basis"),
        CheckConstraint("direction IN ('better', 'worse')", name="direction"),
        CheckConstraint("num_nonnulls(ratio, difference) = 1", name="size"),
        Index(None, "team_id", "shown_at"),
        Index(None, "experiment_id", "host_id"),
        Index("ix_history_change_unnotified", "id", postgresql_where="NOT notified"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    experiment_id: Mapped[str] = mapped_column(ForeignKey("experiment.id", ondelete="CASCADE"))
    host_id: Mapped[str] = mapped_column(ForeignKey("host.id", ondelete="CASCADE"))
    cell_id: Mapped[str]
    label: Mapped[str]
    metric: Mapped[str]
    basis: Mapped[str]
    direction: Mapped[str]
    ratio: Mapped[float | None]
    difference: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    p_adjusted: Mapped[float]
    after_time: Mapped[datetime]
    until_time: Mapped[datetime]
    run_id: Mapped[str]
    notified: Mapped[bool] = mapped_column(server_default="false")
    shown_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    withdrawn_at: Mapped[datetime | None]


class HistorySeen(Base):
    """When an account last marked the changes of a team as seen."""

    __tablename__ = "history_seen"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    seen_at: Mapped[datetime]
