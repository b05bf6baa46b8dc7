"""Who drained a host; its policy has what was decided about its network."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "e81b3d5f7a20"
down_revision = "d27f4a90c6e1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("host", sa.Column("drained_by", sa.Text(), nullable=True))
    op.create_foreign_key(
        op.f("fk_host_drained_by_account"), "host", "account", ["drained_by"], ["id"], ondelete="SET NULL"
    )
    op.execute("UPDATE host SET policy = jsonb_build_object('host_network', false) WHERE NOT host_network")


def downgrade() -> None:
    """Undo. A drained host stays drained."""
    op.drop_column("host", "drained_by")
    op.execute("UPDATE host SET policy = policy - 'host_network'")
