"""Starting, reading and cancelling runs."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy.orm import Session

from backend.api.hosts.service import choose
from backend.api.idempotency import Answer, answer_once, fingerprint
from backend.api.notifier import Notifier
from backend.api.paging import bad_cursor, decode_cursor, encode_cursor
from backend.api.plans.service import plan_on, spread_of
from backend.api.runs.schemas import Run, RunList, RunStart
from backend.api.schema import PageQuery
from backend.core.definition.experiment import MAX_SEED, Experiment
from backend.core.definition.submitted import validate_document
from backend.core.errors import NotFound
from backend.core.plan.model import Plan
from backend.core.plan.stored import to_store
from backend.settings import Settings
from backend.store.repositories import events, experiments, runs
from backend.store.repositories.events import StoredEvent
from backend.store.repositories.run_view import RunView
from backend.store.session import session_scope, transaction


@dataclass(frozen=True)
class Started:
    """A start's answer, and the run that was queued."""

    answer: Answer
    run: Run | None
    """None where an earlier request made it: its worker was told then."""


def start(settings: Settings, experiment_id: str, start_: RunStart, key: str | None) -> Started:
    """Plan on the chosen host and queue the run with all of its trials in one transaction.

    Raises NotFound, Conflict where there is no host, and Invalid where the host or the plan is not
    possible or the key was used for another request; a refusal leaves the key unused.
    """

    def work(session: Session) -> Started:
        made: list[Run] = []

        def make() -> Run:
            made.append(Run.model_validate(_queue(session, experiment_id, start_.host)))
            return made[0]

        answer = answer_once(session, key, fingerprint(experiment_id, start_), make)
        # A kept answer is not read again: it may be of a version with other fields.
        return Started(answer, made[0] if made else None)

    return transaction(settings, work)


def _queue(session: Session, experiment_id: str, host_name: str | None) -> RunView:
    stored = experiments.get(session, experiment_id)
    host = choose(session, host_name)
    experiment = _with_seed(validate_document(stored.definition))
    plan = plan_on(
        experiment, host.capabilities, lambda found: spread_of(session, host.id, experiment, found)
    )
    return runs.create(session, stored.id, host.id, to_store(plan), _trials(plan))


def _with_seed(experiment: Experiment) -> Experiment:
    """The experiment with a seed: drawn anew for each run, unless the document asks for one."""
    if experiment.seed is not None:
        return experiment
    return experiment.model_copy(update={"seed": secrets.randbelow(MAX_SEED + 1)})


def _trials(plan: Plan) -> list[dict[str, Any]]:
    levels = {cell.id: cell.levels for cell in plan.cells}
    return [{**asdict(trial), "levels": levels[trial.cell_id]} for trial in plan.trials]


def wake_worker(notifier: Notifier, host: str, trials: int, run_id: str) -> None:
    """Tell worker and streams that a run was queued; a failing Redis only costs delay."""
    notifier.wake(host, trials)
    notifier.announce(run_id)


def announce(notifier: Notifier, run_id: str) -> None:
    """Tell streams that a run has new events."""
    notifier.announce(run_id)


def get(settings: Settings, run_id: str) -> Run:
    """One run. Raises NotFound."""
    with session_scope(settings) as session:
        return Run.model_validate(runs.view(session, run_id))


def page(settings: Settings, paging: PageQuery) -> RunList:
    """One page of runs, newest first."""
    after = decode_cursor(paging.cursor)
    with session_scope(settings) as session:
        try:
            rows = runs.page(session, paging.limit + 1, after)
        except NotFound as error:
            raise bad_cursor() from error
    shown = rows[: paging.limit]
    more = len(rows) > paging.limit
    return RunList(
        data=tuple(Run.model_validate(row) for row in shown),
        next_cursor=encode_cursor(shown[-1].id) if more else None,
    )


def cancel(settings: Settings, run_id: str) -> Run:
    """Cancel a run. Raises NotFound, and Conflict where it has ended otherwise."""
    with session_scope(settings) as session:
        return Run.model_validate(runs.cancel(session, run_id))


def events_after(settings: Settings, run_id: str, event_id: int) -> list[StoredEvent]:
    """The next stored events of a run."""
    with session_scope(settings) as session:
        return events.after(session, run_id, event_id)


def last_event(settings: Settings, run_id: str) -> StoredEvent | None:
    """The newest stored event of a run."""
    with session_scope(settings) as session:
        return events.last(session, run_id)
