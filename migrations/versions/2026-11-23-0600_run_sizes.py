"""Indexes for sums over a team's runs: its quotas, its retention, its largest runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "d4a7e91c3b60"
down_revision = "e81b3d5f7a20"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_index(
        op.f("ix_run_team_id_finished_at"),
        "run",
        ["team_id", "finished_at"],
        postgresql_include=["stored_bytes"],
    )
    op.create_index(op.f("ix_run_team_id_stored_bytes"), "run", ["team_id", "stored_bytes"])
    op.create_index(
        "ix_run_annotated",
        "run",
        ["team_id"],
        postgresql_where=sa.text("note <> '' OR tags <> '[]'::jsonb"),
    )


def downgrade() -> None:
    """Undo."""
    op.drop_index("ix_run_annotated", table_name="run")
    op.drop_index(op.f("ix_run_team_id_stored_bytes"), table_name="run")
    op.drop_index(op.f("ix_run_team_id_finished_at"), table_name="run")
