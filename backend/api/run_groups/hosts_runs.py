"""Reads the runs of a group with everything that its result needs."""

from __future__ import annotations

from backend.api.compared_runs import compared_runs
from backend.core.chart.across_hosts.build_hosts import HostGroup
from backend.core.chart.across_hosts.host_runs import HostRun
from backend.core.definition.stored import from_store
from backend.core.plan.states import RUN_ENDED
from backend.settings import Settings
from backend.store.repositories import run_groups
from backend.store.session import session_scope


def read_group(settings: Settings, group_id: str) -> HostGroup:
    """The runs of a group, in the order in which the hosts were named. Raises NotFound."""
    with session_scope(settings) as session:
        found = run_groups.get(session, group_id)
        ended = {run.id: run.state in RUN_ENDED for run in found.runs.values()}
        compared = compared_runs(session, ended, None)
    members = []
    for host in found.hosts:
        run = found.runs.get(host)
        if run is None:
            members.append(HostRun(host, None, "deleted", None, None))
            continue
        own = compared[run.id]
        members.append(HostRun(host, run.id, run.state, own.started_at, own.figures))
    return HostGroup(found.id, found.experiment_id, from_store(found.definition), tuple(members))
