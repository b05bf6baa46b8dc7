"""Starts, reads and cancels runs."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.errors import Forbidden
from backend.api.hosts.service import choose
from backend.api.idempotency import Answer, answer_once, fingerprint
from backend.api.notifier import Notifier
from backend.api.paging import read_page
from backend.api.plans.client_host import check_client_host, choose_client, with_client_host
from backend.api.plans.service import plan_on, spread_of
from backend.api.quotas import service as quotas
from backend.api.runs.schemas import Run, RunList, RunQuery, RunStart
from backend.core.definition.experiment import MAX_SEED, Experiment
from backend.core.definition.submitted import validate_document
from backend.core.errors import Conflict, Invalid
from backend.core.plan.digest import plan_digest
from backend.core.plan.model import Plan
from backend.core.plan.stored import to_store
from backend.core.topology.host_access import uses_host_network
from backend.settings import Settings
from backend.store.repositories import deletion, events, experiments, runs
from backend.store.repositories.events import StoredEvent
from backend.store.repositories.hosts import KnownHost
from backend.store.repositories.run_view import RunView
from backend.store.repositories.runs import RunFilter
from backend.store.session import session_scope, transaction


@dataclass(frozen=True)
class Started:
    """The response to a start, and the run if this request queued it."""

    answer: Answer
    run: Run | None


def start(
    settings: Settings, caller: Actor, experiment_id: str, start_: RunStart, key: str | None
) -> Started:
    """Plan on the chosen host and queue the run with all of its trials in one transaction.

    Raises NotFound, Conflict without a host, QuotaExceeded, Forbidden, and Invalid if the host or the plan is
    not possible or the key was used for another request; an exception leaves the key unused.
    """

    def work(session: Session) -> Started:
        queued: list[Run] = []

        def create_run() -> Run:
            queued.append(Run.model_validate(queue_start(session, settings, caller, experiment_id, start_)))
            return queued[0]

        answer = answer_once(session, caller.team, key, fingerprint(experiment_id, start_), create_run)
        # A stored answer is not parsed: an older version may have written it, with other fields.
        return Started(answer, queued[0] if queued else None)

    return transaction(settings, work)


def queue_start(
    session: Session,
    settings: Settings,
    caller: Actor,
    experiment_id: str,
    start_: RunStart,
    schedule_id: str | None = None,
) -> RunView:
    """Plan on the chosen host and queue the run. Raises as `start` does."""
    stored = experiments.get(session, experiment_id)
    host = choose(session, start_.host)
    client = None if start_.client_host is None else choose_client(session, host, start_.client_host)
    experiment = validate_document(stored.definition)
    plan = plan_on_host(session, caller, host, _with_seed(experiment), client)
    if start_.plan_digest not in (None, plan_digest(experiment, plan, host.name, start_.client_host)):
        raise Conflict(f"the plan for {host.name} has changed since it was shown: plan again", "plan_changed")
    quotas.reserve_runs(session, settings, caller.team, [plan])
    client_id = None if client is None else client.id
    return queue(
        session,
        stored.id,
        host.id,
        plan,
        client_host_id=client_id,
        author_id=caller.account_id,
        schedule_id=schedule_id,
    )


def plan_on_host(
    session: Session,
    caller: Actor,
    host: KnownHost,
    experiment: Experiment,
    client: KnownHost | None = None,
    only: Collection[str] | None = None,
) -> Plan:
    """The plan of a run that the caller may start on a host; `client` is its client host, `only` its cells.

    Raises Forbidden and Invalid.
    """
    capabilities = host.capabilities if client is None else with_client_host(host, client)
    plan = plan_on(
        experiment,
        capabilities,
        lambda found: spread_of(session, host.id, experiment, found),
        # A closed network refuses the run as a whole.
        host.policy.model_copy(update={"host_network": True}),
        only=only,
    )
    _check_host_network(caller, host, plan)
    if client is not None:
        check_client_host(host, client, plan, capabilities)
    return plan


def queue(
    session: Session,
    experiment_id: str,
    host_id: str,
    plan: Plan,
    group_id: str | None = None,
    client_host_id: str | None = None,
    author_id: str | None = None,
    schedule_id: str | None = None,
    extends_run_id: str | None = None,
) -> RunView:
    """Queue a run of a plan on a host, as one of a group. Raises Conflict for a plan without a trial."""
    return runs.create(
        session,
        experiment_id,
        host_id,
        to_store(plan),
        _trials(plan),
        group_id,
        client_host_id,
        author_id,
        schedule_id,
        extends_run_id,
    )


def _check_host_network(caller: Actor, host: KnownHost, plan: Plan) -> None:
    """Raise Forbidden or Invalid if the plan uses the host's network, and token or host are closed to it."""
    used = [cell for cell in plan.cells if cell.infeasible is None and uses_host_network(cell.levels)]
    if not used:
        return
    what = f"{used[0].label} uses the host's network or its own Docker daemon"
    if not caller.has_scope("run:host-network"):
        raise Forbidden("insufficient_scope", f"{what}: the token needs the scope run:host-network")
    if not host.host_network:
        detail = f"{what}, and {host.name} is closed to that: ask an administrator of the installation"
        raise Invalid.at("/host", "mode_not_enabled", detail)


def _with_seed(experiment: Experiment) -> Experiment:
    """The experiment with a seed: the document's, or a new random one per run."""
    if experiment.seed is not None:
        return experiment
    return experiment.model_copy(update={"seed": secrets.randbelow(MAX_SEED + 1)})


def _trials(plan: Plan) -> list[dict[str, Any]]:
    levels = {cell.id: cell.levels for cell in plan.cells}
    return [{**asdict(trial), "levels": levels[trial.cell_id]} for trial in plan.trials]


def wake_worker(notifier: Notifier, host: str, trials: int, run_id: str) -> None:
    """Notify the worker and the streams of a queued run; without Redis they poll."""
    notifier.wake(host, trials)
    notifier.announce(run_id)


def announce(notifier: Notifier, run_id: str) -> None:
    """Notify event streams that a run has new events."""
    notifier.announce(run_id)


def get(settings: Settings, run_id: str) -> Run:
    """One run. Raises NotFound."""
    with session_scope(settings) as session:
        return Run.model_validate(runs.view(session, run_id))


def page(settings: Settings, caller: Actor, paging: RunQuery) -> RunList:
    """One page of the runs of the caller's team, newest first."""
    wanted = RunFilter(paging.tag, caller.account_id if paging.starred else None)
    rows, next_cursor = read_page(settings, caller.team, paging, partial(runs.page, wanted=wanted))
    return RunList(data=tuple(map(Run.model_validate, rows)), next_cursor=next_cursor)


def cancel(settings: Settings, run_id: str) -> Run:
    """Cancel a run. Raises NotFound, and Conflict if it ended in another state."""
    with session_scope(settings) as session:
        return Run.model_validate(runs.cancel(session, run_id))


def delete(settings: Settings, run_id: str) -> None:
    """Delete an ended run with everything that belongs to it. Raises NotFound and Conflict."""
    with session_scope(settings) as session:
        deletion.delete_run(session, run_id)


def events_after(settings: Settings, run_id: str, event_id: int) -> list[StoredEvent]:
    """The next stored events of a run."""
    with session_scope(settings) as session:
        return events.after(session, run_id, event_id)


def last_event(settings: Settings, run_id: str) -> StoredEvent | None:
    """The newest stored event of a run."""
    with session_scope(settings) as session:
        return events.last(session, run_id)
