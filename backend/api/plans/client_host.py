"""The client host of a new run: another known host, able and open to run the clients of remote paths."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from backend.api.hosts.service import left_detail
from backend.core.errors import Invalid
from backend.core.plan.model import Obstacle, Plan
from backend.core.topology import host_policy
from backend.core.topology.two_hosts import CLIENT_HOST, Levels, on_client_host
from backend.store.repositories import hosts
from backend.store.repositories.hosts import KnownHost

POINTER = "/client_host"


def choose_client(session: Session, own: KnownHost | None, name: str) -> KnownHost:
    """The known host of this name. Raises Invalid at /client_host for the run's own host and unknown ones."""
    if own is not None and name == own.name:
        detail = "the client host is another one than the run's own; leave it out to run clients there"
        raise Invalid.at(POINTER, "same_host", detail)
    known = {found.name: found for found in hosts.list_all(session)}
    if name not in known:
        raise Invalid.at(POINTER, "unknown_host", f"unknown host; the known hosts are: {', '.join(known)}")
    if known[name].left:
        raise Invalid.at(POINTER, "host_left", left_detail(name))
    return known[name]


def with_client_host(host: KnownHost, client: KnownHost) -> dict[str, Any]:
    """The capabilities of the run's host with those of its client host."""
    return {**host.capabilities, CLIENT_HOST: {**client.capabilities, "name": client.name}}


def closed_to(
    host: KnownHost, client: KnownHost, levels: Levels, capabilities: dict[str, Any]
) -> Obstacle | None:
    """Why the policy of the client host forbids a cell, or that of either host to share it with the other."""
    if not on_client_host(levels, capabilities):
        return None
    of_client = host_policy.forbidden(levels, client.policy) or host_policy.not_partners(
        levels, client.policy, host.name
    )
    if of_client is not None:
        return Obstacle(of_client.factor, of_client.code, f"{client.name}: {of_client.detail}")
    return host_policy.not_partners(levels, host.policy, client.name)


def check_client_host(host: KnownHost, client: KnownHost, plan: Plan, capabilities: dict[str, Any]) -> None:
    """Raise Invalid if no cell needs the client host, or if it is closed to one that does."""
    used = [
        cell for cell in plan.cells if cell.infeasible is None and on_client_host(cell.levels, capabilities)
    ]
    if not used:
        why = next((cell.infeasible for cell in plan.cells if cell.infeasible is not None), "")
        detail = f"no cell of the plan runs its client on {client.name}{': ' if why else ''}{why}"
        raise Invalid.at(POINTER, "client_host_unused", detail)
    if not client.host_network:
        detail = f"{client.name} is closed to host networking: ask an administrator of the installation"
        raise Invalid.at(POINTER, "mode_not_enabled", detail)
    for cell in used:
        if (obstacle := closed_to(host, client, cell.levels, capabilities)) is not None:
            raise Invalid.at(POINTER, "policy_forbids", obstacle.detail)
