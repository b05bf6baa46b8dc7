"""Plans experiments without storing them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy.orm import Session

from backend.api.hosts.service import choose
from backend.api.plans.client_host import POINTER, choose_client, closed_to, with_client_host
from backend.api.plans.resolution import budget_plan, loads, resolution
from backend.api.plans.schemas import PlanPreview
from backend.api.request import Document
from backend.core.definition.experiment import MAX_MINUTES, Experiment
from backend.core.definition.factors import Level
from backend.core.errors import Invalid
from backend.core.plan.build import build_plan
from backend.core.plan.digest import plan_digest
from backend.core.plan.model import Obstacle, Plan
from backend.core.plan.profiled import NO_PROFILE
from backend.core.plan.quiet import rule_sentence
from backend.core.plan.restarts import StartSpread
from backend.core.statistics.power import LARGEST_EFFECT
from backend.core.statistics.server_starts import start_spread
from backend.core.topology.deployment import server_spec
from backend.core.topology.host_policy import OPEN, HostPolicy, forbidden
from backend.core.topology.paths import hops_of
from backend.core.topology.resource_needs import resource_needs
from backend.core.topology.two_hosts import CLIENT_HOST, port_warnings
from backend.core.workload.obstacles import obstacle
from backend.settings import Settings
from backend.store.repositories import aa_pairs, server_starts
from backend.store.repositories.aa_pairs import AaPairs
from backend.store.session import session_scope

SMALLEST_EFFECT: Final = 0.001
NEED_ANOTHER_HOST: Final = frozenset(("host_engine_path", "baseline_infeasible"))
"""Codes of problems of which a client host may be the remedy."""


@dataclass(frozen=True)
class PlannedHosts:
    """The names of the run's host and of its client host, where it has one; None: not chosen yet."""

    host: str | None = None
    client_host: str | None = None


@dataclass(frozen=True)
class PlanQuery:
    """Optional parts of a preview: what fits into a time budget, the rounds that detect an effect."""

    budget_minutes: int | None
    effect: float | None


def preview(settings: Settings, document: Document, on: PlannedHosts, query: PlanQuery) -> PlanPreview:
    """The plan and resolution of a document on the named host, or on a host that can run everything.

    Raises Malformed, and Invalid for the document, a host, the budget or the effect.
    """
    experiment = document.read()
    _check_bounds(query)
    if on.host is None:
        if on.client_host is not None:
            raise Invalid.at(POINTER, "missing", "name the run's own host too: give host")
        plan, pairs = plan_anywhere(experiment), None
    else:
        with session_scope(settings) as session:
            plan, pairs = _on_host(session, experiment, on.host, on.client_host)
    shown = resolution(experiment, plan, pairs, query.effect)
    return PlanPreview(
        experiment=experiment,
        plan=plan,
        hops={cell.id: hops_of(cell.levels) for cell in plan.cells},
        resolution=shown,
        budget=None
        if query.budget_minutes is None
        else budget_plan(plan, query.budget_minutes, shown.spread, experiment.metrics[0]),
        quality_rule=rule_sentence(experiment.quality),
        plan_digest=plan_digest(experiment, plan, on.host, on.client_host),
    )


def _check_bounds(query: PlanQuery) -> None:
    minutes, effect = query.budget_minutes, query.effect
    if minutes is not None and not 1 <= minutes <= MAX_MINUTES:
        detail = f"{minutes}: must be a whole number of minutes from 1 to {MAX_MINUTES}"
        raise Invalid.at("/budget_minutes", "out_of_bounds", detail)
    if effect is not None and not SMALLEST_EFFECT <= effect <= LARGEST_EFFECT:
        detail = f"{effect:g}: must be a number from {SMALLEST_EFFECT} to {LARGEST_EFFECT:g}; 0.03 is 3 %"
        raise Invalid.at("/effect", "out_of_bounds", detail)


def _on_host(
    session: Session, experiment: Experiment, name: str, client_name: str | None
) -> tuple[Plan, AaPairs]:
    """The plan on a host, and the A/A pairs of the experiment's first metric measured there.

    With a client host, cells that it cannot or may not run have the reason.
    """
    host = choose(session, name)
    client = None if client_name is None else choose_client(session, host, client_name)
    capabilities = host.capabilities if client is None else with_client_host(host, client)
    plan = plan_on(
        experiment,
        capabilities,
        lambda found: spread_of(session, host.id, experiment, found),
        host.policy,
        lambda levels: None if client is None else closed_to(host, client, levels, capabilities),
    )
    metric = experiment.metrics[0]
    return plan, aa_pairs.newest(session, host.id, metric, loads(plan, metric), experiment.quality)


def spread_of(session: Session, host_id: str, experiment: Experiment, plan: Plan) -> StartSpread | None:
    """The between-start spread of a host in the experiment's first metric under the plan's loads."""
    metric = experiment.metrics[0]
    return start_spread(
        server_starts.newest(session, host_id, metric, loads(plan, metric), experiment.quality)
    )


def plan_anywhere(experiment: Experiment) -> Plan:
    """The plan on a host that can run everything, with a client host only where no cell runs without one.

    Raises Invalid.
    """
    try:
        return plan_on(experiment, {})
    except Invalid as refused:
        if NEED_ANOTHER_HOST & {problem.code for problem in refused.problems}:
            with suppress(Invalid):  # the reasons of one host name what to change
                return plan_on(experiment, {CLIENT_HOST: {}})
        raise


def plan_on(
    experiment: Experiment,
    capabilities: Mapping[str, Any],
    spread: Callable[[Plan], StartSpread | None] = lambda _plan: None,
    policy: HostPolicy = OPEN,
    closed: Callable[[Mapping[str, Level]], Obstacle | None] = lambda _levels: None,
    only: Collection[str] | None = None,
) -> Plan:
    """The plan of an experiment on a host with these capabilities and this policy. Raises Invalid.

    `only` limits it to these cells and the baselines that they need.

    `spread` returns the host's between-start spread under the loads of a plan, `closed` why another host than
    the run's own may not take part in a cell.
    """

    def planned(found: StartSpread | None) -> Plan:
        return build_plan(
            experiment,
            lambda levels: obstacle(levels, capabilities) or forbidden(levels, policy) or closed(levels),
            lambda levels: server_spec(levels).key,
            resource_needs,
            found,
            only,
        )

    plan = planned(None)
    known = spread(plan)
    plan = plan if known is None else planned(known)
    opened = port_warnings(cell.levels for cell in plan.cells if cell.infeasible is None)
    unprofiled = _no_profile(experiment, capabilities)
    return replace(plan, warnings=(*plan.warnings, *opened, *unprofiled))


def _no_profile(experiment: Experiment, capabilities: Mapping[str, Any]) -> list[str]:
    """A warning where the experiment asks for CPU profiles that the host cannot take."""
    reason = capabilities.get(NO_PROFILE)
    if not experiment.profile or reason is None:
        return []
    return [f"No CPU profile can be taken on this host: {reason}. The run measures everything else."]
