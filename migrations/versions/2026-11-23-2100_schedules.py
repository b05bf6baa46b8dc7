"""Schedules of experiments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "d5f30b8e71c2"
down_revision = "d5a90c1b62e4"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
NOW = sa.text("clock_timestamp()")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "schedule",
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("id", "team_id", "experiment_id")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("cron", "time_zone")),
        sa.Column("hosts", postgresql.JSONB(none_as_null=True)),
        *(sa.Column(name, sa.Text()) for name in ("host_label", "client_host", "account_id")),
        sa.Column("host_network", sa.Boolean(), nullable=False),
        sa.Column("next_at", TIME),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedule")),
        sa.CheckConstraint("(hosts IS NULL) <> (host_label IS NULL)", name=op.f("ck_schedule_hosts")),
        _key("schedule", "team", "CASCADE"),
        _key("schedule", "experiment", "CASCADE"),
        _key("schedule", "account", "SET NULL"),
    )
    op.create_index(op.f("ix_schedule_team_id"), "schedule", ["team_id"])
    op.create_index(op.f("ix_schedule_experiment_id"), "schedule", ["experiment_id"])
    op.create_index(
        "ix_schedule_next_at", "schedule", ["next_at"], postgresql_where=sa.text("next_at IS NOT NULL")
    )
    _create_starts()
    op.add_column("run", sa.Column("schedule_id", sa.Text()))
    op.create_foreign_key(
        op.f("fk_run_schedule_id_schedule"), "run", "schedule", ["schedule_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(op.f("ix_run_schedule_id"), "run", ["schedule_id"])


def _create_starts() -> None:
    op.create_table(
        "schedule_start",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("schedule_id", sa.Text(), nullable=False),
        sa.Column("due_at", TIME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.Column("host", sa.Text()),
        sa.Column("times", sa.Integer(), server_default="1", nullable=False),
        sa.Column("late", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("waits_until", TIME),
        sa.Column("run_id", sa.Text()),
        sa.Column("group_id", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedule_start")),
        sa.CheckConstraint("outcome IN ('started', 'missed')", name=op.f("ck_schedule_start_outcome")),
        _key("schedule_start", "schedule", "CASCADE"),
    )
    op.create_index(op.f("ix_schedule_start_schedule_id_id"), "schedule_start", ["schedule_id", "id"])


def _key(table: str, other: str, ondelete: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{other}_id_{other}")
    return sa.ForeignKeyConstraint([f"{other}_id"], [f"{other}.id"], name=name, ondelete=ondelete)


def downgrade() -> None:
    """Undo. Schedules are lost; their runs stay."""
    op.drop_index(op.f("ix_run_schedule_id"), "run")
    op.drop_constraint(op.f("fk_run_schedule_id_schedule"), "run", type_="foreignkey")
    op.drop_column("run", "schedule_id")
    op.drop_table("schedule_start")
    op.drop_table("schedule")
