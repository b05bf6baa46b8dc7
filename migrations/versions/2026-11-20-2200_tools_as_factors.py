"""Tool, service and script become factors; a tool's per-second rate is no longer called tps.

Stored documents and records keep their meaning: `workload` moves to `factors`. The digest of an old document
is unchanged, so that submitting it again stores it a second time in the new form.
"""

from __future__ import annotations

from alembic import op

revision = "5d0c1f7a92be"
down_revision = "aca65f14825b"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.execute(
        """
        UPDATE experiment SET definition = jsonb_set(
            definition - 'workload', '{factors}',
            (definition -> 'factors') || jsonb_build_object(
                'tool', jsonb_build_array(definition #> '{workload,tool}'),
                'service', jsonb_build_array(definition #> '{workload,service}'),
                'script', jsonb_build_array(definition #> '{workload,script}')
            )
        )
        WHERE definition ? 'workload'
        """
    )
    op.execute(
        """
        UPDATE trial
        SET levels = levels || '{"tool": "pgbench", "service": "postgres", "script": "select_only"}'::jsonb
        WHERE NOT levels ? 'tool'
        """
    )
    _rename("tps", "rate")


def downgrade() -> None:
    """Undo. Documents with another tool than pgbench have no old form and stay as they are."""
    _rename("rate", "tps")
    op.execute("UPDATE trial SET levels = levels - 'tool' - 'service' - 'script' WHERE levels ? 'script'")
    op.execute(
        """
        UPDATE experiment SET definition = jsonb_set(
            definition - 'exclude', '{factors}', (definition -> 'factors') - 'tool' - 'service' - 'script'
        ) || jsonb_build_object('workload', jsonb_build_object(
            'tool', 'pgbench', 'service', 'postgres', 'script', 'select_only'
        ))
        WHERE definition #> '{factors,tool}' = '["pgbench"]' AND NOT definition ? 'workload'
        """
    )


def _rename(old: str, new: str) -> None:
    """Rename the rate in every point of every record's per-second series."""
    op.execute(
        f"""
        UPDATE result SET payload = jsonb_set(payload, '{{per_second}}', (
            SELECT jsonb_agg(
                (point - '{old}') || jsonb_build_object('{new}', point -> '{old}') ORDER BY place
            )
            FROM jsonb_array_elements(payload -> 'per_second') WITH ORDINALITY AS points (point, place)
        ))
        WHERE payload #> '{{per_second,0}}' ? '{old}'
        """
    )
