"""Identities at an OpenID Connect provider."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5f1d7a90c3be"
down_revision = "d17f4a6b80c2"
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "external_identity",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=NOW, nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_external_identity")),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["account.id"],
            name=op.f("fk_external_identity_account_id_account"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(op.f("ix_external_identity_account_id"), "external_identity", ["account_id"])


def downgrade() -> None:
    """Undo."""
    op.drop_table("external_identity")
