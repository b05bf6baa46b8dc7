"""Wrong passwords, counted by email address."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5d1c7f30ab92"
down_revision = "5f0c27d8e9b3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "password_failure",
        sa.Column("subject_sha256", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("subject_sha256", name=op.f("pk_password_failure")),
    )
    op.create_index(op.f("ix_password_failure_failed_at"), "password_failure", ["failed_at"])


def downgrade() -> None:
    """Undo. Pauses end: the release before knows no passwords."""
    op.drop_table("password_failure")
