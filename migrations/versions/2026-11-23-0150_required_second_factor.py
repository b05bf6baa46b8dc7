"""Teams that require a second factor, and sessions that proved one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "c2e85b7f3a91"
down_revision = "93c4be1f06ad"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply. No session has proved a second factor before."""
    op.add_column(
        "team",
        sa.Column("requires_second_factor", sa.Boolean(), server_default="false", nullable=False),
    )
    op.add_column("browser_session", sa.Column("second_factor_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Undo. No team requires a second factor any more."""
    op.drop_column("browser_session", "second_factor_at")
    op.drop_column("team", "requires_second_factor")
