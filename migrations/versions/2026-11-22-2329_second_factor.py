"""Second factors of accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "93c4be1f06ad"
down_revision = "b46d90c1a7e3"
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "second_factor",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("recovery_sha256", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_second_factor")),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["account.id"],
            name=op.f("fk_second_factor_account_id_account"),
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    """Undo. Second factors are lost: the release before knows none."""
    op.drop_table("second_factor")
