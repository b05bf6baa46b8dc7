"""More rounds of chosen cells of an ended run, as a run and an analysis of their own (decision 0057)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.hosts.service import choose
from backend.api.idempotency import answer_once, fingerprint
from backend.api.plans.client_host import choose_client
from backend.api.quotas import service as quotas
from backend.api.runs import service
from backend.api.runs.extension_schemas import ExtensionList, ExtensionPreview, ExtensionStart
from backend.api.runs.schemas import Run
from backend.api.runs.service import Started
from backend.core.definition import stored as definitions
from backend.core.definition.experiment import MAX_SEED
from backend.core.errors import Conflict, Invalid, Problem
from backend.core.plan.extension import decidable, extended, with_extension
from backend.core.plan.model import Extension, Plan
from backend.settings import Settings
from backend.store.repositories import extensions
from backend.store.repositories.extensions import FirstRun
from backend.store.session import session_scope, transaction


@dataclass(frozen=True)
class _Planned:
    first: FirstRun
    plan: Plan
    host_id: str
    client_host_id: str | None


def start(settings: Settings, caller: Actor, run_id: str, start_: ExtensionStart, key: str | None) -> Started:
    """Queue an extension in one transaction.

    Raises NotFound, Conflict, QuotaExceeded, Forbidden, and Invalid for the cells, the rounds or the host.
    """

    def work(session: Session) -> Started:
        queued: list[Run] = []

        def create_run() -> Run:
            queued.append(_queue(session, settings, caller, run_id, start_))
            return queued[0]

        answer = answer_once(session, caller.team, key, fingerprint(f"{run_id}:extend", start_), create_run)
        return Started(answer, queued[0] if queued else None)

    return transaction(settings, work)


def preview(settings: Settings, caller: Actor, run_id: str, start_: ExtensionStart) -> ExtensionPreview:
    """What an extension would run. Raises as `start`, apart from quotas."""
    with session_scope(settings) as session:
        found = _plan(session, caller, run_id, start_, lock=False)
    plan, number = found.plan, found.first.next_number
    able = decidable(plan, number, start_.rounds)
    return ExtensionPreview(
        run_id=found.first.id,
        number=number,
        analyses=able.analyses,
        cells=tuple(cell.id for cell in plan.cells),
        trials=plan.estimate.trials,
        seconds=plan.estimate.seconds,
        comparisons=able.comparisons,
        rounds_needed=able.rounds_needed,
        sentence=able.sentence,
    )


def of_run(settings: Settings, run_id: str) -> ExtensionList:
    """The extensions of a run. Raises NotFound."""
    with session_scope(settings) as session:
        return ExtensionList(data=tuple(map(Run.model_validate, extensions.of_run(session, run_id))))


def _queue(session: Session, settings: Settings, caller: Actor, run_id: str, start_: ExtensionStart) -> Run:
    found = _plan(session, caller, run_id, start_, lock=True)
    quotas.reserve_runs(session, settings, caller.team, [found.plan])
    view = service.queue(
        session,
        found.first.experiment_id,
        found.host_id,
        found.plan,
        client_host_id=found.client_host_id,
        author_id=caller.account_id,
        extends_run_id=found.first.id,
    )
    return Run.model_validate(view)


def _plan(session: Session, caller: Actor, run_id: str, start_: ExtensionStart, *, lock: bool) -> _Planned:
    first = extensions.first_run(session, run_id, lock=lock)
    chosen = _checked(first.plan, start_.cells)
    seed = secrets.randbelow(MAX_SEED + 1)
    experiment = extended(definitions.from_store(first.definition), start_.rounds, seed)
    host = choose(session, first.host)
    client = None if first.client_host is None else choose_client(session, host, first.client_host)
    plan = service.plan_on_host(session, caller, host, experiment, client, only=chosen)
    _refuse_changes(first.plan, plan, start_.cells)
    found = with_extension(plan, Extension(first.id, first.next_number, start_.rounds), start_.rounds)
    return _Planned(first, found, host.id, None if client is None else client.id)


def _checked(plan: Plan, chosen: tuple[str, ...]) -> frozenset[str]:
    """The chosen cells. Raises Invalid for one that the run does not have or could not run."""
    known = {cell.id: cell for cell in plan.cells}
    problems = []
    for at, cell_id in enumerate(chosen):
        cell = known.get(cell_id)
        if cell is None:
            detail = f"the run has no cell {cell_id!r}; its result lists them"
            problems.append(Problem(f"/cells/{at}", "unknown_cell", detail))
        elif cell.infeasible is not None:
            detail = f"{cell.label} could not run: {cell.infeasible}; leave it out"
            problems.append(Problem(f"/cells/{at}", "infeasible_cell", detail))
    if problems:
        raise Invalid(tuple(problems))
    return frozenset(chosen)


def _refuse_changes(before: Plan, plan: Plan, chosen: tuple[str, ...]) -> None:
    """Raise Invalid where a chosen cell cannot run any more, and Conflict where it means another cell now."""
    then = {cell.id: cell.levels for cell in before.cells}
    now = {cell.id: cell for cell in plan.cells}
    for at, cell_id in enumerate(chosen):
        cell = now.get(cell_id)
        if cell is None or then[cell_id] != cell.levels:
            raise Conflict("the run was planned by another release with other cells: start its experiment")
        if cell.infeasible is not None:
            detail = f"{cell.label} cannot run on the host any more: {cell.infeasible}; leave it out"
            raise Invalid.at(f"/cells/{at}", "infeasible_cell", detail)
