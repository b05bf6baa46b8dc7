"""Faults of a host's worker, as it reports them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "a91d4c7b2e05"
down_revision = "c4e7a90b31d6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("host", sa.Column("conditions", postgresql.JSONB(), server_default="[]", nullable=False))


def downgrade() -> None:
    """Undo."""
    op.drop_column("host", "conditions")
