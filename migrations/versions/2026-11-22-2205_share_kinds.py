"""Share links: private or unfurling, frozen or live, with a title and their use."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "f7a3d90c4e18"
down_revision = "e5b0c7d21f94"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply. Every link so far is private and frozen."""
    op.add_column("share", sa.Column("kind", sa.Text(), server_default="private", nullable=False))
    op.add_column("share", sa.Column("mode", sa.Text(), server_default="snapshot", nullable=False))
    op.add_column("share", sa.Column("title", sa.Text(), nullable=True))
    op.add_column("share", sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("share", sa.Column("opens", sa.Integer(), server_default="0", nullable=False))
    op.create_check_constraint("kind", "share", "kind IN ('private', 'unfurl')")
    op.create_check_constraint("mode", "share", "mode IN ('snapshot', 'live')")
    op.create_index(op.f("ix_share_created_at"), "share", ["created_at"])
    op.execute("UPDATE share SET snapshot = NULL")  # made again, with the new fields, when it is opened next


def downgrade() -> None:
    """Undo. The release before knows frozen private links only: others are deleted."""
    op.execute("DELETE FROM share WHERE kind <> 'private' OR mode <> 'snapshot'")
    op.drop_index(op.f("ix_share_created_at"), "share")
    for column in ("opens", "last_used_at", "title", "mode", "kind"):
        op.drop_column("share", column)
