"""Deletion of runs: their trials, results, events and links go with them; the log of attempts stays whole."""

from __future__ import annotations

from alembic import op

revision = "2b8e6f04d7a1"
down_revision = "7d1f5be2c903"
branch_labels = None
depends_on = None

KEYS = (
    ("event", "run_id", "run"),
    ("share", "run_id", "run"),
    ("trial", "run_id", "run"),
    ("result", "run_id", "run"),
    ("result", "trial_id", "trial"),
    ("attempt", "trial_id", "trial"),
)


def upgrade() -> None:
    """Apply."""
    _make_keys("CASCADE")
    op.execute("DROP TRIGGER append_only ON attempt")
    op.execute("""
        CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON attempt
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """)
    # A cascade deletes a row after its parent, which this function then no longer sees.
    op.execute("""
        CREATE FUNCTION refuse_deletion_of_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM trial WHERE trial.id = OLD.trial_id) THEN
                RAISE EXCEPTION 'table attempt is append-only';
            END IF;
            RETURN OLD;
        END $$
    """)
    op.execute("""
        CREATE TRIGGER kept_with_its_trial BEFORE DELETE ON attempt
            FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_attempt()
    """)


def downgrade() -> None:
    """Undo."""
    op.execute("DROP TRIGGER kept_with_its_trial ON attempt")
    op.execute("DROP FUNCTION refuse_deletion_of_attempt()")
    op.execute("DROP TRIGGER append_only ON attempt")
    op.execute("""
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON attempt
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """)
    _make_keys(None)


def _make_keys(ondelete: str | None) -> None:
    for table, column, parent in KEYS:
        name = f"fk_{table}_{column}_{parent}"
        op.drop_constraint(name, table, type_="foreignkey")
        op.create_foreign_key(name, table, parent, [column], ["id"], ondelete=ondelete)
