"""Accounts, teams, sessions, tokens, one-time links and the audit log; experiments and runs of a team."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "e83b1f0d62c7"
down_revision = "2b8e6f04d7a1"
branch_labels = None
depends_on = None

DEFAULT_TEAM = "tem_0000000000000000"
NOW = sa.text("clock_timestamp()")


def upgrade() -> None:
    """Apply. What is stored already belongs to the default team."""
    _create_accounts()
    _create_sessions()
    _create_api_tokens()
    _create_links()
    _create_audit()
    op.execute(f"INSERT INTO team (id, name) VALUES ('{DEFAULT_TEAM}', 'Team')")
    for table in ("experiment", "run", "idempotency_key"):
        op.add_column(table, sa.Column("team_id", sa.Text(), nullable=True))
        op.execute(f"UPDATE {table} SET team_id = '{DEFAULT_TEAM}'")
        op.alter_column(table, "team_id", nullable=False)
        op.create_foreign_key(
            op.f(f"fk_{table}_team_id_team"),
            table,
            "team",
            ["team_id"],
            ["id"],
            ondelete="CASCADE" if table == "idempotency_key" else None,
        )
    op.drop_constraint(op.f("uq_experiment_digest"), "experiment")
    op.create_unique_constraint(op.f("uq_experiment_team_id_digest"), "experiment", ["team_id", "digest"])
    op.create_index(op.f("ix_run_team_id_created_at"), "run", ["team_id", "created_at"])
    op.drop_constraint(op.f("pk_idempotency_key"), "idempotency_key")
    op.create_primary_key(op.f("pk_idempotency_key"), "idempotency_key", ["team_id", "key"])


def downgrade() -> None:
    """Undo. Fails if two teams have the same experiment, because the release before stores it once."""
    op.drop_constraint(op.f("pk_idempotency_key"), "idempotency_key")
    op.execute("DELETE FROM idempotency_key")
    op.create_primary_key(op.f("pk_idempotency_key"), "idempotency_key", ["key"])
    op.drop_index(op.f("ix_run_team_id_created_at"), "run")
    op.drop_constraint(op.f("uq_experiment_team_id_digest"), "experiment")
    op.create_unique_constraint(op.f("uq_experiment_digest"), "experiment", ["digest"])
    for table in ("idempotency_key", "run", "experiment"):
        op.drop_column(table, "team_id")
    for table in (
        "audit",
        "one_time_link",
        "api_token",
        "browser_session",
        "membership",
        "account",
        "team",
    ):
        op.drop_table(table)


def _time(name: str, nullable: bool = True, now: bool = False) -> sa.Column[sa.DateTime]:
    default = {"server_default": NOW} if now else {}
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable and not now, **default)


def _text(name: str, nullable: bool = False) -> sa.Column[sa.Text]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _reference(table: str, column: str, to: str, ondelete: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{to}")
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=name, ondelete=ondelete)


def _create_accounts() -> None:
    op.create_table(
        "team",
        _text("id"),
        _text("name"),
        _time("created_at", now=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team")),
        sa.UniqueConstraint("name", name=op.f("uq_team_name")),
    )
    op.create_table(
        "account",
        _text("id"),
        _text("name"),
        _text("email", nullable=True),
        _text("password_hash", nullable=True),
        sa.Column("installation_admin", sa.Boolean(), server_default="false", nullable=False),
        _time("disabled_at"),
        _time("created_at", now=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
    )
    op.create_index("uq_account_email", "account", [sa.text("lower(email)")], unique=True)
    op.create_table(
        "membership",
        _text("account_id"),
        _text("team_id"),
        _text("role"),
        _time("created_at", now=True),
        sa.PrimaryKeyConstraint("account_id", "team_id", name=op.f("pk_membership")),
        sa.CheckConstraint("role IN ('viewer', 'runner', 'admin')", name=op.f("ck_membership_role")),
        _reference("membership", "account_id", "account", "CASCADE"),
        _reference("membership", "team_id", "team", "CASCADE"),
    )
    op.create_index(op.f("ix_membership_team_id"), "membership", ["team_id"])


def _create_sessions() -> None:
    op.create_table(
        "browser_session",
        _text("id"),
        _text("account_id"),
        _text("team_id", nullable=True),
        _text("token_sha256"),
        _text("method"),
        _text("address"),
        _text("client"),
        _time("created_at", now=True),
        _time("last_used_at", now=True),
        _time("expires_at", nullable=False),
        _time("ended_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_browser_session")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_browser_session_token_sha256")),
        _reference("browser_session", "account_id", "account", "CASCADE"),
        _reference("browser_session", "team_id", "team", "SET NULL"),
    )
    op.create_index(op.f("ix_browser_session_account_id"), "browser_session", ["account_id"])


def _create_api_tokens() -> None:
    op.create_table(
        "api_token",
        _text("id"),
        _text("account_id"),
        _text("team_id"),
        _text("name"),
        _text("prefix"),
        _text("token_sha256"),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        _time("created_at", now=True),
        _time("expires_at"),
        _time("last_used_at"),
        _time("revoked_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_api_token_token_sha256")),
        _reference("api_token", "account_id", "account", "CASCADE"),
        _reference("api_token", "team_id", "team", "CASCADE"),
    )
    for column in ("account_id", "team_id"):
        op.create_index(op.f(f"ix_api_token_{column}"), "api_token", [column])


def _create_links() -> None:
    invitation = "(kind = 'invitation') = (team_id IS NOT NULL AND role IS NOT NULL)"
    op.create_table(
        "one_time_link",
        _text("id"),
        _text("kind"),
        _text("token_sha256"),
        _text("account_id", nullable=True),
        _text("team_id", nullable=True),
        _text("role", nullable=True),
        _text("email", nullable=True),
        _text("created_by", nullable=True),
        _time("created_at", now=True),
        _time("expires_at", nullable=False),
        _time("used_at"),
        _time("revoked_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_one_time_link")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_one_time_link_token_sha256")),
        sa.CheckConstraint("kind IN ('sign_in', 'invitation')", name=op.f("ck_one_time_link_kind")),
        sa.CheckConstraint(
            "(kind = 'sign_in') = (account_id IS NOT NULL)", name=op.f("ck_one_time_link_account")
        ),
        sa.CheckConstraint(invitation, name=op.f("ck_one_time_link_invitation")),
        _reference("one_time_link", "account_id", "account", "CASCADE"),
        _reference("one_time_link", "team_id", "team", "CASCADE"),
        _reference("one_time_link", "created_by", "account", "SET NULL"),
    )
    op.create_index(op.f("ix_one_time_link_team_id"), "one_time_link", ["team_id"])


def _create_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        _time("at", now=True),
        _text("team_id", nullable=True),
        _text("account_id", nullable=True),
        _text("actor"),
        _text("token_prefix", nullable=True),
        _text("action"),
        _text("object", nullable=True),
        sa.Column("status", sa.Integer(), nullable=False),
        _text("code", nullable=True),
        _text("address"),
        _text("request_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_team_id_id"), "audit", ["team_id", "id"])
