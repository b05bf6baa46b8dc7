"""Hosts that join over HTTPS: enrolments, their tokens, and what is known and decided about each host."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "d27f4a90c6e1"
down_revision = "c93b5e7a1d48"
branch_labels = None
depends_on = None

JSONB = postgresql.JSONB(astext_type=sa.Text())
TIME = sa.DateTime(timezone=True)
NOW = sa.text("clock_timestamp()")


def upgrade() -> None:
    """Apply."""
    for name, default in (("labels", "[]"), ("policy", "{}"), ("recent_claims", "[]")):
        op.add_column("host", sa.Column(name, JSONB, server_default=default, nullable=False))
    for name in ("disk", "clock", "measured"):
        op.add_column("host", sa.Column(name, JSONB, nullable=True))
    for name in ("release", "install_id"):
        op.add_column("host", sa.Column(name, sa.Text(), nullable=True))
    op.add_column("host", sa.Column("protocol", sa.Integer(), nullable=True))
    op.add_column("host", sa.Column("drained_at", TIME, nullable=True))
    _create_enrolments()
    _create_tokens()


def downgrade() -> None:
    """Undo. Enrolled hosts are known as before; their workers have no way to the server."""
    op.drop_table("host_token")
    op.drop_table("enrolment")
    for name in (
        *("labels", "policy", "recent_claims", "disk", "clock", "measured"),
        *("release", "install_id", "protocol", "drained_at"),
    ):
        op.drop_column("host", name)


def _create_enrolments() -> None:
    op.create_table(
        "enrolment",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("secret_sha256", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("host_name", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=True),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("used_at", TIME, nullable=True),
        sa.Column("nonce_sha256", sa.Text(), nullable=True),
        sa.Column("host_id", sa.Text(), nullable=True),
        sa.Column("revoked_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enrolment")),
        sa.UniqueConstraint("secret_sha256", name=op.f("uq_enrolment_secret_sha256")),
        sa.CheckConstraint("(used_at IS NULL) = (nonce_sha256 IS NULL)", name=op.f("ck_enrolment_use")),
        sa.CheckConstraint("host_id IS NULL OR used_at IS NOT NULL", name=op.f("ck_enrolment_host")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name=op.f("fk_enrolment_created_by_account"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["host_id"], ["host.id"], name=op.f("fk_enrolment_host_id_host"), ondelete="SET NULL"
        ),
    )


def _create_tokens() -> None:
    op.create_table(
        "host_token",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("enrolment_id", sa.Text(), nullable=True),
        sa.Column("token_sha256", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("last_used_at", TIME, nullable=True),
        sa.Column("revoked_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host_token")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_host_token_token_sha256")),
        sa.ForeignKeyConstraint(
            ["host_id"], ["host.id"], name=op.f("fk_host_token_host_id_host"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_host_token_enrolment_id_enrolment"),
            ondelete="SET NULL",
        ),
    )
    op.create_index(op.f("ix_host_token_host_id"), "host_token", ["host_id"])
