"""Which runs make the history of an experiment on a host, and its kept result."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.store.ids import is_id

MOST_RUNS: Final = 60
"""Runs of a history: the newest."""
MOST_VERSIONS: Final = 10
"""Other experiments of the same name."""
MOST_HISTORIES: Final = 200
"""Histories of a list: those with the newest runs."""

_COUNTS: Final = (
    "r.state IN ('done', 'incomplete') AND r.origin = 'measured' AND r.started_at IS NOT NULL"
    " AND r.extends_run_id IS NULL"
)
_HOSTS: Final = text(f"""
    SELECT h.id, h.name, count(*) AS runs
      FROM run r JOIN host h ON h.id = r.host_id
     WHERE r.experiment_id = :experiment_id AND {_COUNTS}
     GROUP BY h.id, h.name ORDER BY max(r.started_at) DESC, h.name
""")
_RUNS: Final = text(f"""
    SELECT r.id, r.started_at,
           coalesce((SELECT max(e.id) FROM event e WHERE e.run_id = r.id), 0) AS event_id,
           coalesce((SELECT max(x.id) FROM exclusion x WHERE x.run_id = r.id), 0) AS exclusion
      FROM run r
     WHERE r.experiment_id = :experiment_id AND r.host_id = :host_id AND {_COUNTS}
     ORDER BY r.started_at DESC, r.id DESC LIMIT :most
""")
_VERSIONS: Final = text(f"""
    SELECT r.experiment_id, count(*) AS runs, (array_agg(r.id ORDER BY r.started_at DESC))[1] AS newest
      FROM run r
      JOIN experiment e ON e.id = r.experiment_id
      JOIN experiment own ON own.id = :experiment_id AND own.team_id = e.team_id AND own.name = e.name
     WHERE r.host_id = :host_id AND e.id <> own.id AND {_COUNTS}
     GROUP BY r.experiment_id ORDER BY max(r.started_at) DESC LIMIT :most
""")
_LIST: Final = text(f"""
    SELECT r.experiment_id, e.name, e.title, h.name AS host, count(*) AS runs,
           max(r.started_at) AS last_run_at
      FROM run r
      JOIN experiment e ON e.id = r.experiment_id
      JOIN host h ON h.id = r.host_id
     WHERE r.team_id = :team_id AND {_COUNTS}
       AND (CAST(:experiment_id AS text) IS NULL OR r.experiment_id = :experiment_id)
     GROUP BY r.experiment_id, e.name, e.title, h.name
     ORDER BY max(r.started_at) DESC, r.experiment_id LIMIT :most
""")
_FIND: Final = text("""
    SELECT body FROM derived_of_history
     WHERE experiment_id = :experiment_id AND host_id = :host_id
       AND made_from = :made_from AND revision = :revision
""")
# An experiment that was deleted meanwhile keeps nothing.
_KEEP: Final = text("""
    INSERT INTO derived_of_history (experiment_id, host_id, made_from, revision, body)
    SELECT e.id, h.id, :made_from, :revision, :body
      FROM experiment e, host h WHERE e.id = :experiment_id AND h.id = :host_id FOR KEY SHARE
    ON CONFLICT (experiment_id, host_id) DO UPDATE
       SET made_from = excluded.made_from, revision = excluded.revision,
           body = excluded.body, made_at = excluded.made_at
""")


@dataclass(frozen=True)
class HostRuns:
    """A host and the number of runs that count."""

    id: str
    name: str
    runs: int


@dataclass(frozen=True)
class OtherExperiment:
    """Another experiment of the same name: the number of its runs on the host, and the newest one."""

    experiment_id: str
    runs: int
    newest: str


@dataclass(frozen=True)
class HistoryRuns:
    """What a history is made from: its newest runs in the order of their starts, and a digest of it all."""

    experiment_id: str
    host: HostRuns
    hosts: list[HostRuns]
    runs: list[tuple[str, datetime]]
    others: list[OtherExperiment]
    digest: str


def find_runs(session: Session, experiment_id: str, host: str | None) -> HistoryRuns:
    """The runs of a history; without a host, of that with the newest run. Raises NotFound without a run."""
    values = {"experiment_id": experiment_id}
    rows = session.execute(_HOSTS, values).all() if is_id("exp", experiment_id) else []
    hosts = [HostRuns(row.id, row.name, row.runs) for row in rows]
    chosen = next((one for one in hosts if host in (None, one.name)), None)
    if chosen is None:
        where = "" if host is None else f" on {host}"
        raise NotFound(f"no run of this experiment has ended{where}: a history begins with the first one")
    of_host = values | {"host_id": chosen.id}
    newest = session.execute(_RUNS, of_host | {"most": MOST_RUNS}).all()[::-1]
    others = [
        OtherExperiment(row.experiment_id, row.runs, row.newest)
        for row in session.execute(_VERSIONS, of_host | {"most": MOST_VERSIONS})
    ]
    parts = [f"{one.name} {one.runs}" for one in hosts]
    parts += [f"{row.id} {row.event_id} {row.exclusion}" for row in newest]
    parts += [f"{one.experiment_id} {one.runs} {one.newest}" for one in others]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    runs = [(row.id, row.started_at) for row in newest]
    return HistoryRuns(experiment_id, chosen, hosts, runs, others, digest)


def find(session: Session, runs: HistoryRuns, revision: str) -> bytes | None:
    """The kept history that was computed from exactly these runs."""
    found: bytes | None = session.scalar(_FIND, _key(runs, revision))
    return found


def keep(session: Session, runs: HistoryRuns, revision: str, body: bytes) -> None:
    """Keep a history in place of an earlier one."""
    session.execute(_KEEP, _key(runs, revision) | {"body": body})


def _key(runs: HistoryRuns, revision: str) -> dict[str, str]:
    return {
        "experiment_id": runs.experiment_id,
        "host_id": runs.host.id,
        "made_from": runs.digest,
        "revision": revision,
    }


@dataclass(frozen=True)
class ListedHistory:
    """A history of a list, with the number of its runs."""

    experiment_id: str
    name: str
    title: str
    host: str
    runs: int
    last_run_at: datetime


def of_team(session: Session, team_id: str, experiment_id: str | None = None) -> Sequence[ListedHistory]:
    """The histories of a team with the newest runs, or of one of its experiments, newest first."""
    values = {"team_id": team_id, "experiment_id": experiment_id, "most": MOST_HISTORIES}
    rows = session.execute(_LIST, values)
    return [
        ListedHistory(row.experiment_id, row.name, row.title, row.host, row.runs, row.last_run_at)
        for row in rows
    ]
