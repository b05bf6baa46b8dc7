"""Deletes runs and experiments with everything that belongs to them.

The foreign keys of trials, results, attempts, events and links cascade; a group ends with its last run. The
run's row lock excludes claims, records, cancels and other deletions of the run: each of them finds it either
whole or gone.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import delete, select, text
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, NotFound
from backend.core.plan.states import RUN_ENDED
from backend.store.ids import is_id
from backend.store.models import Experiment, IdempotencyKey, Run
from backend.store.repositories import run_groups, runs

LONGEST_S: Final = 600
"""Limit of one deletion: 10,000 trials take some seconds, 1,000,000 some minutes."""


def delete_run(session: Session, run_id: str) -> None:
    """Delete an ended run. Raises NotFound, and Conflict if it has not ended.

    One transaction, however many trials: the run is whole or gone. Nobody waits for it but those who want
    this run: other rows are only read by its foreign keys.
    """
    if not is_id("run", run_id):
        raise NotFound("there is no such run")
    runs.lock(session, run_id)
    run = runs.get(session, run_id)
    if run.state not in RUN_ENDED:
        raise Conflict("the run has not ended: cancel it, or wait until it has")
    session.execute(text(f"SET LOCAL statement_timeout = '{LONGEST_S} s'"))
    session.execute(delete(IdempotencyKey).where(IdempotencyKey.run_id == run_id))
    group_id = run.group_id
    session.execute(delete(Run).where(Run.id == run_id))
    if group_id is not None:
        run_groups.delete_if_empty(session, group_id)


def runs_of_experiment(session: Session, experiment_id: str) -> list[str]:
    """The runs of an experiment, oldest first. Raises NotFound, and Conflict if one has not ended."""
    _lock_experiment(session, experiment_id)
    rows = session.execute(
        select(Run.id, Run.state).where(Run.experiment_id == experiment_id).order_by(Run.created_at, Run.id)
    ).all()
    active = [row.id for row in rows if row.state not in RUN_ENDED]
    if active:
        raise Conflict(
            f"{len(active)} runs of the experiment have not ended: cancel them, or wait: {active[0]}"
        )
    return [row.id for row in rows]


def delete_experiment(session: Session, experiment_id: str) -> None:
    """Delete an experiment that has no run. Raises NotFound, and Conflict if it has one."""
    if runs_of_experiment(session, experiment_id):
        raise Conflict("a run of the experiment was started meanwhile: delete the experiment again")
    session.execute(delete(IdempotencyKey).where(IdempotencyKey.run_id == experiment_id))
    session.execute(delete(Experiment).where(Experiment.id == experiment_id))


def _lock_experiment(session: Session, experiment_id: str) -> None:
    """Lock the experiment's row until the end of the transaction: no run can be started. Raises NotFound."""
    found = (
        session.scalar(select(Experiment.id).where(Experiment.id == experiment_id).with_for_update())
        if is_id("exp", experiment_id)
        else None
    )
    if found is None:
        raise NotFound("there is no such experiment")
