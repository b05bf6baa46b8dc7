"""The first tables: hosts, experiments, runs, trials, results, events and shares."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "aca65f14825b"
down_revision = None
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
CLOCK = sa.text("clock_timestamp()")
JSONB = postgresql.JSONB(astext_type=sa.Text())


def upgrade() -> None:
    """Apply."""
    _create_experiment()
    _create_host()
    _create_idempotency_key()
    _create_run()
    _create_event()
    _create_share()
    _create_trial()
    _create_attempt()
    _create_result()
    _make_append_only("attempt")


def downgrade() -> None:
    """Undo."""
    op.drop_table("result")
    op.drop_table("attempt")
    op.drop_table("trial")
    op.drop_table("share")
    op.drop_table("event")
    op.drop_table("run")
    op.drop_table("idempotency_key")
    op.drop_table("host")
    op.drop_table("experiment")
    op.execute("DROP FUNCTION refuse_change()")


def _create_experiment() -> None:
    op.create_table(
        "experiment",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("definition", JSONB, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, server_default=CLOCK, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_experiment")),
        sa.UniqueConstraint("digest", name=op.f("uq_experiment_digest")),
    )
    op.create_index(op.f("ix_experiment_created_at"), "experiment", ["created_at"])


def _create_host() -> None:
    op.create_table(
        "host",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("capabilities", JSONB, nullable=False),
        sa.Column("environment", JSONB, nullable=False),
        sa.Column("last_seen_at", MOMENT, nullable=False),
        sa.Column("created_at", MOMENT, server_default=CLOCK, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host")),
        sa.UniqueConstraint("name", name=op.f("uq_host_name")),
    )


def _create_idempotency_key() -> None:
    op.create_table(
        "idempotency_key",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, server_default=CLOCK, nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_idempotency_key")),
    )


def _create_run() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("experiment_id", sa.Text(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="queued", nullable=False),
        sa.Column("plan", JSONB, nullable=False),
        sa.Column("environment", JSONB, nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("created_at", MOMENT, server_default=CLOCK, nullable=False),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (state IN ('queued', 'running'))", name=op.f("ck_run_finished")
        ),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'cancelled', 'incomplete')", name=op.f("ck_run_state")
        ),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiment.id"], name=op.f("fk_run_experiment_id_experiment")
        ),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_run_host_id_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_index(op.f("ix_run_created_at"), "run", ["created_at"])
    op.create_index(op.f("ix_run_experiment_id"), "run", ["experiment_id"])
    op.create_index(op.f("ix_run_host_id"), "run", ["host_id"])


def _create_event() -> None:
    op.create_table(
        "event",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", JSONB, nullable=False),
        sa.Column("created_at", MOMENT, server_default=CLOCK, nullable=False),
        sa.CheckConstraint("kind IN ('run', 'trial')", name=op.f("ck_event_kind")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_event_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_index(op.f("ix_event_run_id_id"), "event", ["run_id", "id"])


def _create_share() -> None:
    op.create_table(
        "share",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("token_sha256", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, server_default=CLOCK, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_share_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_share")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_share_token_sha256")),
    )
    op.create_index(op.f("ix_share_run_id"), "share", ["run_id"])


def _create_trial() -> None:
    op.create_table(
        "trial",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("cell_id", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("levels", JSONB, nullable=False),
        sa.Column("state", sa.Text(), server_default="queued", nullable=False),
        sa.Column("fence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("failure_code", sa.Text(), nullable=True),
        sa.Column("failure_detail", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.CheckConstraint("(state = 'failed') = (failure_code IS NOT NULL)", name=op.f("ck_trial_failure")),
        sa.CheckConstraint("(state = 'running') = (lease_until IS NOT NULL)", name=op.f("ck_trial_lease")),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')", name=op.f("ck_trial_state")
        ),
        sa.ForeignKeyConstraint(["host_id"], ["host.id"], name=op.f("fk_trial_host_id_host")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_trial_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trial")),
        sa.UniqueConstraint("run_id", "cell_id", "round", name=op.f("uq_trial_run_id_cell_id_round")),
        sa.UniqueConstraint("run_id", "seq", name=op.f("uq_trial_run_id_seq")),
    )
    op.create_index(
        "ix_trial_queue",
        "trial",
        ["host_id", "created_at", "run_id", "seq"],
        postgresql_where=sa.text("state IN ('queued', 'running')"),
    )


def _create_attempt() -> None:
    op.create_table(
        "attempt",
        sa.Column("trial_id", sa.Text(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("at", MOMENT, server_default=CLOCK, nullable=False),
        sa.CheckConstraint("(entry = 'ended') = (outcome IS NOT NULL)", name=op.f("ck_attempt_outcome")),
        sa.CheckConstraint("entry IN ('claimed', 'ended')", name=op.f("ck_attempt_entry")),
        sa.ForeignKeyConstraint(["trial_id"], ["trial.id"], name=op.f("fk_attempt_trial_id_trial")),
        sa.PrimaryKeyConstraint("trial_id", "fence", "entry", name=op.f("pk_attempt")),
    )


def _create_result() -> None:
    op.create_table(
        "result",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("cell_id", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("trial_id", sa.Text(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("metrics", JSONB, nullable=False),
        sa.Column("evidence_verdict", sa.Text(), nullable=False),
        sa.Column("payload", JSONB, nullable=False),
        sa.Column("recorded_at", MOMENT, server_default=CLOCK, nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_result_run_id_run")),
        sa.ForeignKeyConstraint(["trial_id"], ["trial.id"], name=op.f("fk_result_trial_id_trial")),
        sa.PrimaryKeyConstraint("run_id", "cell_id", "round", name=op.f("pk_result")),
        sa.UniqueConstraint("trial_id", name=op.f("uq_result_trial_id")),
    )


def _make_append_only(table: str) -> None:
    op.execute("""
        CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'table % is append-only', TG_TABLE_NAME;
        END $$
    """)
    op.execute(f"""
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """)
