"""What a run stores, kept once it has ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "7d1f5be2c903"
down_revision = "f7a3d90c4e18"
branch_labels = None
depends_on = None

STORED = """
    UPDATE run r SET stored_bytes =
           pg_column_size(r.plan) + 150
           + coalesce((SELECT sum(600 + pg_column_size(t.levels)) FROM trial t WHERE t.run_id = r.id), 0)
           + coalesce((SELECT sum(150 + pg_column_size(e.payload) + pg_column_size(e.metrics))
                         FROM result e WHERE e.run_id = r.id), 0)
           + coalesce((SELECT sum(150 + pg_column_size(v.data)) FROM event v WHERE v.run_id = r.id), 0)
     WHERE r.finished_at IS NOT NULL
"""


def upgrade() -> None:
    """Apply."""
    op.add_column("run", sa.Column("stored_bytes", sa.BigInteger(), nullable=True))
    op.execute(STORED)


def downgrade() -> None:
    """Undo."""
    op.drop_column("run", "stored_bytes")
