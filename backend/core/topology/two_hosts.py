"""Which cells can have their client on another host, and why others cannot (docs/decisions/0049, 0074)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from backend.core.definition.factors import Level
from backend.core.plan.model import Obstacle
from backend.core.topology.model import REMOTE, Attachment
from backend.core.topology.paths import PATHS

Levels = Mapping[str, Level]
Capabilities = Mapping[str, Any]

CLIENT_HOST: Final = "client_host"
"""The capabilities of the client host, as a key in those of the run's host: present if the run names one."""
TWO_HOST_PATHS: Final = ("published_remote", "host_network_remote", "overlay")
"""The paths that can be measured between two hosts."""
ABLE: Final = "two_host_paths"
"""Those of them that a host's worker can take part in, as a key of its capabilities."""
VXLAN_PORT: Final = "UDP 4789"
OLDER_WORKER: Final = "its worker is of a release without overlays between two hosts; update it"


def on_client_host(levels: Levels, capabilities: Capabilities) -> bool:
    """Whether a cell's client runs on the run's client host."""
    return CLIENT_HOST in capabilities and PATHS[str(levels["path"])].vantage in REMOTE


def is_between_hosts(levels: Levels) -> bool:
    """Whether a cell can only be measured between two hosts: on one it is infeasible."""
    return levels.get("engine") == "host" and str(levels["path"]) in TWO_HOST_PATHS


def is_overlay_between_hosts(levels: Levels) -> bool:
    """Whether a cell runs on an overlay of two hosts, which uses VXLAN_PORT on both."""
    return levels.get("engine") == "host" and PATHS[str(levels["path"])].attachment is Attachment.OVERLAY


def port_warnings(feasible: Iterable[Levels]) -> tuple[str, ...]:
    """What a plan says of the port that its feasible cells use on both hosts."""
    if not any(is_overlay_between_hosts(levels) for levels in feasible):
        return ()
    return (
        f"overlay between two hosts uses {VXLAN_PORT} on both during each of its trials: it must be free "
        "there, and reachable between the two hosts alone",
    )


def two_host_obstacles(levels: Levels, capabilities: Capabilities) -> Iterator[Obstacle]:
    """Why a cell with a remote client cannot have it on the run's client host; nothing without one.

    A key that is missing in the client host's capabilities excludes nothing.
    """
    if not on_client_host(levels, capabilities):
        return
    path, client = PATHS[str(levels["path"])], capabilities[CLIENT_HOST]
    if path.name not in TWO_HOST_PATHS:
        detail = f"the path {path.named} {_why_not(path.attachment)}; start the run without a client host"
        yield Obstacle("path", "path_needs_one_host", detail)
    if levels.get("engine") != "host":
        detail = (
            "a lab daemon has no address that another host can reach; set engine to host, or start the run "
            "without a client host"
        )
        yield Obstacle("engine", "engine_not_reachable", detail)
    if why := _cannot_overlay(levels, capabilities):
        yield Obstacle("engine", "engine_missing", why)
    if why := _no_daemon(client) or _cannot_overlay(levels, client):
        yield Obstacle("engine", "engine_missing", f"the client host {_name(client)} cannot run it: {why}")
    cores = int(client.get("cores") or 0)
    last = max((int(number) for number in _numbers(str(levels.get("client_cpuset", "")))), default=0)
    if cores and last >= cores:
        detail = f"client_cpuset names CPU {last}, but the client host has CPUs 0 to {cores - 1}"
        yield Obstacle("client_cpuset", "unknown_cpu", f"{detail}; name CPUs that exist")


def _no_daemon(client: Capabilities) -> str:
    """Why the client host lacks the Docker daemon that the cell needs; empty where it has it."""
    if "host" in client.get("engines", ("host",)):
        return ""
    return str(client.get("reasons", {}).get("engine.host", "it has no Docker daemon of its own"))


def _cannot_overlay(levels: Levels, capabilities: Capabilities) -> str:
    """Why a host makes no end of an overlay between two hosts; empty where it does, or none is needed."""
    if not is_overlay_between_hosts(levels) or "engines" not in capabilities:
        return ""
    path = str(levels["path"])
    if path in capabilities.get(ABLE, ()):
        return ""
    return str(capabilities.get("reasons", {}).get(f"path.{path}.two_hosts", OLDER_WORKER))


def _why_not(attachment: Attachment) -> str:
    if attachment is Attachment.OVERLAY_ENCRYPTED:
        return (
            "is measured on a swarm of two lab daemons of one host: its encryption needs firewall rules and "
            "keys in the network of a host"
        )
    if attachment is Attachment.ROUTED_BRIDGE:
        return "needs a route to the containers in the other host's own routing table"
    return "runs its server outside Docker, which is done in a lab network only"


def _name(client: Capabilities) -> str:
    return str(client.get("name", ""))


def _numbers(cpuset: str) -> list[str]:
    return [number for part in cpuset.split(",") for number in part.split("-") if number]
