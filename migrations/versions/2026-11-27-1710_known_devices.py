"""Browsers in which an account was signed in before, by the digest of a cookie of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b83c5e17d9a4"
down_revision = "a94e6f0c72d8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("browser_session", sa.Column("device_sha256", sa.Text(), nullable=True))
    op.create_index(op.f("ix_browser_session_device_sha256"), "browser_session", ["device_sha256"])


def downgrade() -> None:
    """Undo."""
    op.drop_index(op.f("ix_browser_session_device_sha256"), table_name="browser_session")
    op.drop_column("browser_session", "device_sha256")
