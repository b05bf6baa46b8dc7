"""Lists hosts, changes what administrators decide about them, and chooses the host of a request."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.hosts import noise
from backend.api.hosts.detail_schemas import HostDetail, HostQueue, HostTrial, PolicyEffect, RunUnderPolicy
from backend.api.hosts.release import compare
from backend.api.hosts.schemas import (
    Capabilities,
    Host,
    HostChange,
    HostList,
    HostPause,
    Missing,
    PolicySettings,
)
from backend.core.errors import Conflict, Invalid
from backend.core.topology.host_policy import HostPolicy, forbidden, not_partners
from backend.settings import Settings
from backend.store.repositories import host_queue, host_settings, hosts
from backend.store.repositories.host_queue import NONE_OPEN, OpenTrials
from backend.store.repositories.hosts import KnownHost
from backend.store.session import session_scope
from backend.worker_protocol import release as server_release

MAX_REASONS: Final = 10


def list_all(settings: Settings) -> HostList:
    """All hosts, by name."""
    with session_scope(settings) as session:
        known = hosts.list_all(session)
        open_ = host_queue.open_trials(session)
        spreads = noise.scores(session, known)
    return HostList(
        data=tuple(
            Host(**_host(host, open_.get(host.id, NONE_OPEN)) | {"spread": spreads[host.id]})
            for host in known
        )
    )


def get(settings: Settings, caller: Actor, name: str) -> HostDetail:
    """One host, with the runs of the caller's teams. Raises NotFound."""
    with session_scope(settings) as session:
        return _detail(session, caller, name)


def change(settings: Settings, name: str, change_: HostChange) -> Host:
    """Open a host to plans that use its network or close it, and set its labels. Raises NotFound."""
    with session_scope(settings) as session:
        if change_.host_network is not None:
            host_settings.set_host_network(session, name, change_.host_network)
        if change_.labels is not None:
            host_settings.set_labels(session, name, change_.labels)
        host = hosts.find(session, name)
        return Host(**_host(host, host_queue.open_trials(session).get(host.id, NONE_OPEN)))


def drain(settings: Settings, caller: Actor, name: str) -> HostDetail:
    """Let a host claim no new trial. Raises NotFound."""
    with session_scope(settings) as session:
        host_settings.drain(session, name, caller.account_id)
        return _detail(session, caller, name)


def resume(settings: Settings, caller: Actor, name: str) -> HostDetail:
    """Let a host claim trials again. Raises NotFound."""
    with session_scope(settings) as session:
        host_settings.resume(session, name)
        return _detail(session, caller, name)


def set_policy(
    settings: Settings, caller: Actor, name: str, policy: PolicySettings, replaces: str | None
) -> HostDetail:
    """Replace the policy of a host. Raises NotFound, and Conflict if it is not that of `replaces`."""
    with session_scope(settings) as session:
        present = host_settings.version_of(host_settings.lock_policy(session, name))
        if replaces is not None and replaces != present:
            raise Conflict(
                f"somebody changed the policy of {name} since it was read: read it again, and change what is "
                "still to be changed"
            )
        host_settings.set_policy(session, name, policy)
        return _detail(session, caller, name)


def effect(settings: Settings, caller: Actor, name: str, policy: PolicySettings) -> PolicyEffect:
    """What a policy would do to the runs that wait on a host or run there. Raises NotFound."""
    with session_scope(settings) as session:
        hosts.find(session, name)
        return _effect(session, _teams(caller), name, policy)


def _effect(session: Session, teams: Collection[str], name: str, policy: HostPolicy) -> PolicyEffect:
    reasons: dict[str, None] = {}
    trials: dict[str, int] = {}
    foreign: set[str] = set()
    total = 0
    for part in host_settings.open_levels(session, name):
        obstacle = forbidden(part.levels, policy)
        if obstacle is None and part.client_host is not None:
            obstacle = not_partners(part.levels, policy, part.client_host)
        if obstacle is None:
            continue
        total += part.trials
        reasons[obstacle.detail] = None
        if part.team_id in teams:
            trials[part.run_id] = trials.get(part.run_id, 0) + part.trials
        else:
            foreign.add(part.run_id)
    titles = host_queue.titles(session, trials)
    runs = tuple(RunUnderPolicy(id=run, title=titles[run], trials=count) for run, count in trials.items())
    return PolicyEffect(
        trials=total, runs=runs, other_runs=len(foreign), reasons=tuple(reasons)[:MAX_REASONS]
    )


def _teams(caller: Actor) -> Collection[str]:
    """The teams of which the caller may see the runs."""
    return [team for team in caller.roles if team not in caller.withheld]


def _detail(session: Session, caller: Actor, name: str) -> HostDetail:
    host = hosts.find(session, name)
    teams = _teams(caller)
    running = host_queue.current_trial(session, host.id)
    current = None
    if running is not None:
        known = HostTrial.model_validate(running, from_attributes=True)
        current = known if running.team_id in teams else HostTrial(started_at=running.started_at)
    queue = host_queue.queue_of(session, host.id, teams)
    return HostDetail(
        **_host(host, OpenTrials(queue.queued_trials, queue.running_trials)),
        queue=HostQueue.model_validate(queue),
        current=current,
        noise=noise.of_host(session, host),
        equivalence_run_id=_equivalence_run(session, host.id, caller),
    )


def _equivalence_run(session: Session, host_id: str, caller: Actor) -> str | None:
    if caller.team_id not in _teams(caller):
        return None
    run = hosts.newest_run_of_both_engines(session, host_id, caller.team)
    return None if run is None else run.id


def _host(host: KnownHost, open_: OpenTrials) -> dict[str, Any]:
    """The fields of a host."""
    capabilities = Capabilities.model_validate(host.capabilities)
    return {
        "id": host.id,
        "name": host.name,
        "access": host.access,
        "online": host.online,
        "last_seen_at": host.last_seen_at,
        "capabilities": capabilities,
        "cannot": tuple(_missing(key, reason) for key, reason in sorted(capabilities.reasons.items())),
        "environment": host.environment,
        "conditions": host.conditions,
        "host_network": host.host_network,
        "labels": host.labels,
        "policy": PolicySettings.model_validate(host.policy.model_dump()),
        "policy_version": host_settings.version_of(host.policy),
        "pause": _pause(host),
        "release": compare(host.release, server_release(), host.protocol, host.installed),
        "disk": host.disk,
        "clock": host.clock,
        "queued_trials": open_.queued,
        "running_trials": open_.running,
        "spread": noise.kept_score(host),
    }


def _pause(host: KnownHost) -> HostPause | None:
    if host.left:
        return None  # nothing will start again, whatever the policy says
    if host.drained_at is not None:
        return HostPause(code="drained", since=host.drained_at, by=host.drained_by)
    opens_at = host.opens_at
    return None if opens_at is None else HostPause(code="outside_hours", opens_at=opens_at)


def _missing(key: str, reason: str) -> Missing:
    """A missing capability from its key, such as "path.NAME", "path.NAME.off" or "engine.NAME"."""
    kind, _, rest = key.partition(".")
    name, _, setting = rest.partition(".")
    return Missing(kind=kind, name=name, setting=setting or None, reason=reason)


def choose(session: Session, name: str | None) -> KnownHost:
    """The host of this name; without a name, the only host that has not left.

    Raises Invalid at /host with the names of the other hosts, and Conflict if there is none.
    """
    known = hosts.list_all(session)
    there = [host for host in known if not host.left]
    names = ", ".join(host.name for host in there)
    for host in known:
        if host.name == name:
            if host.left:
                raise Invalid.at("/host", "host_left", left_detail(host.name))
            return host
    if not there:
        raise Conflict("no host is known yet: start a worker on the Docker host to be measured")
    if name is None:
        if len(there) > 1:
            raise Invalid.at("/host", "missing", f"several hosts are known, choose one of: {names}")
        return there[0]
    raise Invalid.at("/host", "unknown_host", f"unknown host; the known hosts are: {names}")


def left_detail(name: str) -> str:
    """Why a host that left can be given no work."""
    return f"{name} left, or its token was revoked, and takes no trial: let it join again, or leave it out"
