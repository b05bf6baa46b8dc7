"""Starts, reads, cancels and deletes groups of runs."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.idempotency import Answer, answer_once, fingerprint
from backend.api.paging import read_page
from backend.api.plans.client_host import POINTER, choose_client
from backend.api.quotas import service as quotas
from backend.api.run_groups.chosen_hosts import ChosenHost, choose_hosts
from backend.api.run_groups.schemas import GroupMember, RunGroup, RunGroupList, RunGroupStart
from backend.api.runs.service import plan_on_host, queue
from backend.api.schema import PageQuery
from backend.core.definition.experiment import MAX_SEED, Experiment
from backend.core.definition.submitted import validate_document
from backend.core.errors import Conflict, Invalid, NotFound, Problem
from backend.core.plan.model import Plan
from backend.core.plan.states import RUN_ENDED, state_of_group
from backend.settings import Settings
from backend.store.repositories import deletion, experiments, run_groups, runs
from backend.store.repositories.hosts import KnownHost
from backend.store.repositories.run_groups import StoredGroup
from backend.store.session import session_scope, transaction


@dataclass(frozen=True)
class StartedGroup:
    """The response to a start, and the group if this request queued it."""

    answer: Answer
    group: RunGroup | None


def start(
    settings: Settings, caller: Actor, experiment_id: str, start_: RunGroupStart, key: str | None
) -> StartedGroup:
    """Plan on every chosen host and queue all runs, or none, in one transaction.

    Raises NotFound, Conflict without a host, QuotaExceeded for the sum of all runs, Forbidden, and Invalid if
    a host or its plan is not possible or the key was used for another request.
    """

    def work(session: Session) -> StartedGroup:
        queued: list[RunGroup] = []

        def create_group() -> RunGroup:
            queued.append(queue_start(session, settings, caller, experiment_id, start_))
            return queued[0]

        answer = answer_once(
            session, caller.team, key, fingerprint(f"{experiment_id}/run-groups", start_), create_group
        )
        return StartedGroup(answer, queued[0] if queued else None)

    return transaction(settings, work)


def queue_start(
    session: Session,
    settings: Settings,
    caller: Actor,
    experiment_id: str,
    start_: RunGroupStart,
    schedule_id: str | None = None,
) -> RunGroup:
    """Plan on every chosen host and queue all runs, or none. Raises as `start` does."""
    stored = experiments.get(session, experiment_id)
    chosen = choose_hosts(session, start_)
    client = _client(session, chosen, start_.client_host)
    experiment = validate_document(stored.definition)
    seed = secrets.randbelow(MAX_SEED + 1) if experiment.seed is None else experiment.seed
    plans: list[Plan] = []
    for one in chosen:
        plans.append(_plan(session, caller, one, experiment, seed, client))
        quotas.check_runs(session, settings, caller.team, plans)  # before the other hosts are planned
    quotas.reserve_runs(session, settings, caller.team, plans)
    names = [one.host.name for one in chosen]
    group_id = run_groups.create(session, caller.team, stored.id, names, start_.host_label, seed)
    for one, plan in zip(chosen, plans, strict=True):
        queue(
            session,
            stored.id,
            one.host.id,
            plan,
            group_id,
            None if client is None else client.id,
            caller.account_id,
            schedule_id,
        )
    return _resource(run_groups.get(session, group_id))


def _client(session: Session, chosen: list[ChosenHost], name: str | None) -> KnownHost | None:
    """The client host of every run. Raises Invalid for an unknown one and for one of the group's hosts."""
    if name is None:
        return None
    if name in {one.host.name for one in chosen}:
        detail = f"{name} is one of the group's hosts: leave it out there, or choose another client host"
        raise Invalid.at(POINTER, "same_host", detail)
    return choose_client(session, None, name)


def _plan(
    session: Session,
    caller: Actor,
    one: ChosenHost,
    experiment: Experiment,
    seed: int,
    client: KnownHost | None,
) -> Plan:
    """The plan on one host, with a seed of its own. Raises Invalid at the field that named the host."""
    own = experiment.model_copy(update={"seed": seed_of_host(seed, one.host.name)})
    try:
        return plan_on_host(session, caller, one.host, own, client)
    except Invalid as refused:
        leave = "leave this host out, or change the experiment"
        raise Invalid(
            tuple(
                Problem(
                    POINTER if found.pointer == POINTER else one.pointer,
                    found.code,
                    f"{one.host.name}: {found.detail}; {leave}",
                )
                for found in refused.problems
            )
        ) from refused


def seed_of_host(seed: int, host: str) -> int:
    """The seed of a host's run: the same for the same group seed and host, and different on each host."""
    drawn = hashlib.sha256(f"{seed}\n{host}".encode()).digest()
    return int.from_bytes(drawn[:8], "big") % (MAX_SEED + 1)


def get(settings: Settings, group_id: str) -> RunGroup:
    """One group. Raises NotFound."""
    with session_scope(settings) as session:
        return _resource(run_groups.get(session, group_id))


def page(settings: Settings, team_id: str, paging: PageQuery) -> RunGroupList:
    """One page of a team's groups, newest first."""
    rows, next_cursor = read_page(settings, team_id, paging, run_groups.page)
    return RunGroupList(data=tuple(map(_resource, rows)), next_cursor=next_cursor)


def cancel(settings: Settings, group_id: str) -> RunGroup:
    """Cancel every run of a group that has not ended. Raises NotFound, and Conflict if all ended."""

    def work(session: Session) -> RunGroup:
        found = run_groups.get(session, group_id)
        states = {run.id: run.state for run in found.runs.values()}
        if states and "cancelled" not in states.values() and set(states.values()) <= RUN_ENDED:
            raise Conflict("every run of the group has already ended")
        for run_id in sorted(states):
            if runs.lock(session, run_id) and runs.get(session, run_id).state not in RUN_ENDED:
                runs.cancel(session, run_id)
        return _resource(run_groups.get(session, group_id))

    return transaction(settings, work)


def delete(settings: Settings, group_id: str) -> list[str]:
    """Delete a group and its runs, one transaction for each; returns the runs.

    Raises NotFound, and Conflict if a run has not ended; repeatable after an interruption: the group ends
    with its last run.
    """
    with session_scope(settings) as session:
        found = run_groups.get(session, group_id)
    ids = [run.id for run in found.runs.values()]
    active = [run.id for run in found.runs.values() if run.state not in RUN_ENDED]
    if active:
        raise Conflict(f"{len(active)} runs of the group have not ended: cancel them, or wait: {active[0]}")
    for run_id in ids:
        with suppress(NotFound), session_scope(settings) as session:  # another request deleted it
            deletion.delete_run(session, run_id)
    return ids


def _resource(found: StoredGroup) -> RunGroup:
    members = tuple(_member(found, host) for host in found.hosts)
    state = state_of_group([run.state for run in found.runs.values()])
    ends = [run.finished_at for run in found.runs.values() if run.finished_at is not None]
    return RunGroup(
        id=found.id,
        experiment_id=found.experiment_id,
        name=found.name,
        title=found.title,
        host_label=found.host_label,
        state=state,
        seed=found.seed,
        created_at=found.created_at,
        finished_at=max(ends, default=None) if state in RUN_ENDED else None,
        members=members,
        client_host=next((run.client_host for run in found.runs.values()), None),
    )


def _member(found: StoredGroup, host: str) -> GroupMember:
    run = found.runs.get(host)
    if run is None:
        return GroupMember(
            host=host,
            run_id=None,
            state="deleted",
            started_at=None,
            finished_at=None,
            cancel_requested=False,
            progress=None,
            current=None,
            infeasible_cells=0,
        )
    return GroupMember.model_validate(
        {
            "host": host,
            "run_id": run.id,
            "state": run.state,
            "started_at": run.started_at,
            "finished_at": run.finished_at,
            "cancel_requested": run.cancel_requested,
            "progress": run.progress,
            "current": run.current,
            "infeasible_cells": found.infeasible[host],
        }
    )
