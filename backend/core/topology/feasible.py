"""Why a cell cannot run: on any host, or on one host by the capabilities that its worker probed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from backend.core.definition.catalog import FITS, PROXY_PROGRAM
from backend.core.definition.factors import Level
from backend.core.plan.model import Obstacle
from backend.core.topology.deployment import engine_spec
from backend.core.topology.model import OVERLAYS, Address
from backend.core.topology.paths import PATHS
from backend.core.topology.two_hosts import (
    TWO_HOST_PATHS,
    is_overlay_between_hosts,
    on_client_host,
    two_host_obstacles,
)

Levels = Mapping[str, Level]
Capabilities = Mapping[str, Any]

HOST_ENGINE_PATHS: Final = (
    "same_container",
    "shared_namespace",
    "sibling_container",
    "container_address",
    "published_loopback",
)
"""The paths that the host's own daemon can measure: none opens a port or changes a network of the host."""
NAMED: Final = 8
"""The most CPUs that one message lists."""
CPUSETS: Final = ("server_cpuset", "client_cpuset", "proxy_cpuset")


def infeasible(levels: Levels, capabilities: Capabilities) -> Obstacle | None:
    """Why a cell cannot run on a host, or None when it can.

    `capabilities` is what the host's worker reported, see docs/vocabulary.md. A key that is missing
    excludes nothing, so an empty mapping gives only what no host can run. `client_host` in it are the
    capabilities of the run's client host; without the key the run has none.
    """
    for obstacles in (_wrong, two_host_obstacles, _engine, _path, _limits):
        found = next(obstacles(levels, capabilities), None)
        if found is not None:
            return found
    return None


def _wrong(levels: Levels, _capabilities: Capabilities) -> Iterator[Obstacle]:
    """Levels that no host can run."""
    tool, service = str(levels["tool"]), str(levels["service"])
    path = PATHS[str(levels["path"])]
    if service not in FITS[tool]:
        fitting = " or ".join(FITS[tool])
        yield Obstacle(
            "service", "tool_does_not_fit", f"{tool} cannot load {service}; set service to {fitting}"
        )
    if path.services and service not in path.services:
        supported = " or ".join(path.services)
        detail = (
            f"the path {path.named} does not support {service}; set service to {supported}, or choose "
            "another path"
        )
        yield Obstacle("path", "service_not_carried", detail)
    if path.route(bool(levels["userland_proxy"])) is None:
        yield Obstacle("path", "path_unreachable", f"{path.named}: {path.unreachable}")
    if levels.get("transport") == "udp" and (
        path.reverse_proxy is not None or path.address is Address.SOCKET
    ):
        detail = f"the path {path.named} supports TCP only; set transport to tcp, or choose another path"
        yield Obstacle("transport", "transport_not_carried", detail)
    if path.attachment in OVERLAYS and not levels["userland_proxy"]:
        detail = (
            f"the path {path.named} does not use docker-proxy and is measured with userland-proxy on only"
        )
        yield Obstacle("userland_proxy", "engine_missing", f"{detail}; set userland_proxy to true")


def _engine(levels: Levels, capabilities: Capabilities) -> Iterator[Obstacle]:
    """Docker daemons that the host lacks: lab daemons of both settings, swarm nodes, its own daemon."""
    spec = engine_spec(levels)
    if levels.get("engine") == "host":
        yield from _host_engine(levels, capabilities)
    key = "on" if spec.kind == "lab" and spec.userland_proxy else "off" if spec.kind == "lab" else spec.kind
    if key not in capabilities.get("engines", (key,)):
        missing = (
            f"this host has no {key} Docker daemon"
            if spec.kind != "lab"
            else f"this host has no lab daemon with userland-proxy {key}"
        )
        yield Obstacle(
            "engine" if spec.kind != "lab" else "userland_proxy",
            "engine_missing",
            _reason(capabilities, f"engine.{key}", missing),
        )
    program = str(levels.get("proxy_program", PROXY_PROGRAM))
    known = capabilities.get("programs")
    if known is not None and program != PROXY_PROGRAM and program not in known:
        names = ", ".join(dict.fromkeys((PROXY_PROGRAM, *known)))
        detail = f"no program {program} is registered on this host; use {names}, or register it there"
        yield Obstacle(
            "proxy_program", "unknown_program", _reason(capabilities, f"program.{program}", detail)
        )


def _host_engine(levels: Levels, capabilities: Capabilities) -> Iterator[Obstacle]:
    """What would change the host's own daemon: another setting, open ports, new networks."""
    path = PATHS[str(levels["path"])]
    reached = path.name in TWO_HOST_PATHS and on_client_host(levels, capabilities)
    if path.name not in HOST_ENGINE_PATHS and not reached:
        detail = (
            f"on the host's own Docker daemon {path.named} would open ports or change the host's networks"
        )
        other = ", or start the run with a client host" if path.name in TWO_HOST_PATHS else ""
        yield Obstacle("engine", "host_engine_path", f"{detail}; set engine to lab{other}")
    if levels.get("proxy_program", PROXY_PROGRAM) != PROXY_PROGRAM:
        detail = (
            "the host's own Docker daemon keeps its own docker-proxy; set engine to lab for another program"
        )
        yield Obstacle("proxy_program", "host_engine_program", detail)
    own = None if is_overlay_between_hosts(levels) else capabilities.get("host_userland_proxy")
    if own is not None and bool(own) != bool(levels["userland_proxy"]):
        is_, wanted = ("on", "off") if own else ("off", "on")
        detail = (
            f"the host's own Docker daemon runs with userland-proxy {is_} and is not changed; set engine to "
            f"lab, or set userland_proxy to {str(bool(own)).lower()} ({wanted} is wanted here)"
        )
        yield Obstacle("userland_proxy", "host_engine_setting", detail)


def _path(levels: Levels, capabilities: Capabilities) -> Iterator[Obstacle]:
    """Paths that the host does not support at all, or not with this setting."""
    path = str(levels["path"])
    setting = f"path.{path}.{'on' if levels['userland_proxy'] else 'off'}"
    if path not in capabilities.get("paths", (path,)):
        detail = _reason(
            capabilities, f"path.{path}", f"this host does not support the path {PATHS[path].named}"
        )
        yield Obstacle("path", "path_not_possible", detail)
    elif setting in capabilities.get("reasons", {}):
        yield Obstacle("path", "path_not_possible", _reason(capabilities, setting, ""))


def _limits(levels: Levels, capabilities: Capabilities) -> Iterator[Obstacle]:
    """Cores, cpusets and memory that the host does not have."""
    cores, wanted = int(capabilities.get("cores") or 0), int(levels.get("server_cpus", 0))
    if cores and wanted > cores:
        detail = (
            f"{wanted} CPUs for the server, but this host has {cores}; set server_cpus to at most {cores}"
        )
        yield Obstacle("server_cpus", "too_many_cpus", detail)
    for name in CPUSETS:
        if name == "client_cpuset" and on_client_host(levels, capabilities):
            continue  # checked against the client host
        missing = _beyond(str(levels.get(name, "")), cores) if cores else []
        if missing:
            named = ", ".join(map(str, missing))
            detail = (
                f"{name} names CPU {named}, but this host has CPUs 0 to {cores - 1}; name CPUs that exist"
            )
            yield Obstacle(name, "unknown_cpu", detail)
    memory = int(capabilities.get("memory_mb") or 0)
    for name in ("server_memory_mb", "shared_buffers_mb"):
        size = int(levels.get(name, 0))
        if memory and size > memory:
            detail = f"{name} {size:,} MiB, but this host has {memory:,} MiB; set it to at most {memory}"
            yield Obstacle(name, "too_much_memory", detail)
    largest, scale = int(capabilities.get("max_scale") or 0), int(levels.get("scale", 0))
    if largest and scale > largest:
        detail = f"scale {scale} needs more memory or disk than this host has; set scale to at most {largest}"
        yield Obstacle("scale", "scale_too_large", detail)


def _beyond(cpuset: str, cores: int) -> list[int]:
    """The first CPUs of "0-1,4" that a host of so many cores does not have, NAMED at most.

    A range that runs backwards is read from its lower end.
    """
    found: set[int] = set()
    for part in filter(None, cpuset.split(",")):
        first, _, last = part.partition("-")
        low, high = sorted((int(first), int(last or first)))
        found.update(range(max(low, cores), high + 1)[:NAMED])
    return sorted(found)[:NAMED]


def _reason(capabilities: Capabilities, key: str, otherwise: str) -> str:
    """The reason that the worker's probe reported, or `otherwise`."""
    return str(capabilities.get("reasons", {}).get(key, otherwise))
