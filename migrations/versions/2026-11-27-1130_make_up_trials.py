"""The function by which a worker's role queues make-up trials, and no other trial."""

from __future__ import annotations

from alembic import op

revision = "f2d86b51c04e"
down_revision = "e1c7a5409f3b"
branch_labels = None
depends_on = None

# Levels, host and age are those of the run's own trials. The caller chooses only which of the run's cells are
# measured again, in at most as many rounds as the plan says, once all others have ended.
_CREATE = """
CREATE FUNCTION queue_make_up(run text, ids text[], cells text[], rounds integer[], positions integer[],
                              seqs integer[]) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH planned AS (
        SELECT r.id, (r.plan #>> '{make_up,after_round}')::integer AS after_round,
               (r.plan #>> '{make_up,rounds}')::integer AS most
          FROM run r
         WHERE r.id = queue_make_up.run AND r.state = 'running' AND NOT r.cancel_requested
           AND jsonb_typeof(r.plan -> 'make_up') = 'object'
           AND NOT EXISTS (SELECT FROM trial t WHERE t.run_id = r.id AND t.state IN ('queued', 'running'))
    ), added AS (
        INSERT INTO trial (id, run_id, host_id, cell_id, round, position, seq, levels, created_at)
        SELECT new.id, planned.id, known.host_id, new.cell, new.round, new.position, new.seq, known.levels,
               known.created_at
          FROM planned
          JOIN unnest(ids, cells, rounds, positions, seqs) AS new (id, cell, round, position, seq)
            ON new.round > planned.after_round AND new.round <= planned.after_round + planned.most
          JOIN LATERAL (SELECT t.host_id, t.levels, t.created_at FROM trial t
                         WHERE t.run_id = planned.id AND t.cell_id = new.cell
                         ORDER BY t.round LIMIT 1) AS known ON true
        RETURNING 1
    )
    SELECT count(*) FROM added
$$
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_CREATE)
    op.execute(
        "REVOKE ALL ON FUNCTION queue_make_up(text, text[], text[], integer[], integer[], integer[]) "
        "FROM PUBLIC"
    )


def downgrade() -> None:
    """Undo."""
    op.execute("DROP FUNCTION queue_make_up(text, text[], text[], integer[], integer[], integer[])")
