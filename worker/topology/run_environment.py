"""The environment of a run: versions and settings of host, engines, image and tools."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.errors import TrialFailed
from backend.core.sample import environment as names
from worker.engine import templates
from worker.engine.programs import docker_proxy_digest
from worker.host.environment import host_environment
from worker.host.time_limits import limit
from worker.sample.cgroup import find_hierarchy
from worker.sample.realtime_priority import realtime_allowed
from worker.sample.roles import irq_time_is_separate
from worker.topology.engine_pool import EngineHandle, EnginePool
from worker.workload.command import run_in

IRQ_TIME = {True: "yes", False: "no", None: "unknown"}
OBSERVERS = {True: "before the load", False: "beside the load"}
VERSIONS: Mapping[str, tuple[str, ...]] = {
    "postgres": ("postgres", "--version"),
    "pgbench": ("pgbench", "--version"),
    "wrk": ("wrk", "--version"),
    "ab": ("ab", "-V"),
    "iperf3": ("iperf3", "--version"),
    "nginx": ("nginx", "-v"),
    "haproxy": ("haproxy", "-v"),
    "socat": ("socat", "-V"),
    "gunicorn": ("gunicorn", "--version"),
    "pong": ("pong", "-version"),
}
LIMIT_S = 20.0


def tool_versions(handle: EngineHandle, image: str) -> dict[str, str]:
    """The first output line with a digit of each tool in the image; some print it and exit with 1."""
    name = "plimsoll-client-host"
    container = handle.engine.create(templates.client(image, name, "host"))
    found = {}
    for tool, argv in VERSIONS.items():
        _, text = run_in(handle.engine, container, argv, limit(LIMIT_S))
        line = next((line for line in text.splitlines() if any(c.isdigit() for c in line)), "")
        if not line:
            raise TrialFailed("provision_failed", f"the image has no {tool}: {text.strip()[:200]}")
        found[tool] = line.strip()
    return found


def environment_of(pool: EnginePool, tools: Mapping[str, str], image: str) -> dict[str, str]:
    """Every fact by name; what cannot be read is "unknown"."""
    facts = host_environment()
    facts[names.DOCKER_PROXY] = docker_proxy_digest()
    facts[names.CGROUP_VERSION] = str(find_hierarchy().version)
    facts[names.OBSERVERS] = OBSERVERS[realtime_allowed()]
    facts[names.IRQ_TIME] = IRQ_TIME[irq_time_is_separate()]
    for key, value in pool.bridge_netfilter().items():
        facts[f"{names.ENGINE}{key} bridge-nf-call-iptables"] = value
    for key, handle in sorted(pool.running().items()):
        facts |= {f"{names.ENGINE}{key} {name}": value for name, value in handle.versions.items()}
    return facts | dict(tools) | ({names.IMAGE: image} if image else {})
