"""Notes and tags of runs and experiments, and the stars of accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "c6d20e7f93b1"
down_revision = "c90d5b7e14fa"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    for table in ("run", "experiment"):
        op.add_column(table, sa.Column("note", sa.Text(), server_default="", nullable=False))
        op.add_column(table, sa.Column("tags", postgresql.JSONB(), server_default="[]", nullable=False))
        _create_stars(table)


def downgrade() -> None:
    """Undo."""
    for table in ("run", "experiment"):
        op.drop_table(f"{table}_star")
        op.drop_column(table, "tags")
        op.drop_column(table, "note")


def _create_stars(table: str) -> None:
    name, column = f"{table}_star", f"{table}_id"
    op.create_table(
        name,
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column(column, sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("clock_timestamp()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f(f"fk_{name}_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            [column], [f"{table}.id"], name=op.f(f"fk_{name}_{column}_{table}"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", column, name=op.f(f"pk_{name}")),
    )
    op.create_index(op.f(f"ix_{name}_{column}"), name, [column])
