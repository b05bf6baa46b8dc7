"""A Swarm of two lab engines, of one host or of two, for overlay networks.

Each node has a network namespace of its own, so that the overlay's packets are VXLAN on the link between the
engines; between two nodes in one namespace they would not leave the bridge.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docker.types import IPAMConfig, IPAMPool

from backend.core.errors import EngineUnavailable
from worker.engine.docker_engine import DockerEngine
from worker.engine.docker_errors import docker_errors
from worker.engine.lab import LabEngine
from worker.engine.names import OVERLAY_ADDRESSES
from worker.host.time_limits import late, limit

log = logging.getLogger(__name__)

PORT = 2377
LIMIT_S = 30.0
GATEWAY_BRIDGE = "docker_gwbridge"

_forming = threading.Lock()


@dataclass(frozen=True)
class Invitation:
    """The manager's address and port, and the secret with which a worker joins its swarm."""

    manager: str
    token: str = field(repr=False)


def form(manager: LabEngine, worker: LabEngine) -> None:
    """Form a swarm of both engines, and wait until both nodes are ready; repeatable, from any thread.

    Raises EngineUnavailable in one sentence where a node refuses or does not become ready.
    """
    with _forming, docker_errors("forming the swarm of two engines"):
        _form(manager, worker)


def _form(manager: LabEngine, worker: LabEngine) -> None:
    first, second = _docker(manager), _docker(worker)
    invitation = begin(manager)
    if _node(second)["NodeID"] not in _ready(first):
        join(worker, invitation)
    _await("both nodes of the swarm ready", lambda: _node(second)["NodeID"] in _ready(first))


def begin(manager: LabEngine) -> Invitation:
    """Make an engine the manager of a swarm, unless it is one; returns what another node needs to join.

    Raises EngineUnavailable.
    """
    docker = _docker(manager)
    with docker_errors("beginning a swarm"):
        if _node(docker)["LocalNodeState"] != "active":
            _leave(docker)
            docker.client.swarm.init(
                advertise_addr=manager.address,
                listen_addr=f"{manager.address}:{PORT}",
                default_addr_pool=[OVERLAY_ADDRESSES],
                subnet_size=24,
            )
        return Invitation(f"{manager.address}:{PORT}", _token(docker))


def join(worker: LabEngine, invitation: Invitation) -> None:
    """Make an engine a node of another one's swarm; it leaves that of which it is one.

    Raises EngineUnavailable.
    """
    docker = _docker(worker)
    with docker_errors("joining a swarm"):
        _leave(docker)
        docker.client.swarm.join(
            remote_addrs=[invitation.manager],
            join_token=invitation.token,
            advertise_addr=worker.address,
            listen_addr=f"{worker.address}:{PORT}",
        )


def make_gateway_bridge(engine: LabEngine, device: str, subnet: str) -> None:
    """Create the bridge of the engine's overlays before it joins a swarm, as a device of this name.

    Without it, dockerd makes a device `docker_gwbridge`, which in a host's own network may be that of the
    host's own daemon. No container gets an address of it on an internal overlay.
    """
    with docker_errors("making the bridge of a swarm's node"):
        _docker(engine).client.networks.create(
            GATEWAY_BRIDGE,
            driver="bridge",
            ipam=IPAMConfig(pool_configs=[IPAMPool(subnet=subnet)]),
            options={
                "com.docker.network.bridge.name": device,
                "com.docker.network.bridge.enable_icc": "false",
                "com.docker.network.bridge.enable_ip_masquerade": "false",
            },
        )


def leave(*engines: LabEngine) -> None:
    """Remove engines from their swarm, in this order; one that is in no swarm or stopped is no error.

    Call it after the containers on the overlay were removed.
    """
    for engine in engines:
        if engine.docker is not None:
            try:
                with docker_errors("leaving the swarm"):
                    _leave(engine.docker)
                    engine.docker.client.api.remove_network(GATEWAY_BRIDGE)
            except EngineUnavailable as error:
                log.info("%s: %s", engine.names.key, error)


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
