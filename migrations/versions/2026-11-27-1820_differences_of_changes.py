"""The difference of a change of a history in which a value is zero: it has no ratio."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "a7d30c5e91b6"
down_revision = "a94e5c17d3b2"
branch_labels = None
depends_on = None

_TABLE = "history_change"


def upgrade() -> None:
    """Apply."""
    op.add_column(_TABLE, sa.Column("difference", postgresql.JSONB(), nullable=True))
    op.alter_column(_TABLE, "ratio", nullable=True)
    op.create_check_constraint(op.f("ck_history_change_size"), _TABLE, "num_nonnulls(ratio, difference) = 1")


def downgrade() -> None:
    """Undo. Changes without a ratio are found again with their history."""
    op.drop_constraint(op.f("ck_history_change_size"), _TABLE)
    op.execute("DELETE FROM history_change WHERE ratio IS NULL")
    op.alter_column(_TABLE, "ratio", nullable=False)
    op.drop_column(_TABLE, "difference")
