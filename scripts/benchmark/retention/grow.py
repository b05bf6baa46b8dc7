"""Makes a generated database larger: the database itself copies its runs, with small records."""

from __future__ import annotations

from typing import Final, LiteralString

import psycopg

Connection = psycopg.Connection[tuple[object, ...]]

_KEPT: Final = "'{metrics,window,transactions,cpu,quality,server}'"
"""The parts of a record that copies keep: what queries read."""
_RUN: Final = "'run_' || left(md5({} || %(copy)s), 16)"
_TRIAL: Final = "'trl_' || left(md5({} || %(copy)s), 16)"
_EARLIER: Final = "- make_interval(days => 30 * %(copy)s)"

# In the order of references. Ids are random, as the product's are: their entries go anywhere in an index.
_STATEMENTS: Final[tuple[LiteralString, ...]] = (
    f"""INSERT INTO run (id, team_id, experiment_id, host_id, state, plan, environment, note, tags,
                         stored_bytes, cancel_requested, created_at, started_at, finished_at)
        SELECT {_RUN.format("id")}, team_id, experiment_id, host_id, state, plan, environment, note, tags,
               stored_bytes, cancel_requested, created_at {_EARLIER}, started_at {_EARLIER},
               finished_at {_EARLIER}
          FROM first_run""",
    f"""INSERT INTO trial (id, run_id, host_id, cell_id, round, position, seq, levels, state, fence, attempts,
                           worker, failure_code, failure_detail, created_at, started_at, finished_at)
        SELECT {_TRIAL.format("t.id")}, {_RUN.format("t.run_id")}, host_id, cell_id, round, position, seq,
               levels, state, fence, attempts, worker, failure_code, failure_detail, created_at {_EARLIER},
               started_at {_EARLIER}, finished_at {_EARLIER}
          FROM trial t WHERE t.run_id IN (SELECT id FROM first_run)""",
    f"""INSERT INTO attempt (trial_id, fence, entry, worker, outcome, at)
        SELECT {_TRIAL.format("a.trial_id")}, a.fence, entry, a.worker, outcome, at {_EARLIER}
          FROM attempt a JOIN trial t ON t.id = a.trial_id WHERE t.run_id IN (SELECT id FROM first_run)""",
    f"""INSERT INTO result (run_id, cell_id, round, trial_id, fence, sha256, metrics, evidence_verdict,
                            payload, recorded_at)
        SELECT {_RUN.format("run_id")}, cell_id, round, {_TRIAL.format("trial_id")}, fence, sha256, metrics,
               evidence_verdict,
               (SELECT jsonb_object_agg(key, value) FROM jsonb_each(payload)
                 WHERE key = ANY(CAST({_KEPT} AS text[]))),
               recorded_at {_EARLIER}
          FROM result e WHERE e.run_id IN (SELECT id FROM first_run)""",
    f"""INSERT INTO event (run_id, kind, data, created_at)
        SELECT {_RUN.format("run_id")}, kind, data, created_at {_EARLIER}
          FROM event v WHERE v.run_id IN (SELECT id FROM first_run)""",
)


def grow(connection: Connection, copies: range) -> None:
    """Add copies of all runs, each earlier by 30 days; as superuser."""
    connection.execute("SET session_replication_role = replica")  # as in the generator
    connection.execute("SET synchronous_commit = off")
    connection.execute("CREATE TEMPORARY TABLE first_run AS SELECT * FROM run")
    connection.commit()
    for copy in copies:
        for statement in _STATEMENTS:
            connection.execute(statement, {"copy": copy})
        connection.commit()
