"""How the program of a host's worker was installed, for the command that updates it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b7d20c4e61fa"
down_revision = "e4a1c7d90b52"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("host", sa.Column("installed", sa.Text(), nullable=True))


def downgrade() -> None:
    """Undo."""
    op.drop_column("host", "installed")
