"""Where clients run: a container in the right network namespace, or a process outside any container."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from backend.core.errors import HostFault, TrialFailed
from backend.core.topology.model import BARE, Address, Attachment, PathDefinition, Vantage
from backend.core.workload.target import Target
from worker.engine import templates
from worker.engine.protocol import Container, Engine
from worker.host.commands import in_namespace, run
from worker.sample.cgroup import ClientGroup, Hierarchy
from worker.topology.deployment import Deployment
from worker.topology.engine_pool import EngineHandle, EnginePool

log = logging.getLogger(__name__)

LOOPBACKS = {Address.LOOPBACK: "127.0.0.1", Address.LOOPBACK_IPV6: "::1"}
IN_SERVER_NAMESPACE = frozenset((Vantage.SERVER_CONTAINER, Vantage.SHARED_NAMESPACE))


@dataclass(frozen=True)
class ClientLocation:
    """Where a client runs: its container, the engine that runs commands in it, and that engine's handle."""

    engine: Engine
    container: Container
    handle: EngineHandle


class Clients:
    """The locations of all clients, each created on first use, and the cgroups that count their CPU."""

    def __init__(self, pool: EnginePool, hierarchy: Hierarchy) -> None:
        self._pool = pool
        self._hierarchy = hierarchy
        self._locations: dict[tuple[str, Vantage], ClientLocation] = {}
        self._groups: dict[str, tuple[EngineHandle, ClientGroup]] = {}

    def location(self, path: PathDefinition, deployment: Deployment, image: str) -> ClientLocation:
        """Where the client of a path runs."""
        key = (deployment.spec.key, path.vantage)
        if path.vantage is Vantage.REMOTE_CONTAINER:
            self._pool.handle(deployment.spec.engine)  # joins the swarm again where the other node was lost
        known = self._locations.get(key)
        if known is None or path.vantage is Vantage.SERVER_CONTAINER or not self._runs(known.handle):
            known = self._locations[key] = location_of(path, deployment, self._pool, image)
        return known

    def group(self, handle: EngineHandle, cpuset: str) -> ClientGroup:
        """The cgroup of clients on an engine, bound to these CPUs (empty: any)."""
        known = self._groups.get(handle.key)
        if known is None or known[0] is not handle:
            if known is not None:
                _close(known[1])  # of an engine that was started again: its cgroup is gone
            known = (handle, ClientGroup(self._hierarchy, handle.cgroup))
            self._groups[handle.key] = known
        known[1].pin(cpuset)
        return known[1]

    def leave(self, server_key: str) -> None:
        """Forget the clients of a server; those in its own namespaces are removed."""
        for key in [key for key in list(self._locations) if key[0] == server_key]:
            location = self._locations.pop(key)
            if server_key in location.container.name and key[1] is not Vantage.SERVER_CONTAINER:
                try:
                    location.engine.remove(location.container.name)
                except HostFault as error:  # its engine may be gone, and the container with it
                    log.info("the client %s was not removed: %s", location.container.name, error)

    def close(self) -> None:
        """Close the cgroups' meters; the containers are removed with their engines."""
        for _, group in self._groups.values():
            _close(group)
        self._groups.clear()
        self._locations.clear()

    def _runs(self, handle: EngineHandle) -> bool:
        """Whether this very engine still runs: one that was started again has none of its containers."""
        return self._pool.running().get(handle.key) is handle and handle.engine.answers()


def _close(group: ClientGroup) -> None:
    try:
        group.close()
    except OSError as error:
        log.info("the meter of a client's cgroup was not closed: %s", error)


def location_of(path: PathDefinition, deployment: Deployment, pool: EnginePool, image: str) -> ClientLocation:
    """Where the client of a path runs; its container is created where it is missing."""
    handle = deployment.handle
    vantage = path.vantage
    if vantage is Vantage.SERVER_CONTAINER:
        return ClientLocation(deployment.engine, deployment.server, handle)
    if vantage in (Vantage.REMOTE_HOST, Vantage.REMOTE_CONTAINER):
        handle = pool.remote()
    if deployment.spec.attachment is Attachment.ROUTED_BRIDGE and deployment.network.spec is not None:
        # Without NAT the other host needs a route to the containers' own addresses.
        subnet, gateway = deployment.network.spec.subnet, deployment.handle.address
        run(in_namespace(handle.netns, ["ip", "route", "replace", subnet, "via", gateway]))
    if vantage is Vantage.BARE_HOST:
        return _bare_location(deployment, handle, image)
    network = {
        Vantage.SHARED_NAMESPACE: f"container:{deployment.server.name}",
        Vantage.SIBLING_CONTAINER: deployment.network.name,
        Vantage.REMOTE_CONTAINER: deployment.network.name,
    }.get(vantage, "host")
    volumes = templates.socket_volume(deployment.spec, deployment.listen.socket)
    own = vantage is Vantage.SHARED_NAMESPACE or bool(volumes)
    name = f"plimsoll-client-{deployment.spec.key if own else network}" + ("-shared" if own else "")
    container = handle.engine.create(templates.client(image, name, network, volumes))
    return ClientLocation(handle.engine, container, handle)


def _bare_location(deployment: Deployment, handle: EngineHandle, image: str) -> ClientLocation:
    shared = deployment.spec.attachment in BARE and deployment.listen.socket
    volumes = templates.socket_volume(deployment.spec, shared)
    name = f"plimsoll-client-bare{'-' + deployment.spec.key if volumes else ''}"
    host = handle.bare_host()
    return ClientLocation(host, host.create(templates.client(image, name, "host", volumes)), handle)


def target_of(path: PathDefinition, address: Address, deployment: Deployment) -> Target:
    """The literal address and port by which a path's client or reverse proxy connects to the server.

    Raises TrialFailed where the server has no such address.
    """
    if address is Address.SOCKET:
        return Target("", deployment.listen.port, deployment.service.socket)
    server = deployment.server
    if address is Address.CONTAINER:
        return _known(server.address, deployment.listen.port, "the server's container has no address")
    if address is Address.GATEWAY:
        return _known(server.gateway, deployment.published, "the server's network has no gateway")
    own = path.vantage in IN_SERVER_NAMESPACE or not deployment.published
    port = deployment.listen.port if own else deployment.published
    return Target(LOOPBACKS.get(address, deployment.handle.address), port)


def _known(address: str | None, port: int, otherwise: str) -> Target:
    if not address:
        raise TrialFailed("provision_failed", otherwise)
    return Target(address, port)
