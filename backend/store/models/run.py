"""One execution of a plan on one host."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from backend.store.models.base import Base
from backend.store.models.experiment import Experiment
from backend.store.models.host import Host


class Run(Base):
    """One run, of the team of its experiment. `plan` is the plan at its start, without the trials.

    `client_host_id` is the host that runs the clients of its remote paths; null: its own host does.
    `stored_bytes` is what it stores, known once it has ended.
    `extends_run_id`: it adds rounds to that run; `schedule_id`: a schedule started it.
    `group_id`: it was started together with runs on other hosts. No trial of a round after
    `next_interim_round` may be claimed before that interim analysis; null: no limit.
    """

    __tablename__ = "run"
    __table_args__ = (
        CheckConstraint("state IN ('queued', 'running', 'done', 'cancelled', 'incomplete')", name="state"),
        CheckConstraint("origin IN ('measured', 'imported')", name="origin"),
        CheckConstraint("(finished_at IS NULL) = (state IN ('queued', 'running'))", name="finished"),
        Index(None, "team_id", "created_at"),
        Index(None, "experiment_id", "host_id", "finished_at"),
        Index(None, "team_id", "finished_at", postgresql_include=["stored_bytes"]),
        Index(None, "team_id", "stored_bytes"),
        Index(
            "ix_run_annotated",
            "team_id",
            postgresql_where=text("note <> '' OR tags <> '[]'::jsonb"),
        ),
        Index(None, "tags", postgresql_using="gin", postgresql_ops={"tags": "jsonb_path_ops"}),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id"))
    experiment_id: Mapped[str] = mapped_column(ForeignKey("experiment.id"))
    host_id: Mapped[str] = mapped_column(ForeignKey("host.id"), index=True)
    group_id: Mapped[str | None] = mapped_column(ForeignKey("run_group.id", ondelete="SET NULL"), index=True)
    schedule_id: Mapped[str | None] = mapped_column(
        ForeignKey("schedule.id", ondelete="SET NULL"), index=True
    )
    extends_run_id: Mapped[str | None] = mapped_column(ForeignKey("run.id", ondelete="SET NULL"), index=True)
    client_host_id: Mapped[str | None] = mapped_column(ForeignKey("host.id"))
    state: Mapped[str] = mapped_column(server_default="queued")
    origin: Mapped[str] = mapped_column(server_default="measured")
    plan: Mapped[dict[str, Any]]
    next_interim_round: Mapped[int | None] = mapped_column("next_look")
    environment: Mapped[dict[str, Any] | None]
    note: Mapped[str] = mapped_column(server_default="")
    tags: Mapped[list[Any]] = mapped_column(server_default="[]")
    stored_bytes: Mapped[int | None] = mapped_column(BigInteger)
    cancel_requested: Mapped[bool] = mapped_column(server_default="false")
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp(), index=True)
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]

    experiment: Mapped[Experiment] = relationship(lazy="raise")
    host: Mapped[Host] = relationship(lazy="raise", foreign_keys=[host_id])
