"""An index for the latest runs of an experiment on a host, and the words by which searches find verdicts."""

from __future__ import annotations

from alembic import op

revision = "b48f1c6d20e7"
down_revision = "a7d30c5e91b6"
branch_labels = None
depends_on = None

_NEW = "ix_run_experiment_id_host_id_finished_at"
_OLD = "ix_run_experiment_id"
_WORDS = {"verdict:equivalent": "verdict:equal", "verdict:unclear": "verdict:no-answer"}


def _rename(words: dict[str, str]) -> None:
    for old, new in words.items():
        op.execute(
            f"UPDATE run_entry SET terms = array_replace(terms, '{old}', '{new}') "
            f"WHERE terms @> ARRAY['{old}']"
        )


def upgrade() -> None:
    """Apply."""
    op.create_index(_NEW, "run", ["experiment_id", "host_id", "finished_at"])
    op.drop_index(_OLD, "run")
    _rename(_WORDS)


def downgrade() -> None:
    """Undo."""
    _rename({new: old for old, new in _WORDS.items()})
    op.create_index(_OLD, "run", ["experiment_id"])
    op.drop_index(_NEW, "run")
