"""Groups of runs: one experiment on several hosts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "e61c0a7f94b3"
down_revision = "e15c8f027b9d"
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "run_group",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("experiment_id", sa.Text(), nullable=False),
        sa.Column("hosts", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("host_label", sa.Text(), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_group")),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f("fk_run_group_team_id_team")),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiment.id"],
            name=op.f("fk_run_group_experiment_id_experiment"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(op.f("ix_run_group_team_id_created_at"), "run_group", ["team_id", "created_at"])
    op.create_index(op.f("ix_run_group_experiment_id"), "run_group", ["experiment_id"])
    op.add_column("run", sa.Column("group_id", sa.Text(), nullable=True))
    op.create_foreign_key(
        op.f("fk_run_group_id_run_group"), "run", "run_group", ["group_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(op.f("ix_run_group_id"), "run", ["group_id"])


def downgrade() -> None:
    """Undo. The runs of a group remain, each by itself."""
    op.drop_column("run", "group_id")
    op.drop_table("run_group")
