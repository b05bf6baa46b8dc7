"""The looks of a run that spends its rounds where they decide: taken once, under the run's lock.

What a look decides is pure in the trials before it (`core.chart.interim.interim_analysis`). `run.next_look`
says which look comes next and holds back every claim beyond it, so that a look which a crash prevented is
taken by the next claim, from the same trials and with the same outcome.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Final

from sqlalchemy import select, text, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from backend.core.chart.interim.interim_analysis import next_stage
from backend.store.models import Run
from backend.store.repositories import events, fenced, runs
from backend.store.repositories.chart_rows import read_figures
from backend.store.states import RUN_ENDED

logger = logging.getLogger(__name__)

OPEN_BEFORE = text("""
    SELECT EXISTS (SELECT FROM trial
                    WHERE run_id = :run_id AND round <= :round AND state IN ('queued', 'running'))
""")

SPARE = text("""
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


def take_due(session: Session, run_id: str) -> int | None:
    """Take the next look of a run if all trials before it have ended; returns the round of the look after.

    None: no claim is held back any more. May be called at any time, again, and by anybody. A run that cannot
    be evaluated loses its queued trials, with the reason.
    """
    run = runs.lock(session, run_id)
    state = session.scalar(select(Run.state).where(Run.id == run_id))
    if run.next_look is None or run.cancel_requested or state in RUN_ENDED:
        return None
    if session.execute(OPEN_BEFORE, {"run_id": run_id, "round": run.next_look}).scalar_one():
        return run.next_look
    try:
        data = read_figures(session, run_id)
        following, needless = runs.look_after(data.plan.interim_rounds, run.next_look), next_stage(data)
    except SQLAlchemyError:
        raise
    except Exception as error:
        # Whatever is wrong with this run's document or records must not keep the host from all others.
        logger.exception("run %s cannot be evaluated; its queued trials fail", run_id)
        session.execute(update(Run).where(Run.id == run_id).values(next_look=None))
        _fail_queued(session, run_id, f"the interim analysis after round {run.next_look} failed: {error!r}")
        return None
    session.execute(update(Run).where(Run.id == run_id).values(next_look=following))
    spare(session, run_id, needless)
    return following


def _fail_queued(session: Session, run_id: str, detail: str) -> None:
    """End every queued trial of a run as failed, for a reason that is none of theirs."""
    given = {"run_id": run_id, "code": UNREADABLE, "detail": fenced.storable(detail[:500])}
    rows = sorted(session.execute(FAIL_QUEUED, given), key=lambda row: row.seq)
    told = [
        runs.trial_event(row.id, row.cell_id, row.round, "failed", failure_code=UNREADABLE) for row in rows
    ]
    events.append(session, run_id, "trial", told)
    if not runs.settle(session, run_id):
        runs.note_progress(session, run_id)


def spare(session: Session, run_id: str, needless: Collection[tuple[str, int]]) -> int:
    """End queued trials, given as (cell id, round), that need not be carried out; how many there were.

    The caller holds the run's lock. A trial that is no longer queued stays as it is.
    """
    pairs = list(needless)
    found = session.execute(
        SPARE,
        {"run_id": run_id, "cells": [cell for cell, _ in pairs], "rounds": [round_ for _, round_ in pairs]},
    )
    rows = sorted(found, key=lambda row: row.seq)
    told = [runs.trial_event(row.id, row.cell_id, row.round, "spared") for row in rows]
    events.append(session, run_id, "trial", told)
    if rows and not runs.settle(session, run_id):
        runs.note_progress(session, run_id)
    return len(rows)
