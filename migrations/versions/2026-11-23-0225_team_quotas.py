"""Quotas of single teams."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b83d5e60f7a2"
down_revision = "5d1c7f30ab92"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "team_quota",
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("quota", sa.Text(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", "quota", name=op.f("pk_team_quota")),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_team_quota_team_id_team"), ondelete="CASCADE"
        ),
        sa.CheckConstraint("value >= 0", name=op.f("ck_team_quota_value")),
    )


def downgrade() -> None:
    """Undo. Teams have the installation's quotas again."""
    op.drop_table("team_quota")
