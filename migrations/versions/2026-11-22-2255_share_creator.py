"""Who made a share link."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "c2f6a1d8e340"
down_revision = "5e0c9a41b7d8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply. Nobody knows who made the links before accounts."""
    op.add_column("share", sa.Column("created_by", sa.Text(), nullable=True))
    name = op.f("fk_share_created_by_account")
    op.create_foreign_key(name, "share", "account", ["created_by"], ["id"], ondelete="SET NULL")


def downgrade() -> None:
    """Undo."""
    op.drop_column("share", "created_by")
