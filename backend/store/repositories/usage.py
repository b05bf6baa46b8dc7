"""What a team uses of each quota, computed from its runs and from what belongs to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

DAY_S: Final = 86_400
TRIAL_BYTES: Final = 600
"""Bytes of a trial's row and index entries without its levels (measured: `tests/store/test_usage.py`)."""
ROW_BYTES: Final = 150
"""Bytes of another row and its index entries without its documents."""


@dataclass(frozen=True)
class Usage:
    """The present use of a team's quotas.

    `host_seconds` are those of the trials that ran within the last 24 h; `planned_seconds` the estimate for
    all trials that still have to run.
    """

    queued_trials: int
    active_runs: int
    host_seconds: float
    planned_seconds: float
    stored_bytes: int


_OF_TEAM: Final = "r.team_id = :team"
_STORED: Final = f"""
    pg_column_size(r.plan) + coalesce(pg_column_size(r.environment), 0) + {ROW_BYTES}
    + coalesce((SELECT sum({TRIAL_BYTES} + pg_column_size(t.levels)) FROM trial t WHERE t.run_id = r.id), 0)
    + coalesce((SELECT sum({ROW_BYTES} + pg_column_size(e.payload) + pg_column_size(e.metrics))
                  FROM result e WHERE e.run_id = r.id), 0)
    + coalesce((SELECT sum({ROW_BYTES} + pg_column_size(v.data)) FROM event v WHERE v.run_id = r.id), 0)
    + coalesce((SELECT sum({ROW_BYTES} + pg_column_size(c.levels) + coalesce(pg_column_size(c.profile), 0))
                  FROM cell_profile c WHERE c.run_id = r.id), 0)
"""

_OPEN_RUNS = text(f"""
    SELECT count(*) AS runs, coalesce(sum(o.queued), 0)::bigint AS queued,
           coalesce(sum(o.queued * o.trial_s), 0)::float8 AS planned_s,
           coalesce(sum(o.stored), 0)::bigint AS stored
      FROM (SELECT (SELECT count(*) FROM trial t WHERE t.run_id = r.id AND t.state = 'queued') AS queued,
                   coalesce((r.plan #>> '{{estimate,seconds}}')::float8, 0)
                     / greatest((r.plan #>> '{{estimate,trials}}')::int, 1) AS trial_s,
                   {_STORED} AS stored
              FROM run r WHERE r.finished_at IS NULL AND {_OF_TEAM}) o
""")

# The trials are added up for each run: joined, PostgreSQL would read every trial of the database.
_HOST_SECONDS = text(
    f"""
    SELECT coalesce(sum(u.seconds), 0)::float8
      FROM run r CROSS JOIN LATERAL (
           SELECT sum(extract(epoch FROM coalesce(t.finished_at, clock_timestamp())
                                         - greatest(t.started_at, {{since}}))) AS seconds
             FROM trial t
            WHERE t.run_id = r.id AND t.started_at IS NOT NULL
              AND coalesce(t.finished_at, clock_timestamp()) > {{since}}) u
     WHERE {_OF_TEAM} AND (r.finished_at IS NULL OR r.finished_at > {{since}})
""".format(since="statement_timestamp() - make_interval(secs => :day)")
)

_NOTES: Final = "pg_column_size(r.note) + pg_column_size(r.tags)"
# Sizes are those in storage: PostgreSQL reads them without reading a long value. Of ended runs without notes,
# which are most rows, only the index is read.
_STORED_BYTES = text(f"""
    SELECT coalesce(sum(part.bytes), 0)::bigint
      FROM (SELECT sum(r.stored_bytes) FROM run r WHERE {_OF_TEAM} AND r.finished_at IS NOT NULL
            UNION ALL
            SELECT sum({_NOTES}) FROM run r WHERE {_OF_TEAM} AND (r.note <> '' OR r.tags <> '[]'::jsonb)
            UNION ALL
            SELECT sum({ROW_BYTES} + pg_column_size(r.definition) + {_NOTES})
              FROM experiment r WHERE {_OF_TEAM}
            UNION ALL
            SELECT sum({ROW_BYTES} + pg_column_size(r.hosts)) FROM run_group r WHERE {_OF_TEAM}
            UNION ALL
            SELECT sum({ROW_BYTES} + coalesce(pg_column_size(s.snapshot), 0))
              FROM share s JOIN run r ON r.id = s.run_id WHERE {_OF_TEAM}
            UNION ALL
            SELECT sum({ROW_BYTES} + coalesce(pg_column_size(x.reason), 0))
              FROM exclusion x JOIN run r ON r.id = x.run_id WHERE {_OF_TEAM}
            UNION ALL
            SELECT sum({ROW_BYTES} + pg_column_size(d.body))
              FROM webhook_delivery d JOIN webhook r ON r.id = d.webhook_id WHERE {_OF_TEAM}) part (bytes)
""")

_SET_STORED = text(f"UPDATE run r SET stored_bytes = {_STORED} WHERE r.id = :run_id")


def lock(session: Session, team_id: str) -> None:
    """Serialise the checks of a team's quotas until the end of the transaction."""
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"quota {team_id}", 0))))


def read(session: Session, team_id: str) -> Usage:
    """The present use of a team's quotas."""
    open_ = session.execute(_OPEN_RUNS, {"team": team_id}).one()
    host_s: float = session.execute(_HOST_SECONDS, {"day": DAY_S, "team": team_id}).scalar_one()
    stored: int = session.execute(_STORED_BYTES, {"team": team_id}).scalar_one()
    return Usage(open_.queued, open_.runs, host_s, open_.planned_s, stored + open_.stored)


def set_stored_bytes(session: Session, run_id: str) -> None:
    """Keep what an ended run stores, so that later checks need not add up its rows.

    What people add to it afterwards is not in it: notes, tags, links and exclusions.
    """
    session.execute(_SET_STORED, {"run_id": run_id})


@dataclass(frozen=True)
class LargeRun:
    """An ended run and what it stores; `starred` by anybody, so that retention keeps it."""

    id: str
    experiment_id: str
    title: str
    host: str
    trials: int
    stored_bytes: int
    finished_at: datetime
    starred: bool


_LARGEST = text("""
    SELECT r.id, r.experiment_id, e.title, h.name AS host, r.stored_bytes, r.finished_at,
           (SELECT count(*) FROM trial t WHERE t.run_id = r.id) AS trials,
           EXISTS (SELECT FROM run_star s WHERE s.run_id = r.id) AS starred
      FROM (SELECT * FROM run WHERE team_id = :team AND stored_bytes IS NOT NULL
             ORDER BY stored_bytes DESC, id LIMIT :limit) r
      JOIN experiment e ON e.id = r.experiment_id
      JOIN host h ON h.id = r.host_id
     ORDER BY r.stored_bytes DESC, r.id
""")


def largest_runs(session: Session, team_id: str, limit: int) -> list[LargeRun]:
    """The ended runs of a team that store most, largest first."""
    rows = session.execute(_LARGEST, {"team": team_id, "limit": limit})
    return [LargeRun(**row._mapping) for row in rows]


@dataclass(frozen=True)
class StoredOf:
    """What is stored under a name: a table of the database, or a team's ended runs."""

    id: str
    name: str
    bytes: int


def database_bytes(session: Session) -> int:
    """What the database takes on its disk."""
    found: int = session.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
    return found


def by_table(session: Session) -> list[StoredOf]:
    """The tables with their indexes and long values, largest first."""
    query = text("""
        SELECT relname AS id, relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY bytes DESC, relname
    """)
    return [StoredOf(**row._mapping) for row in session.execute(query)]


def by_team(session: Session) -> list[StoredOf]:
    """The teams with what their ended runs store, largest first."""
    query = text("""
        SELECT t.id, t.name, coalesce((SELECT sum(r.stored_bytes) FROM run r
                WHERE r.team_id = t.id AND r.finished_at IS NOT NULL), 0)::bigint AS bytes
          FROM team t ORDER BY bytes DESC, t.name
    """)
    return [StoredOf(**row._mapping) for row in session.execute(query)]
