"""Documents computed from ended runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a4d17c93e6b2"
down_revision = "7c2e91b4d0a8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "derived",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("exclusion", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column(
            "made_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("clock_timestamp()"),
            nullable=False,
        ),
        sa.CheckConstraint("kind IN ('result', 'centres')", name=op.f("ck_derived_kind")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.id"], name=op.f("fk_derived_run_id_run"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "kind", name=op.f("pk_derived")),
    )


def downgrade() -> None:
    """Revert."""
    op.drop_table("derived")
