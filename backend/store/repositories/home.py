"""What the first page shows beside answers: open runs, and what changed since a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from backend.core.plan.states import RunState
from backend.store.models import Run, RunEntry
from backend.store.repositories.history_changes import ChangedHistory, histories_since
from backend.store.repositories.hosts import ONLINE_S

MAX_OPEN: Final = 50
MAX_CHANGES: Final = 10
VISIT_MINUTES: Final = 30
"""Requests within so many minutes belong to one visit."""


@dataclass(frozen=True)
class EndedSince:
    """The newest of so many runs of an experiment that ended in the same state since the last visit."""

    id: str
    title: str
    state: RunState
    finished_at: datetime
    runs: int


@dataclass(frozen=True)
class ExcludedSince:
    """A trial that somebody excluded, or included again (without a reason), since the last visit."""

    run_id: str
    title: str
    trial_id: str
    reason: str | None
    by: str
    at: datetime


@dataclass(frozen=True)
class AnnotatedSince:
    """A run whose note or tags somebody changed since the last visit."""

    run_id: str
    title: str
    by: str
    at: datetime


@dataclass(frozen=True)
class HostSince:
    """A host that came, or whose worker was last seen, since the last visit."""

    name: str
    at: datetime


@dataclass(frozen=True)
class Changes:
    """What changed in a team since a time: of each kind the newest ones, of runs also the numbers."""

    since: datetime
    done: int
    incomplete: int
    cancelled: int
    runs: tuple[EndedSince, ...]
    exclusions: tuple[ExcludedSince, ...]
    notes: tuple[AnnotatedSince, ...]
    hosts_new: tuple[HostSince, ...]
    hosts_gone: tuple[HostSince, ...]
    histories: tuple[ChangedHistory, ...]


_COUNTS: Final = text("""
    SELECT count(*) FILTER (WHERE state = 'done') AS done,
           count(*) FILTER (WHERE state = 'incomplete') AS incomplete,
           count(*) FILTER (WHERE state = 'cancelled') AS cancelled
      FROM run WHERE team_id = :team_id AND finished_at > :since
""")
_ENDED: Final = text(f"""
    SELECT id, title, state, finished_at, runs
      FROM (SELECT r.id, e.title, r.state, r.finished_at,
                   count(*) OVER alike AS runs,
                   row_number() OVER (alike ORDER BY r.finished_at DESC) AS place
              FROM run r JOIN experiment e ON e.id = r.experiment_id
             WHERE r.team_id = :team_id AND r.finished_at > :since
            WINDOW alike AS (PARTITION BY r.experiment_id, r.state)) ended
     WHERE place = 1
     ORDER BY finished_at DESC LIMIT {MAX_CHANGES}
""")
# An exclusion has no team; those of the runs of the team that ended are found by the run.
_EXCLUDED: Final = text(f"""
    SELECT x.run_id, e.title, x.trial_id, x.reason, x.by, x.at
      FROM exclusion x
      JOIN run r ON r.id = x.run_id
      JOIN experiment e ON e.id = r.experiment_id
     WHERE x.at > :since AND r.team_id = :team_id
     ORDER BY x.id DESC LIMIT {MAX_CHANGES}
""")
_ANNOTATED: Final = text(f"""
    SELECT a.object AS run_id, e.title, a.actor AS by, max(a.at) AS at
      FROM audit a
      JOIN run r ON r.id = a.object
      JOIN experiment e ON e.id = r.experiment_id
     WHERE a.team_id = :team_id AND a.action = 'annotateRun' AND a.at > :since AND a.status < 400
       AND r.team_id = :team_id
     GROUP BY a.object, e.title, a.actor
     ORDER BY max(a.at) DESC LIMIT {MAX_CHANGES}
""")
_HOSTS_NEW: Final = text(f"""
    SELECT name, created_at AS at FROM host
     WHERE NOT imported AND created_at > :since ORDER BY created_at DESC LIMIT {MAX_CHANGES}
""")
_HOSTS_GONE: Final = text(f"""
    SELECT name, last_seen_at AS at FROM host
     WHERE NOT imported AND last_seen_at > :since
       AND last_seen_at < clock_timestamp() - interval '{ONLINE_S} s'
     ORDER BY last_seen_at DESC LIMIT {MAX_CHANGES}
""")
_VISIT: Final = text(f"""
    INSERT INTO home_visit AS v (account_id, team_id, since, seen_at)
    VALUES (:account_id, :team_id, clock_timestamp(), clock_timestamp())
    ON CONFLICT (account_id, team_id) DO UPDATE
       SET since = CASE WHEN :all THEN excluded.seen_at
                        WHEN v.seen_at < excluded.seen_at - interval '{VISIT_MINUTES} min' THEN v.seen_at
                        ELSE v.since END,
           seen_at = excluded.seen_at
""")
# A visit that has not been recorded yet is a new one: its changes are those since the last one was seen.
_SINCE: Final = text(f"""
    SELECT CASE WHEN seen_at < clock_timestamp() - interval '{VISIT_MINUTES} min' THEN seen_at ELSE since END
      FROM home_visit WHERE account_id = :account_id AND team_id = :team_id
""")


def open_runs(session: Session, team_id: str) -> list[str]:
    """The ids of a team's runs that have not ended, oldest first."""
    query = select(Run.id).where(Run.team_id == team_id, Run.finished_at.is_(None))
    return list(session.scalars(query.order_by(Run.created_at, Run.id).limit(MAX_OPEN)))


def authors(session: Session, run_ids: Sequence[str]) -> dict[str, str]:
    """Who started these runs, where that is known."""
    query = select(RunEntry.run_id, RunEntry.author).where(RunEntry.run_id.in_(list(run_ids)))
    return {row.run_id: row.author for row in session.execute(query) if row.author}


def number_open(session: Session, team_id: str) -> int:
    """How many runs of a team have not ended."""
    query = select(func.count()).select_from(Run)
    return session.scalar(query.where(Run.team_id == team_id, Run.finished_at.is_(None))) or 0


def last_visit(session: Session, account_id: str, team_id: str) -> datetime | None:
    """Since when an account has not seen the changes of a team; None before its first visit."""
    found: datetime | None = session.scalar(_SINCE, {"account_id": account_id, "team_id": team_id})
    return found


def visit(session: Session, account_id: str, team_id: str, all_seen: bool) -> None:
    """Record that an account sees the page now; `all_seen`: it has read the changes until now."""
    session.execute(_VISIT, {"account_id": account_id, "team_id": team_id, "all": all_seen})


def changes(session: Session, team_id: str, since: datetime, histories_seen_at: datetime | None) -> Changes:
    """What changed in a team since a time; of histories, what the account has not marked as seen."""
    values = {"team_id": team_id, "since": since}
    counts = session.execute(_COUNTS, values).one()
    return Changes(
        since=since,
        done=counts.done,
        incomplete=counts.incomplete,
        cancelled=counts.cancelled,
        runs=tuple(EndedSince(**row) for row in session.execute(_ENDED, values).mappings()),
        exclusions=tuple(ExcludedSince(**row) for row in session.execute(_EXCLUDED, values).mappings()),
        notes=tuple(AnnotatedSince(**row) for row in session.execute(_ANNOTATED, values).mappings()),
        hosts_new=tuple(HostSince(**row) for row in session.execute(_HOSTS_NEW, {"since": since}).mappings()),
        hosts_gone=tuple(
            HostSince(**row) for row in session.execute(_HOSTS_GONE, {"since": since}).mappings()
        ),
        histories=histories_since(session, team_id, max(since, histories_seen_at or since), MAX_CHANGES),
    )
