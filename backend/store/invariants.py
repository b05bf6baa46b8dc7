"""Checks of the database: no trial lost or duplicated, history complete.

I1 (lost): every planned trial exists; a run has ended if and only if all its trials have; only an interim
analysis skips trials or opens later rounds. I2 (duplicated): a trial has at most one result, of its current
fence. I5 (history): every claim is in the log, and every attempt that no longer holds its trial has an
outcome. The worker adds I3 (orphaned containers) and compares the results with its spool files.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from backend.settings import Settings
from backend.store.session import session_scope

CHECKS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "I1",
        "the run has ended, its trial has not",
        """SELECT t.id FROM trial t JOIN run r ON r.id = t.run_id
            WHERE r.finished_at IS NOT NULL AND t.state IN ('queued', 'running')""",
    ),
    (
        "I1",
        "all trials have ended, the run has not",
        """SELECT r.id FROM run r WHERE r.finished_at IS NULL AND NOT EXISTS
             (SELECT FROM trial t WHERE t.run_id = r.id AND t.state IN ('queued', 'running'))""",
    ),
    (
        "I1",
        "the run does not have the trials that were planned",
        """SELECT r.id FROM run r WHERE (r.plan #>> '{estimate,trials}')::int <>
             (SELECT count(*) FROM trial t WHERE t.run_id = r.id
                 AND t.round <= coalesce((r.plan #>> '{make_up,after_round}')::int, t.round))""",
    ),
    (
        "I1",
        "the run has more make-up rounds than its plan allows",
        """SELECT t.id FROM trial t JOIN run r ON r.id = t.run_id
            WHERE t.round > (r.plan #>> '{make_up,after_round}')::int
                            + (r.plan #>> '{make_up,rounds}')::int""",
    ),
    (
        "I1",
        "finished_at is missing on an ended trial, or set on an open one",
        "SELECT id FROM trial WHERE (finished_at IS NULL) <> (state IN ('queued', 'running'))",
    ),
    (
        "I1",
        "a trial is queued although its run was cancelled",
        """SELECT t.id FROM trial t JOIN run r ON r.id = t.run_id
            WHERE r.cancel_requested AND t.state = 'queued'""",
    ),
    (
        "I1",
        "the trial was skipped, but its run has no interim analyses",
        """SELECT t.id FROM trial t JOIN run r ON r.id = t.run_id
            WHERE t.state = 'spared' AND coalesce(r.plan -> 'looks', '[]'::jsonb) = '[]'::jsonb""",
    ),
    (
        "I1",
        "the trial was started before a due interim analysis",
        """SELECT t.id FROM trial t JOIN run r ON r.id = t.run_id
            WHERE t.round > r.next_look AND t.state IN ('running', 'done', 'failed')""",
    ),
    (
        "I2",
        "the trial is done and has no result",
        """SELECT t.id FROM trial t LEFT JOIN result e ON e.trial_id = t.id
            WHERE t.state = 'done' AND e.trial_id IS NULL""",
    ),
    (
        "I2",
        "the result belongs to another attempt or cell than its trial",
        """SELECT t.id FROM trial t JOIN result e ON e.trial_id = t.id
            WHERE (e.fence, e.run_id, e.cell_id, e.round) <> (t.fence, t.run_id, t.cell_id, t.round)""",
    ),
    (
        "I2",
        "the trial has a result, but its state is neither done nor failed",
        """SELECT t.id FROM trial t JOIN result e ON e.trial_id = t.id
            WHERE t.state NOT IN ('done', 'failed')""",
    ),
    (
        "I5",
        "a claim of the trial is missing from the log",
        """SELECT t.id FROM trial t WHERE t.fence <>
             (SELECT count(*) FROM attempt a WHERE a.trial_id = t.id AND a.entry = 'claimed')""",
    ),
    (
        "I5",
        "an attempt has no outcome",
        """SELECT a.trial_id || ', fence ' || a.fence FROM attempt a JOIN trial t ON t.id = a.trial_id
            WHERE a.entry = 'claimed' AND NOT (t.state = 'running' AND t.fence = a.fence)
              AND NOT EXISTS (SELECT FROM attempt e WHERE e.trial_id = a.trial_id AND e.fence = a.fence
                                 AND e.entry = 'ended')""",
    ),
    (
        "I5",
        "the attempt that holds the trial has an outcome",
        """SELECT t.id FROM trial t JOIN attempt e ON e.trial_id = t.id AND e.fence = t.fence
            WHERE t.state = 'running' AND e.entry = 'ended'""",
    ),
)


def violations(session: Session) -> list[str]:
    """One line per object that violates an invariant."""
    return [
        f"{name}: {what}: {row[0]}" for name, what, query in CHECKS for row in session.execute(text(query))
    ]


def check(settings: Settings) -> list[str]:
    """The violations in the database of the settings. Raises Unavailable."""
    with session_scope(settings) as session:
        return violations(session)
