"""The audit log names what a request created beside the object that it names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "7c2e91b4d0a8"
down_revision = "b83d5e60f7a2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("audit", sa.Column("created", sa.Text(), nullable=True))


def downgrade() -> None:
    """Undo."""
    op.drop_column("audit", "created")
