"""Which runs are older than their team keeps them, and their deletion."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from backend.store.models import Team
from backend.store.repositories import audit, deletion
from backend.store.repositories.audit import Audited

_OLD = """
    r.finished_at < statement_timestamp() - make_interval(days => t.retention_days)
    AND NOT EXISTS (SELECT FROM run_star s WHERE s.run_id = r.id)
"""
# Of each team the oldest runs by themselves: joined, PostgreSQL would read and sort every run.
_OLDEST = text(f"""
    SELECT o.id, o.team_id, (SELECT count(*) FROM trial c WHERE c.run_id = o.id) AS trials
      FROM team t CROSS JOIN LATERAL (
           SELECT r.id, r.team_id, r.finished_at FROM run r WHERE r.team_id = t.id AND {_OLD}
            ORDER BY r.finished_at, r.id LIMIT :limit) o
     WHERE t.retention_days IS NOT NULL
     ORDER BY o.finished_at, o.id LIMIT :limit
""")
# The team's other transactions need not wait: its row is locked against a change of the retention only.
_STILL = text(f"""
    SELECT r.team_id FROM team t JOIN run r ON r.team_id = t.id
     WHERE r.id = :run_id AND {_OLD} FOR NO KEY UPDATE OF t FOR UPDATE OF r
""")

_PREVIEW = text("""
    WITH old AS (
        SELECT r.finished_at, coalesce(r.stored_bytes, 0) AS bytes,
               EXISTS (SELECT FROM run_star s WHERE s.run_id = r.id) AS starred
          FROM run r
         WHERE r.team_id = :team_id AND r.finished_at < statement_timestamp() - make_interval(days => :days)
    )
    SELECT count(*) FILTER (WHERE NOT starred) AS runs,
           CAST(coalesce(sum(bytes) FILTER (WHERE NOT starred), 0) AS bigint) AS stored_bytes,
           min(finished_at) FILTER (WHERE NOT starred) AS oldest_finished_at,
           count(*) FILTER (WHERE starred) AS starred_runs
      FROM old
""")


@dataclass(frozen=True)
class DueRuns:
    """How many runs and bytes a retention would delete, and how many old runs their stars keep."""

    runs: int
    stored_bytes: int
    oldest_finished_at: datetime | None
    starred_runs: int


@dataclass(frozen=True)
class DueRun:
    """A run that is older than its team keeps runs, with the number of its trials."""

    id: str
    team_id: str
    trials: int


def days(session: Session, team_id: str) -> int | None:
    """After how many days a team's runs are deleted; None: never."""
    return session.scalar(select(Team.retention_days).where(Team.id == team_id))


def set_days(session: Session, team_id: str, value: int | None) -> None:
    """Set after how many days a team's runs are deleted."""
    session.execute(update(Team).where(Team.id == team_id).values(retention_days=value))


def preview(session: Session, team_id: str, days_: int) -> DueRuns:
    """What a retention of so many days would delete now."""
    row = session.execute(_PREVIEW, {"team_id": team_id, "days": days_}).one()
    return DueRuns(**row._mapping)


def due(session: Session, limit: int) -> list[DueRun]:
    """The runs that are due, oldest first."""
    return [DueRun(**row._mapping) for row in session.execute(_OLDEST, {"limit": limit})]


def delete_due(session: Session, run_id: str) -> bool:
    """Delete a run that is still due, with a line in the audit log; False if it is not due any more."""
    found = session.execute(_STILL, {"run_id": run_id}).one_or_none()
    if found is None:
        return False
    deletion.delete_run(session, run_id)
    audit.add(session, _entry(found.team_id, run_id))
    return True


def _entry(team_id: str, run_id: str) -> Audited:
    return Audited(
        team_id=team_id,
        account_id=None,
        actor="retention",
        token_prefix=None,
        action="deleteRun",
        object=run_id,
        status=204,
        code=None,
        address="",
        request_id="",
    )
