"""A trial keeps how its measurement went, so that a run's matrix reads no record."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "c83e1f50a2d7"
down_revision = "c2e71a90d4b3"
branch_labels = None
depends_on = None

KNOWN = """
    UPDATE trial t SET quality = CASE
        WHEN jsonb_array_length(coalesce(nullif(q -> 'invalid', 'null'), '[]')) > 0 THEN 'invalid'
        WHEN jsonb_array_length(coalesce(nullif(q -> 'contaminated', 'null'), '[]')) > 0 THEN 'contaminated'
        WHEN jsonb_array_length(coalesce(nullif(q -> 'discarded', 'null'), '[]')) > 0 THEN 'retaken'
    END
      FROM (SELECT trial_id, payload -> 'quality' AS q FROM result) r
     WHERE r.trial_id = t.id AND jsonb_typeof(r.q) = 'object'
"""


def upgrade() -> None:
    """Apply."""
    op.add_column("trial", sa.Column("quality", sa.Text(), nullable=True))
    op.create_check_constraint(
        op.f("ck_trial_quality"), "trial", "quality IN ('retaken', 'contaminated', 'invalid')"
    )
    op.execute(KNOWN)


def downgrade() -> None:
    """Undo. Nothing is lost: the records contain it."""
    op.drop_column("trial", "quality")
