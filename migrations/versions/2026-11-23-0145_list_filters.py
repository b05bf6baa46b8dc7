"""Indexes for the filters of the lists of runs and of the audit log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "e71a04c95d2f"
down_revision = "c2e85b7f3a91"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_index(
        op.f("ix_run_tags"),
        "run",
        ["tags"],
        postgresql_using="gin",
        postgresql_ops={"tags": "jsonb_path_ops"},
    )
    op.create_index(op.f("ix_audit_team_id_action_id"), "audit", ["team_id", "action", "id"])
    op.create_index(op.f("ix_audit_team_id_account_id_id"), "audit", ["team_id", "account_id", "id"])
    op.create_index(op.f("ix_audit_team_id_at"), "audit", ["team_id", "at"])
    op.create_index("ix_audit_refused", "audit", ["team_id", "id"], postgresql_where=sa.text("status >= 400"))


def downgrade() -> None:
    """Undo."""
    op.drop_index("ix_audit_refused", table_name="audit")
    op.drop_index(op.f("ix_audit_team_id_at"), table_name="audit")
    op.drop_index(op.f("ix_audit_team_id_account_id_id"), table_name="audit")
    op.drop_index(op.f("ix_audit_team_id_action_id"), table_name="audit")
    op.drop_index(op.f("ix_run_tags"), table_name="run")
