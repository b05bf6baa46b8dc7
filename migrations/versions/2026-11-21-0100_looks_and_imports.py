"""Interim analyses and skipped trials (state `spared`); imported runs, on hosts without a worker."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "c4e7a90b31d6"
down_revision = "5d0c1f7a92be"
branch_labels = None
depends_on = None

STATES = "state IN ('queued', 'running', 'done', 'failed', 'cancelled')"
STATES_WITH_SPARED = "state IN ('queued', 'running', 'done', 'failed', 'cancelled', 'spared')"


def upgrade() -> None:
    """Apply."""
    _constrain_states(STATES_WITH_SPARED)
    op.add_column("run", sa.Column("origin", sa.Text(), server_default="measured", nullable=False))
    op.create_check_constraint(op.f("ck_run_origin"), "run", "origin IN ('measured', 'imported')")
    op.add_column("run", sa.Column("next_look", sa.Integer(), nullable=True))
    op.add_column("host", sa.Column("imported", sa.Boolean(), server_default="false", nullable=False))
    op.alter_column("result", "evidence_verdict", nullable=True)


def downgrade() -> None:
    """Undo. Skipped trials become cancelled; imported runs do not fit the old schema and are deleted."""
    for table in ("share", "event", "result", "trial"):
        op.execute(f"DELETE FROM {table} WHERE run_id IN (SELECT id FROM run WHERE origin = 'imported')")
    op.execute("DELETE FROM idempotency_key WHERE run_id IN (SELECT id FROM run WHERE origin = 'imported')")
    op.execute("DELETE FROM run WHERE origin = 'imported'")
    op.execute("DELETE FROM host WHERE imported")
    op.execute("UPDATE trial SET state = 'cancelled' WHERE state = 'spared'")
    op.alter_column("result", "evidence_verdict", nullable=False)
    op.drop_column("host", "imported")
    op.drop_column("run", "next_look")
    op.drop_constraint(op.f("ck_run_origin"), "run")
    op.drop_column("run", "origin")
    _constrain_states(STATES)


def _constrain_states(rule: str) -> None:
    op.drop_constraint(op.f("ck_trial_state"), "trial")
    op.create_check_constraint(op.f("ck_trial_state"), "trial", rule)
