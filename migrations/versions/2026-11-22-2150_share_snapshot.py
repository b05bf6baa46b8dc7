"""The frozen public result of a share link."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "e5b0c7d21f94"
down_revision = "a91d4c7b2e05"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply. Links made before get their snapshot when they are opened next."""
    op.add_column("share", sa.Column("snapshot", sa.LargeBinary(), nullable=True))
    # It is compressed already: PostgreSQL stores it out of line without trying again.
    op.execute("ALTER TABLE share ALTER COLUMN snapshot SET STORAGE EXTERNAL")


def downgrade() -> None:
    """Undo."""
    op.drop_column("share", "snapshot")
