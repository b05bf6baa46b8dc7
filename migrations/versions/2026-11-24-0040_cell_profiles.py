"""CPU profiles of the cells of ended runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "e1c7a5409f3b"
down_revision = "d5f30b8e71c2"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
OPEN = sa.text("state IN ('waiting', 'running')")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "cell_profile",
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("run_id", "cell_id", "host_id")),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("levels", postgresql.JSONB(), nullable=False),
        sa.Column("replica", sa.Integer(), server_default="0", nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reason_code", sa.Text()),
        sa.Column("reason", sa.Text()),
        sa.Column("profile", postgresql.JSONB(none_as_null=True)),
        sa.Column("created_at", TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("ended_at", TIME),
        sa.PrimaryKeyConstraint("run_id", "cell_id", name=op.f("pk_cell_profile")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.id"], name=op.f("fk_cell_profile_run_id_run"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_cell_profile_host_id_host")),
        sa.CheckConstraint(
            "state IN ('waiting', 'running', 'taken', 'not_taken')", name=op.f("ck_cell_profile_state")
        ),
        sa.CheckConstraint("(state = 'taken') = (profile IS NOT NULL)", name=op.f("ck_cell_profile_profile")),
        sa.CheckConstraint(
            "(state = 'not_taken') = (reason_code IS NOT NULL)", name=op.f("ck_cell_profile_reason")
        ),
    )
    op.create_index(
        "ix_cell_profile_queue",
        "cell_profile",
        ["host_id", "created_at", "run_id", "seq"],
        postgresql_where=OPEN,
    )


def downgrade() -> None:
    """Undo. The profiles are lost."""
    op.drop_table("cell_profile")
