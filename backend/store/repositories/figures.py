"""Figures of the queue for monitoring, in two short queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

# The partial index of the queue has the open trials only, so the cost does not grow with the stored ones.
_FIGURES: Final = text("""
    WITH open AS (
        SELECT host_id, count(*) FILTER (WHERE state = 'queued') AS queued,
               count(*) FILTER (WHERE state = 'running') AS running,
               extract(epoch FROM clock_timestamp()
                       - min(created_at) FILTER (WHERE state = 'queued')) AS oldest
          FROM trial WHERE state IN ('queued', 'running') GROUP BY host_id)
    SELECT h.name, extract(epoch FROM h.last_seen_at) AS last_seen, coalesce(o.queued, 0) AS queued,
           coalesce(o.running, 0) AS running, coalesce(o.oldest, 0) AS oldest,
           jsonb_array_length(jsonb_path_query_array(h.conditions, '$[*] ? (@.until == null)')) AS conditions
      FROM host h LEFT JOIN open o ON o.host_id = h.id WHERE NOT h.imported ORDER BY h.name
""")
_RUNS: Final = text("""
    SELECT count(*) FILTER (WHERE state = 'running') AS running,
           count(*) FILTER (WHERE state = 'queued') AS queued,
           pg_database_size(current_database()) AS bytes
      FROM run WHERE id IN (SELECT run_id FROM trial WHERE state IN ('queued', 'running'))
""")


@dataclass(frozen=True)
class HostFigures:
    """The queue of one host; `last_seen` in seconds since 1970, `oldest_queued_s` 0 without a trial."""

    name: str
    last_seen: float
    queued: int
    running: int
    oldest_queued_s: float
    conditions: int


@dataclass(frozen=True)
class Figures:
    """The queue by host, the runs that have not ended, and the database's size in bytes."""

    hosts: tuple[HostFigures, ...]
    queued_runs: int
    running_runs: int
    database_bytes: int


def read(session: Session) -> Figures:
    """The present figures."""
    hosts = tuple(
        HostFigures(
            row.name, float(row.last_seen), row.queued, row.running, float(row.oldest), row.conditions
        )
        for row in session.execute(_FIGURES)
    )
    runs = session.execute(_RUNS).one()
    return Figures(hosts, runs.queued, runs.running, runs.bytes)
