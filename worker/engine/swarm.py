"""A Swarm of two lab engines of one host, for overlay networks.

Each node has a network namespace of its own, so that the overlay's packets are VXLAN on the link between the
engines; between two nodes in one namespace they would not leave the bridge.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backend.core.errors import EngineUnavailable
from worker.engine.docker_engine import DockerEngine
from worker.engine.docker_errors import docker_errors
from worker.engine.lab import LabEngine
from worker.engine.names import OVERLAY_ADDRESSES
from worker.host.time_limits import late, limit

PORT = 2377
LIMIT_S = 30.0

_forming = threading.Lock()


def form(manager: LabEngine, worker: LabEngine) -> None:
    """Form a swarm of both engines, and wait until both nodes are ready; repeatable, from any thread.

    Raises EngineUnavailable in one sentence where a node refuses or does not become ready.
    """
    with _forming, docker_errors("forming the swarm of two engines"):
        _form(manager, worker)


def _form(manager: LabEngine, worker: LabEngine) -> None:
    first, second = _docker(manager), _docker(worker)
    if _node(first)["LocalNodeState"] != "active":
        _leave(first)
        first.client.swarm.init(
            advertise_addr=manager.address,
            listen_addr=f"{manager.address}:{PORT}",
            default_addr_pool=[OVERLAY_ADDRESSES],
            subnet_size=24,
        )
    if _node(second)["NodeID"] not in _ready(first):
        _leave(second)
        second.client.swarm.join(
            remote_addrs=[f"{manager.address}:{PORT}"],
            join_token=_token(first),
            advertise_addr=worker.address,
            listen_addr=f"{worker.address}:{PORT}",
        )
    _await("both nodes of the swarm ready", lambda: _node(second)["NodeID"] in _ready(first))


def overlay_namespace(engine: LabEngine, network_name: str) -> Path | None:
    """The file of the network namespace where an engine keeps an overlay's bridge and VXLAN device.

    None until a container of this engine is on the overlay.
    """
    docker = _docker(engine)
    with docker_errors("looking for the overlay network"):
        networks = docker.client.networks.list(names=[network_name])
    found = [net for net in networks if net.name == network_name]
    # libnetwork names it by the sandbox's number and the network's id (overlay/ov_network.go).
    files = [engine.names.exec_root / "netns" / f"1-{str(net.id)[:10]}" for net in found]
    return next((file for file in files if file.exists()), None)


def _docker(engine: LabEngine) -> DockerEngine:
    if engine.docker is None:
        raise EngineUnavailable(f"engine {engine.names.key} does not run; start it before it joins a swarm")
    return engine.docker


def _node(docker: DockerEngine) -> dict[str, Any]:
    found: dict[str, Any] = docker.client.info()["Swarm"]
    return found


def _ready(docker: DockerEngine) -> set[str]:
    """Ids of the nodes that are ready for the manager."""
    return {str(node.id) for node in docker.client.nodes.list() if node.attrs["Status"]["State"] == "ready"}


def _token(docker: DockerEngine) -> str:
    docker.client.swarm.reload()
    return str(docker.client.swarm.attrs["JoinTokens"]["Worker"])


def _leave(docker: DockerEngine) -> None:
    if _node(docker)["LocalNodeState"] != "inactive":
        docker.client.swarm.leave(force=True)


def _await(condition: str, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + limit(LIMIT_S)
    while not ready():
        if time.monotonic() > deadline:
            raise EngineUnavailable(f"{condition}: not {late(LIMIT_S)}")
        time.sleep(0.05)  # the engine offers no event for this; bounded by the deadline
