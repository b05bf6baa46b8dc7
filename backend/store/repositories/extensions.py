"""Runs that add rounds of chosen cells to an ended run."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from backend.core.errors import Conflict, NotFound
from backend.core.plan.model import Plan
from backend.core.plan.states import RUN_ENDED
from backend.core.plan.stored import from_store
from backend.store.ids import is_id
from backend.store.models import Experiment, Host, Run
from backend.store.repositories.run_view import RunView, read_views


@dataclass(frozen=True)
class FirstRun:
    """The run that an extension adds to, with its plan and the number of the next extension."""

    id: str
    experiment_id: str
    definition: dict[str, object]
    plan: Plan
    host: str
    client_host: str | None
    next_number: int


def first_run(session: Session, run_id: str, *, lock: bool = False) -> FirstRun:
    """The run that an extension of `run_id` adds to: of an extension, the run that it extends itself.

    With `lock`, other extensions of it wait until the end of the transaction. Raises NotFound, and Conflict
    for an imported run, one that has not ended, and an extension whose first run was deleted.
    """
    run = session.get(Run, run_id) if is_id("run", run_id) else None
    if run is None:
        raise NotFound("there is no such run")
    _refuse(run)
    if run.plan.get("extension") is not None:
        if run.extends_run_id is None:
            raise Conflict("the run that this one extends was deleted: start the experiment again")
        run = session.get_one(Run, run.extends_run_id)
        _refuse(run)
    if lock:
        session.execute(select(Run.id).where(Run.id == run.id).with_for_update())
    last = select(func.max(Run.plan[("extension", "number")].as_integer())).where(
        Run.extends_run_id == run.id
    )
    hosts = select(Host.id, Host.name).where(Host.id.in_((run.host_id, run.client_host_id)))
    names = {row.id: row.name for row in session.execute(hosts)}
    return FirstRun(
        id=run.id,
        experiment_id=run.experiment_id,
        definition=session.get_one(Experiment, run.experiment_id).definition,
        plan=from_store(run.plan),
        host=names[run.host_id],
        client_host=None if run.client_host_id is None else names[run.client_host_id],
        next_number=(session.scalar(last) or 0) + 1,
    )


def _refuse(run: Run) -> None:
    if run.origin == "imported":
        raise Conflict("an imported run has no host that could measure more rounds: start its experiment")
    if run.state not in RUN_ENDED:
        raise Conflict(f"the run is {run.state}: add rounds when it has ended, or cancel it first")


def of_run(session: Session, run_id: str) -> list[RunView]:
    """The extensions of a run, oldest first. Raises NotFound."""
    if not is_id("run", run_id) or session.get(Run, run_id) is None:
        raise NotFound("there is no such run")
    ids = session.scalars(select(Run.id).where(Run.extends_run_id == run_id))
    return read_views(session, list(ids))[::-1]
