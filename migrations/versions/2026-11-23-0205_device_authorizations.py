"""Device authorizations of command lines."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "5f0c27d8e9b3"
down_revision = "e71a04c95d2f"
branch_labels = None
depends_on = None

NOW = sa.text("clock_timestamp()")
TEXTS = postgresql.ARRAY(sa.Text())
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Apply."""
    table = "device_authorization"
    op.create_table(
        table,
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("device_code_sha256", sa.Text(), nullable=False),
        sa.Column("user_code", sa.Text(), nullable=False),
        sa.Column("client_name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("network", sa.Text(), nullable=False),
        sa.Column("scopes", TEXTS, nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("interval_s", sa.Integer(), nullable=False),
        sa.Column("polled_at", TIME, nullable=True),
        sa.Column("decision", sa.Text(), nullable=True),
        sa.Column("account_id", sa.Text(), nullable=True),
        sa.Column("team_id", sa.Text(), nullable=True),
        sa.Column("granted", TEXTS, nullable=True),
        sa.Column("lifetime_days", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_device_authorization")),
        sa.UniqueConstraint("device_code_sha256", name=op.f("uq_device_authorization_device_code_sha256")),
        sa.UniqueConstraint("user_code", name=op.f("uq_device_authorization_user_code")),
        sa.CheckConstraint(
            "decision IN ('approved', 'denied')", name=op.f("ck_device_authorization_decision")
        ),
        sa.CheckConstraint(
            "decision IS DISTINCT FROM 'approved'"
            " OR (account_id IS NOT NULL AND team_id IS NOT NULL AND granted IS NOT NULL)",
            name=op.f("ck_device_authorization_approval"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["account.id"],
            name=op.f("fk_device_authorization_account_id_account"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_device_authorization_team_id_team"), ondelete="CASCADE"
        ),
    )
    for column in ("network", "expires_at"):
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])


def downgrade() -> None:
    """Undo. Command lines that wait for a sign-in have to begin again."""
    op.drop_table("device_authorization")
