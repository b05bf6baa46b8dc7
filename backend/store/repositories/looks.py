"""The looks of a run that spends its rounds where they decide: taken once, under the run's lock.

What a look decides is pure in the trials before it (`core.chart.looking`). `run.next_look` says which
look comes next and holds back every claim beyond it, so that a look which a crash prevented is taken by
the next claim, from the same trials and with the same outcome.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from backend.core.chart.looking import next_stage
from backend.store.models import Run
from backend.store.repositories import events, runs
from backend.store.repositories.chart_rows import read_figures
from backend.store.states import RUN_ENDED

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


def take_due(session: Session, run_id: str) -> int | None:
    """Take the next look of a run if all trials before it have ended; returns the round of the look after.

    None: no claim is held back any more. May be called at any time, again, and by anybody.
    """
    run = runs.lock(session, run_id)
    state = session.scalar(select(Run.state).where(Run.id == run_id))
    if run.next_look is None or run.cancel_requested or state in RUN_ENDED:
        return None
    if session.execute(OPEN_BEFORE, {"run_id": run_id, "round": run.next_look}).scalar_one():
        return run.next_look
    data = read_figures(session, run_id)
    following = runs.look_after(data.plan.looks, run.next_look)
    session.execute(update(Run).where(Run.id == run_id).values(next_look=following))
    spare(session, run_id, next_stage(data))
    return following


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
