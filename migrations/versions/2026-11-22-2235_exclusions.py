"""Trials excluded by hand, with their history."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5e0c9a41b7d8"
down_revision = "e83b1f0d62c7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "exclusion",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("trial_id", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column(
            "at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.CheckConstraint("action IN ('excluded', 'included')", name=op.f("ck_exclusion_action")),
        sa.CheckConstraint("(action = 'excluded') = (reason IS NOT NULL)", name=op.f("ck_exclusion_reason")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.id"], name=op.f("fk_exclusion_run_id_run"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["trial_id"], ["trial.id"], name=op.f("fk_exclusion_trial_id_trial"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exclusion")),
    )
    op.create_index(op.f("ix_exclusion_run_id_id"), "exclusion", ["run_id", "id"])
    op.create_index(op.f("ix_exclusion_trial_id_id"), "exclusion", ["trial_id", "id"])


def downgrade() -> None:
    """Undo."""
    op.drop_table("exclusion")
