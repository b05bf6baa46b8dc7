"""New results are compressed with lz4, where PostgreSQL was built with it: pglz takes more CPU."""

from __future__ import annotations

from alembic import op

revision = "a94e5c17d3b2"
down_revision = "b83c5e17d9a4"
branch_labels = None
depends_on = None

# Stored values keep the method with which they were compressed; both are read.
_LZ4 = """
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_settings
                WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        EXECUTE 'ALTER TABLE result ALTER COLUMN payload SET COMPRESSION lz4';
    END IF;
END $$
"""
_DEFAULT = """
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression') THEN
        EXECUTE 'ALTER TABLE result ALTER COLUMN payload SET COMPRESSION default';
    END IF;
END $$
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_LZ4)


def downgrade() -> None:
    """Undo."""
    op.execute(_DEFAULT)
