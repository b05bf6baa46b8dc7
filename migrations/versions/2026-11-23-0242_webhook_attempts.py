"""Every attempt to deliver a webhook's message, in place of the last one only."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a84d2c6e7f15"
down_revision = "a4d17c93e6b2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "webhook_attempt",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), primary_key=True),
        sa.Column("delivery_id", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_id"],
            ["webhook_delivery.id"],
            op.f("fk_webhook_attempt_delivery_id_webhook_delivery"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(op.f("ix_webhook_attempt_delivery_id_id"), "webhook_attempt", ["delivery_id", "id"])
    # Of earlier messages the last attempt is known.
    op.execute(
        "INSERT INTO webhook_attempt (delivery_id, at, status, seconds) "
        "SELECT id, last_at, last_status, last_seconds FROM webhook_delivery "
        "WHERE last_at IS NOT NULL AND last_status IS NOT NULL AND last_seconds IS NOT NULL"
    )


def downgrade() -> None:
    """Undo."""
    op.drop_table("webhook_attempt")
