"""Interim analyses of a run with a stopping rule, each done once, under the run's lock.

The decision is a pure function of the trials before it (`core.chart.interim.interim_analysis`).
`run.next_interim_round` blocks claims of later rounds until it is made; after a crash the next claim makes it
from the same trials, with the same result.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Final

from sqlalchemy import select, text, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from backend.core.chart.interim.skipping import trials_to_skip
from backend.core.plan.states import RUN_ENDED
from backend.store.models import Run
from backend.store.repositories import events, runs, trial_sql
from backend.store.repositories.chart_inputs import read_figures

logger = logging.getLogger(__name__)

OPEN_BEFORE = text("""
    SELECT EXISTS (SELECT FROM trial
                    WHERE run_id = :run_id AND round <= :round AND state IN ('queued', 'running'))
""")

SKIP_TRIALS = text("""
    UPDATE trial SET state = 'spared', finished_at = clock_timestamp()
      FROM unnest(CAST(:cells AS text[]), CAST(:rounds AS integer[])) AS needless (cell_id, round)
     WHERE trial.run_id = :run_id AND trial.cell_id = needless.cell_id AND trial.round = needless.round
       AND trial.state = 'queued'
    RETURNING trial.id, trial.cell_id, trial.round, trial.seq
""")

UNREADABLE: Final = "run_unreadable"
FAIL_QUEUED = text("""
    UPDATE trial SET state = 'failed', finished_at = clock_timestamp(),
           failure_code = :code, failure_detail = :detail
     WHERE run_id = :run_id AND state = 'queued'
    RETURNING id, cell_id, round, seq
""")


def run_due(session: Session, run_id: str) -> int | None:
    """Do the next interim analysis if all trials before it have ended; returns the round of the next one.

    None: all remaining rounds may be claimed. Idempotent, callable at any time by any process. If a run
    cannot be analysed, its queued trials fail with the reason.
    """
    run = runs.lock(session, run_id)
    state = session.scalar(select(Run.state).where(Run.id == run_id))
    if run.next_interim_round is None or run.cancel_requested or state in RUN_ENDED:
        return None
    if session.execute(OPEN_BEFORE, {"run_id": run_id, "round": run.next_interim_round}).scalar_one():
        return run.next_interim_round
    try:
        data = read_figures(session, run_id)
        next_round, needless = (
            runs.interim_round_after(data.plan.interim_rounds, run.next_interim_round),
            trials_to_skip(data),
        )
    except SQLAlchemyError:
        raise
    except Exception as error:
        # A defect in one run's document or records must not block the other runs of the host.
        logger.exception("run %s cannot be evaluated; its queued trials fail", run_id)
        session.execute(update(Run).where(Run.id == run_id).values(next_interim_round=None))
        _fail_queued(
            session, run_id, f"the interim analysis after round {run.next_interim_round} failed: {error!r}"
        )
        return None
    session.execute(update(Run).where(Run.id == run_id).values(next_interim_round=next_round))
    skip_trials(session, run_id, needless)
    return next_round


def _fail_queued(session: Session, run_id: str, detail: str) -> None:
    """Fail every queued trial of a run."""
    given = {"run_id": run_id, "code": UNREADABLE, "detail": trial_sql.storable(detail[:500])}
    rows = sorted(session.execute(FAIL_QUEUED, given), key=lambda row: row.seq)
    trial_events = [
        runs.trial_event(row.id, row.cell_id, row.round, "failed", failure_code=UNREADABLE) for row in rows
    ]
    events.append(session, run_id, "trial", trial_events)
    if not runs.end_if_complete(session, run_id):
        runs.append_run_event(session, run_id)


def skip_trials(session: Session, run_id: str, needless: Collection[tuple[str, int]]) -> int:
    """Skip queued trials, given as (cell id, round); returns how many were skipped (state `spared`).

    The caller holds the run's lock. A trial that is no longer queued is left unchanged.
    """
    keys = list(needless)
    found = session.execute(
        SKIP_TRIALS,
        {"run_id": run_id, "cells": [cell for cell, _ in keys], "rounds": [round_ for _, round_ in keys]},
    )
    rows = sorted(found, key=lambda row: row.seq)
    trial_events = [runs.trial_event(row.id, row.cell_id, row.round, "spared") for row in rows]
    events.append(session, run_id, "trial", trial_events)
    if rows and not runs.end_if_complete(session, run_id):
        runs.append_run_event(session, run_id)
    return len(rows)
