"""Runs that add rounds of chosen cells to an ended run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "d5a90c1b62e4"
down_revision = "c4e1a97b3d20"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("run", sa.Column("extends_run_id", sa.Text(), nullable=True))
    op.create_foreign_key(
        op.f("fk_run_extends_run_id_run"), "run", "run", ["extends_run_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(op.f("ix_run_extends_run_id"), "run", ["extends_run_id"])


def downgrade() -> None:
    """Undo. The plans of extensions keep which run they extend."""
    op.drop_column("run", "extends_run_id")
