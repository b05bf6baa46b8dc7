"""Whether a host is open to plans that use its network or its own Docker daemon."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "c90d5b7e14fa"
down_revision = "c2f6a1d8e340"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply. Hosts that are known already stay open: whoever reached the port could use them."""
    op.add_column("host", sa.Column("host_network", sa.Boolean(), server_default="true", nullable=False))


def downgrade() -> None:
    """Undo."""
    op.drop_column("host", "host_network")
