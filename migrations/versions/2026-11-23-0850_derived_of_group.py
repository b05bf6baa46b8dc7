"""Results of ended groups of runs are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b7d2f04ac913"
down_revision = "b7d20c4e61fa"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
NOW = sa.text("clock_timestamp()")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "derived_of_group",
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("made_from", sa.Text(), nullable=False),
        sa.Column("revision", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", TIME, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("group_id", "metric", name=op.f("pk_derived_of_group")),
        sa.ForeignKeyConstraint(
            ["group_id"],
            ["run_group.id"],
            name=op.f("fk_derived_of_group_group_id_run_group"),
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    """Undo. Nothing is lost: the results are computed again."""
    op.drop_table("derived_of_group")
