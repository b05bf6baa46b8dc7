"""Planning on a host, without storing anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.api.hosts.service import choose
from backend.api.plans.schemas import PlanPreview
from backend.api.request import Document
from backend.core.definition.experiment import Experiment
from backend.core.plan.build import build_plan
from backend.core.plan.model import Plan
from backend.core.topology.deployment import server_spec
from backend.core.topology.paths import hops_of
from backend.core.workload.obstacles import obstacle
from backend.settings import Settings
from backend.store.session import session_scope


def preview(settings: Settings, document: Document, host: str | None) -> PlanPreview:
    """The plan of a document on the named host, or on one that can run everything."""
    experiment = document.read()
    capabilities: Mapping[str, Any] = {}
    if host is not None:
        with session_scope(settings) as session:
            capabilities = choose(session, host).capabilities
    plan = plan_on(experiment, capabilities)
    hops = {cell.id: hops_of(cell.levels) for cell in plan.cells}
    return PlanPreview(experiment=experiment, plan=plan, hops=hops)


def plan_on(experiment: Experiment, capabilities: Mapping[str, Any]) -> Plan:
    """The plan of an experiment on a host with these capabilities. Raises Invalid."""
    return build_plan(
        experiment, lambda levels: obstacle(levels, capabilities), lambda levels: server_spec(levels).key
    )
