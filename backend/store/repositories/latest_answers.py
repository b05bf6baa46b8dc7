"""The newest runs with an answer, and the runs after them that have none: of experiments and of a team.

A run has an answer where its kept verdict says so; one that was kept before verdicts said it counts by its
kind, and an equal one only where every comparison is (`RunVerdict` reads it alike). A run without an answer
never takes an answer's place: it is listed beside it, if it ended later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

MAX_RECENT: Final = 12
CONSIDERED: Final = 200
"""Newest ended runs that are read, of a team, or of one experiment on one host: so that their number
in all costs nothing."""

_HAS_ANSWER: Final = """
    coalesce(CAST(n.verdict ->> 'answered' AS boolean),
             n.verdict ->> 'kind' IN ('worse', 'better', 'mixed')
             OR n.verdict ->> 'kind' = 'equivalent'
                AND n.verdict #> '{counts,equivalent}' = n.verdict -> 'compared', false)
"""
# The newest run of each experiment on each host, and the newest one with an answer.
_RECENT: Final = text(f"""
    SELECT id
      FROM (SELECT DISTINCT ON (experiment_id, host_id, answers) id, finished_at, answers,
                   max(finished_at) FILTER (WHERE answers) OVER of_series AS answered
              FROM (SELECT r.id, r.experiment_id, r.host_id, r.finished_at, {_HAS_ANSWER} AS answers
                      FROM run r JOIN run_entry n ON n.run_id = r.id
                     WHERE r.team_id = :team_id AND r.finished_at IS NOT NULL AND n.archived_at IS NULL
                     ORDER BY r.finished_at DESC LIMIT {CONSIDERED}) ended
            WINDOW of_series AS (PARTITION BY experiment_id, host_id)
             ORDER BY experiment_id, host_id, answers, finished_at DESC) newest
     WHERE answers OR answered IS NULL OR finished_at > answered
     ORDER BY finished_at DESC LIMIT {MAX_RECENT}
""")
# Both subqueries stop at the first row of the index that they can use.
_ENDED: Final = f"""
    SELECT r.id, r.finished_at, {_HAS_ANSWER} AS answers
      FROM run r JOIN run_entry n ON n.run_id = r.id
     WHERE r.experiment_id = e.id AND r.host_id = :host_id AND r.finished_at IS NOT NULL
       AND n.archived_at IS NULL
     ORDER BY r.finished_at DESC LIMIT {CONSIDERED}
"""
LATEST: Final = f"""
    SELECT e.digest, answer.id AS answer, answer.finished_at AS answered_at, newest.id AS newest,
           newest.finished_at AS newest_at, active.id AS active
      FROM experiment e
      LEFT JOIN LATERAL (SELECT id, finished_at FROM ({_ENDED}) ended
                          ORDER BY finished_at DESC LIMIT 1) newest ON true
      LEFT JOIN LATERAL (SELECT id, finished_at FROM ({_ENDED}) ended
                          WHERE answers ORDER BY finished_at DESC LIMIT 1) answer ON true
      LEFT JOIN LATERAL (
           SELECT r.id FROM run r
            WHERE r.experiment_id = e.id AND r.host_id = :host_id AND r.finished_at IS NULL
            ORDER BY r.created_at LIMIT 1) active ON true
     WHERE e.team_id = :team_id AND e.digest = ANY(:digests)
"""
_LATEST: Final = text(LATEST)
_HOST_OF_NEWEST: Final = text("""
    SELECT r.host_id FROM run r
     WHERE r.team_id = :team_id AND r.finished_at IS NOT NULL AND r.origin = 'measured'
     ORDER BY r.finished_at DESC LIMIT 1
""")
_LOST: Final = text("""
    SELECT run_id, count(*) AS trials FROM trial
     WHERE run_id = ANY(:ids) AND (state = 'failed' OR (state = 'done' AND quality = 'contaminated'))
     GROUP BY run_id
""")


@dataclass(frozen=True)
class Latest:
    """The newest runs of a question on one host: one with an answer, a later one without, an open one.

    Each is a run's id, or None.
    """

    answer: str | None = None
    without_answer: str | None = None
    active: str | None = None


def recent_runs(session: Session, team_id: str) -> list[str]:
    """The ids of the newest answer of each experiment on each host, and of a later run without one.

    The newest first, without archived ones. Only the newest CONSIDERED ended runs of the team are read.
    """
    return list(session.scalars(_RECENT, {"team_id": team_id}))


def latest(session: Session, team_id: str, host_id: str, questions: Sequence[frozenset[str]]) -> list[Latest]:
    """For each question, a set of digests of definitions, the newest runs of a team on a host."""
    digests = sorted(frozenset().union(*questions))
    values = {"team_id": team_id, "host_id": host_id, "digests": digests}
    rows = session.execute(_LATEST, values).all()
    found = []
    for question in questions:
        own = [row for row in rows if row.digest in question]
        answer = max((r for r in own if r.answer), key=lambda r: r.answered_at, default=None)
        newest = max((r for r in own if r.newest), key=lambda r: r.newest_at, default=None)
        later = newest is not None and (answer is None or newest.newest_at > answer.answered_at)
        found.append(
            Latest(
                answer=None if answer is None else answer.answer,
                without_answer=newest.newest if newest is not None and later else None,
                active=next((row.active for row in own if row.active), None),
            )
        )
    return found


def host_of_newest_run(session: Session, team_id: str) -> str | None:
    """The id of the host of a team's newest ended run that was measured here; None without any."""
    found: str | None = session.scalar(_HOST_OF_NEWEST, {"team_id": team_id})
    return found


def lost_trials(session: Session, run_ids: Sequence[str]) -> dict[str, int]:
    """How many trials of these runs failed or were disturbed by the host, where there are any."""
    rows = session.execute(_LOST, {"ids": list(run_ids)})
    return {row.run_id: row.trials for row in rows}
