"""The function that acts with its owner's rights searches temporary schemas last.

PostgreSQL searches the caller's temporary schema for tables first where search_path does not name pg_temp.
"""

from __future__ import annotations

from alembic import op

revision = "a94e6f0c72d8"
down_revision = "f2d86b51c04e"
branch_labels = None
depends_on = None

_FUNCTION = "queue_make_up(text, text[], text[], integer[], integer[], integer[])"


def upgrade() -> None:
    """Apply."""
    op.execute(f"ALTER FUNCTION {_FUNCTION} SET search_path = pg_catalog, public, pg_temp")


def downgrade() -> None:
    """Undo."""
    op.execute(f"ALTER FUNCTION {_FUNCTION} SET search_path = pg_catalog, public")
