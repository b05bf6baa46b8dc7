"""Entries of runs in the library with their verdicts, saved searches, and visits of the first page."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "c2e71a90d4b3"
down_revision = "b7d2f04ac913"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
NOW = sa.text("clock_timestamp()")
FALSE = sa.text("false")

# The author of a run is in the audit log; the account may be gone. The API computes the verdicts afterwards.
ENTRIES = """
    INSERT INTO run_entry (run_id, team_id, created_at, author_id, author, searchable, terms, verdict_due,
                           excluded)
    SELECT r.id, r.team_id, r.created_at, a.id, coalesce(w.actor, ''),
           lower(concat_ws(E'\\n', e.name, e.title, h.name, nullif(r.note, ''), w.actor,
               (SELECT string_agg(tag, ' ') FROM jsonb_array_elements_text(r.tags) tag))),
           ARRAY(
             SELECT DISTINCT lower(l.key || ':' || l.value)
               FROM jsonb_array_elements(r.plan -> 'cells') cell, jsonb_each_text(cell -> 'levels') l
              UNION SELECT lower('host:' || h.name)
              UNION SELECT 'tag:' || tag FROM jsonb_array_elements_text(r.tags) tag
              UNION SELECT lower('author:' || w.actor) WHERE w.actor IS NOT NULL),
           r.finished_at IS NOT NULL,
           (SELECT count(*) FROM (SELECT DISTINCT ON (x.trial_id) x.action FROM exclusion x
                                   WHERE x.run_id = r.id ORDER BY x.trial_id, x.id DESC) last
             WHERE last.action = 'excluded')
      FROM run r
      JOIN experiment e ON e.id = r.experiment_id
      JOIN host h ON h.id = r.host_id
      LEFT JOIN (SELECT DISTINCT ON (created) created, actor, account_id FROM audit
                  WHERE action IN ('startRun', 'startRunGroup', 'importRun') AND created IS NOT NULL
                    AND status < 400
                  ORDER BY created, id) w ON w.created = coalesce(r.group_id, r.id)
      LEFT JOIN account a ON a.id = w.account_id
"""


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "run_entry",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("author_id", sa.Text()),
        sa.Column("author", sa.Text(), server_default="", nullable=False),
        sa.Column("archived_at", TIME),
        sa.Column("searchable", sa.Text(), nullable=False),
        sa.Column("terms", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("verdict", postgresql.JSONB()),
        sa.Column("verdict_due", sa.Boolean(), server_default=FALSE, nullable=False),
        sa.Column("excluded", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_run_entry")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.id"], name=op.f("fk_run_entry_run_id_run"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f("fk_run_entry_team_id_team")),
        sa.ForeignKeyConstraint(
            ["author_id"], ["account.id"], name=op.f("fk_run_entry_author_id_account"), ondelete="SET NULL"
        ),
    )
    op.execute(ENTRIES)
    op.create_index(
        op.f("ix_run_entry_team_id_created_at_run_id"), "run_entry", ["team_id", "created_at", "run_id"]
    )
    op.create_index(op.f("ix_run_entry_terms"), "run_entry", ["terms"], postgresql_using="gin")
    op.create_index(
        "ix_run_entry_verdict_due", "run_entry", ["created_at"], postgresql_where=sa.text("verdict_due")
    )
    _create_home_visit()
    _create_library_view()


def _create_home_visit() -> None:
    op.create_table(
        "home_visit",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("since", TIME, nullable=False),
        sa.Column("seen_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("account_id", "team_id", name=op.f("pk_home_visit")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_home_visit_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_home_visit_team_id_team"), ondelete="CASCADE"
        ),
    )


def _create_library_view() -> None:
    op.create_table(
        "library_view",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text()),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_library_view")),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_library_view_team_id_team"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["account.id"],
            name=op.f("fk_library_view_account_id_account"),
            ondelete="SET NULL",
        ),
    )
    op.create_index(op.f("ix_library_view_team_id_account_id"), "library_view", ["team_id", "account_id"])


def downgrade() -> None:
    """Undo. Lost are saved searches, which runs are archived, and when accounts saw the first page."""
    op.drop_table("library_view")
    op.drop_table("home_visit")
    op.drop_table("run_entry")
