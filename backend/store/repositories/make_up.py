"""Make-up trials: rows that a run gets when its planned trials have ended, in the same transaction.

Which ones is a pure function of the trials that the host disturbed (`core.plan.make_up`); nobody waits for
them but the run itself, and a cancelled run gets none.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from backend.core.plan.make_up import make_up_trials
from backend.core.plan.schedule import EXAMPLE_SEED
from backend.core.plan.stored import from_store
from backend.store.ids import new_id
from backend.store.models import Run, Trial

QUEUE: Final = text("""
    SELECT queue_make_up(:run_id, CAST(:ids AS text[]), CAST(:cells AS text[]), CAST(:rounds AS integer[]),
                         CAST(:positions AS integer[]), CAST(:seqs AS integer[]))
""")
"""A function of the database, because a worker's role may insert no trial by itself."""


def add(session: Session, run_id: str) -> bool:
    """Queue the make-up trials of a run without an open trial; returns whether there are any.

    The caller holds the run's lock. A run gets them once: where a round after the planned ones exists, or
    none is planned, there are none. They have the age of the run's other trials, so that no later run of the
    host is measured between.
    """
    run = session.get_one(Run, run_id, populate_existing=True)
    if run.plan.get("make_up") is None or run.cancel_requested:
        return False
    plan = from_store(run.plan)
    assert plan.make_up is not None
    last_round, last_seq = session.execute(
        select(func.max(Trial.round), func.max(Trial.seq)).where(Trial.run_id == run_id)
    ).one()
    if last_round is None or last_round > plan.make_up.after_round:
        return False
    contaminated = session.execute(
        select(Trial.cell_id, Trial.round).where(
            Trial.run_id == run_id, Trial.state == "done", Trial.quality == "contaminated"
        )
    )
    lost = [(row.cell_id, row.round) for row in contaminated]
    seed = EXAMPLE_SEED if plan.seed is None else plan.seed
    trials = make_up_trials(plan.cells, plan.make_up, lost, seed, last_seq)
    if not trials:
        return False
    added: int = session.execute(
        QUEUE,
        {
            "run_id": run_id,
            "ids": [new_id("trl") for _ in trials],
            "cells": [trial.cell_id for trial in trials],
            "rounds": [trial.round for trial in trials],
            "positions": [trial.position for trial in trials],
            "seqs": [trial.seq for trial in trials],
        },
    ).scalar_one()
    return added > 0
