"""Webhooks, their deliveries, and the outbox of ended runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "b46d90c1a7e3"
down_revision = "5f1d7a90c3be"
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "webhook",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("events", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("failing_since", TIME, nullable=True),
        sa.Column("disabled_at", TIME, nullable=True),
        sa.Column("disabled_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], op.f("fk_webhook_team_id_team"), ondelete="CASCADE"
        ),
    )
    op.create_index(op.f("ix_webhook_team_id"), "webhook", ["team_id"])
    op.create_table(
        "run_end",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), primary_key=True),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("ended_at", TIME, server_default=NOW, nullable=False),
    )
    _create_deliveries()


def _create_deliveries() -> None:
    op.create_table(
        "webhook_delivery",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("webhook_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("next_at", TIME, server_default=NOW, nullable=False),
        sa.Column("last_at", TIME, nullable=True),
        sa.Column("last_status", sa.Integer(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("last_answer", sa.Text(), nullable=True),
        sa.Column("last_seconds", sa.Float(), nullable=True),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'failed')", op.f("ck_webhook_delivery_state")),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhook.id"], op.f("fk_webhook_delivery_webhook_id_webhook"), ondelete="CASCADE"
        ),
    )
    op.create_index(
        op.f("ix_webhook_delivery_webhook_id_created_at"), "webhook_delivery", ["webhook_id", "created_at"]
    )
    op.create_index(
        "ix_webhook_delivery_due",
        "webhook_delivery",
        ["next_at"],
        postgresql_where=sa.text("state = 'pending'"),
    )


def downgrade() -> None:
    """Undo."""
    for table in ("webhook_delivery", "run_end", "webhook"):
        op.drop_table(table)
