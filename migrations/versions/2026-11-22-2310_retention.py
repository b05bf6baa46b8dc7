"""After how many days a team's runs are deleted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "d17f4a6b80c2"
down_revision = "c6d20e7f93b1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("team", sa.Column("retention_days", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Undo."""
    op.drop_column("team", "retention_days")
