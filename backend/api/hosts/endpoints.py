"""The routes of /hosts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Path, Query, Request

from backend.api.access.guard import Caller
from backend.api.hosts import service
from backend.api.hosts.detail_schemas import HostDetail, PolicyEffect
from backend.api.hosts.schemas import Host, HostChange, HostList, PolicySettings
from backend.api.request import Config, StrictRoute, json_only

router = APIRouter(dependencies=[Depends(json_only)], route_class=StrictRoute)

HostName = Annotated[str, Path(max_length=64)]


@router.get("/hosts", operation_id="listHosts")
def list_hosts(settings: Config) -> HostList:
    """List the hosts with what they can run and whether their worker was seen in the last minute."""
    return service.list_all(settings)


@router.get("/hosts/{host:id}", operation_id="getHost")
def get_host(settings: Config, caller: Caller, host: HostName) -> HostDetail:
    """Read one host with its queue, the trial that it runs, and its noise.

    Runs of teams of which the caller is no member are only counted.
    """
    return service.get(settings, caller, host)


@router.patch("/hosts/{host:id}", operation_id="updateHost")
def update_host(settings: Config, request: Request, host: HostName, change: HostChange) -> Host:
    """Open a host to plans that use its network or its own Docker daemon, close it to them, or label it."""
    changed = service.change(settings, host, change)
    request.state.object = changed.name
    return changed


@router.post("/hosts/{host:id}:drain", operation_id="drainHost")
def drain_host(settings: Config, caller: Caller, request: Request, host: HostName) -> HostDetail:
    """Let a host start no new trial; the running one ends by itself, and queued ones wait.

    Of a host that is drained already, who drained it and when stay.
    """
    drained = service.drain(settings, caller, host)
    request.state.object = drained.name
    return drained


@router.post("/hosts/{host:id}:resume", operation_id="resumeHost")
def resume_host(
    settings: Config, caller: Caller, request: Request, host: HostName, tasks: BackgroundTasks
) -> HostDetail:
    """Let a drained host start trials again."""
    resumed = service.resume(settings, caller, host)
    request.state.object = resumed.name
    tasks.add_task(request.app.state.notifier.wake, resumed.name, resumed.queue.queued_trials)
    return resumed


@router.put("/hosts/{host}/policy", operation_id="setHostPolicy")
def set_host_policy(
    settings: Config,
    caller: Caller,
    request: Request,
    host: HostName,
    policy: PolicySettings,
    tasks: BackgroundTasks,
    replaces: Annotated[str | None, Query(max_length=64)] = None,
) -> HostDetail:
    """Replace the policy of a host.

    With `replaces`, the `policy_version` that was read, it is refused if somebody changed it meanwhile.
    Plans show the cells that it forbids as infeasible. Queued trials that it forbids are kept until their
    turn and fail then with `policy_forbids`; a running trial ends by itself.
    """
    changed = service.set_policy(settings, caller, host, policy, replaces)
    request.state.object = changed.name
    tasks.add_task(request.app.state.notifier.wake, changed.name, changed.queue.queued_trials)
    return changed


@router.post("/hosts/{host:id}/policy:preview", operation_id="previewHostPolicy")
def preview_host_policy(
    settings: Config, caller: Caller, host: HostName, policy: PolicySettings
) -> PolicyEffect:
    """Count the trials of queued and running runs that a policy would forbid; stores nothing."""
    return service.effect(settings, caller, host, policy)
