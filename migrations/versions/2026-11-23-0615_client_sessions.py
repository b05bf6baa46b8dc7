"""A run may name a client host, which runs the clients of its remote paths, a session for each trial."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "e4a1c7d90b52"
down_revision = "e61c0a7f94b3"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
NOW = sa.text("clock_timestamp()")
PHASES = (
    "phase IN ('requested', 'accepted', 'offered', 'ready', 'warming', 'armed', 'measuring', "
    "'measured', 'collecting', 'collected', 'ended')"
)


def upgrade() -> None:
    """Apply."""
    op.add_column("run", sa.Column("client_host_id", sa.Text(), nullable=True))
    op.create_foreign_key(op.f("fk_run_client_host_id_host"), "run", "host", ["client_host_id"], ["id"])
    op.create_table(
        "client_session",
        sa.Column("trial_id", sa.Text(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("server_host_id", sa.Text(), nullable=False),
        sa.Column("client_host_id", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), server_default="requested", nullable=False),
        sa.Column("document", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("server_seen_at", TIME, server_default=NOW, nullable=False),
        sa.Column("client_seen_at", TIME, nullable=True),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("trial_id", name=op.f("pk_client_session")),
        sa.CheckConstraint(PHASES, name=op.f("ck_client_session_phase")),
        sa.CheckConstraint("server_host_id <> client_host_id", name=op.f("ck_client_session_hosts")),
        sa.ForeignKeyConstraint(
            ["trial_id"], ["trial.id"], name=op.f("fk_client_session_trial_id_trial"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["server_host_id"], ["host.id"], name=op.f("fk_client_session_server_host_id_host")
        ),
        sa.ForeignKeyConstraint(
            ["client_host_id"], ["host.id"], name=op.f("fk_client_session_client_host_id_host")
        ),
    )
    op.create_index(
        op.f("ix_client_session_client_host_id"),
        "client_session",
        ["client_host_id"],
        postgresql_where=sa.text("phase = 'requested'"),
    )


def downgrade() -> None:
    """Undo. Trials that wait for another host's client are measured as if their run named none."""
    op.drop_table("client_session")
    op.drop_column("run", "client_host_id")
