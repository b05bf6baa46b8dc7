"""Histories of experiments: kept results, shown changes, and who has seen them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "c4e1a97b3d20"
down_revision = "c83e1f50a2d7"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
NOW = sa.text("clock_timestamp()")
KINDS = "'result', 'centres', 'figures'"


def upgrade() -> None:
    """Apply."""
    op.drop_constraint(op.f("ck_derived_kind"), "derived", type_="check")
    op.create_check_constraint(op.f("ck_derived_kind"), "derived", f"kind IN ({KINDS}, 'history')")
    op.create_table(
        "derived_of_history",
        sa.Column("experiment_id", sa.Text(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("made_from", sa.Text(), nullable=False),
        sa.Column("revision", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", TIME, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("experiment_id", "host_id", name=op.f("pk_derived_of_history")),
        _belongs_to("derived_of_history", "experiment"),
        _belongs_to("derived_of_history", "host"),
    )
    _create_changes()
    op.create_table(
        "history_seen",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("seen_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("account_id", "team_id", name=op.f("pk_history_seen")),
        _belongs_to("history_seen", "account"),
        _belongs_to("history_seen", "team"),
    )


def _create_changes() -> None:
    op.create_table(
        "history_change",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("team_id", "experiment_id", "host_id")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("cell_id", "label", "metric")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("basis", "direction")),
        sa.Column("ratio", sa.Float(), nullable=False),
        sa.Column("p_adjusted", sa.Float(), nullable=False),
        sa.Column("after_time", TIME, nullable=False),
        sa.Column("until_time", TIME, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("notified", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("shown_at", TIME, server_default=NOW, nullable=False),
        sa.Column("withdrawn_at", TIME),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_history_change")),
        sa.CheckConstraint("basis IN ('ratios', 'values')", name=op.f("ck_history_change_basis")),
        sa.CheckConstraint("direction IN ('better', 'worse')", name=op.f("ck_history_change_direction")),
        *(_belongs_to("history_change", name) for name in ("team", "experiment", "host")),
    )
    op.create_index(op.f("ix_history_change_team_id_shown_at"), "history_change", ["team_id", "shown_at"])
    op.create_index(
        op.f("ix_history_change_experiment_id_host_id"), "history_change", ["experiment_id", "host_id"]
    )
    op.create_index(
        "ix_history_change_unnotified", "history_change", ["id"], postgresql_where=sa.text("NOT notified")
    )


def _belongs_to(table: str, other: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{other}_id_{other}")
    return sa.ForeignKeyConstraint([f"{other}_id"], [f"{other}.id"], name=name, ondelete="CASCADE")


def downgrade() -> None:
    """Undo. The results are computed again; when a change was first shown is lost."""
    op.drop_table("history_seen")
    op.drop_table("history_change")
    op.drop_table("derived_of_history")
    op.execute("DELETE FROM derived WHERE kind = 'history'")
    op.drop_constraint(op.f("ck_derived_kind"), "derived", type_="check")
    op.create_check_constraint(op.f("ck_derived_kind"), "derived", f"kind IN ({KINDS})")
