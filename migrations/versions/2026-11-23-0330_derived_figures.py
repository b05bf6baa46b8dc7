"""The figures that a comparison takes from an ended run, as a kind of kept document."""

from __future__ import annotations

from alembic import op

revision = "c93b5e7a1d48"
down_revision = "a84d2c6e7f15"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.drop_constraint(op.f("ck_derived_kind"), "derived", type_="check")
    op.create_check_constraint(op.f("ck_derived_kind"), "derived", "kind IN ('result', 'centres', 'figures')")


def downgrade() -> None:
    """Revert."""
    op.execute("DELETE FROM derived WHERE kind = 'figures'")
    op.drop_constraint(op.f("ck_derived_kind"), "derived", type_="check")
    op.create_check_constraint(op.f("ck_derived_kind"), "derived", "kind IN ('result', 'centres')")
