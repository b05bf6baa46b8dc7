"""One cell with plain Docker: networks, published port, client and the address that it connects to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from backend.core.definition.factors import Level
from backend.core.export.replay_script.shell import ADDRESS, FRONT_PORT, PORT
from backend.core.topology.deployment import ReverseProxySpec, ServerSpec, reverse_proxy_spec, server_spec
from backend.core.topology.model import BARE, REMOTE, Address, Attachment, PathDefinition, Vantage
from backend.core.topology.paths import PATHS
from backend.core.workload.services import SERVICES
from backend.core.workload.services.model import Listen, Service
from backend.core.workload.target import Target

NETWORKS: Final = {
    Attachment.USER_BRIDGE: '"${NAME}"',
    Attachment.DEFAULT_BRIDGE: "bridge",
    Attachment.HOST_NETWORK: "host",
    Attachment.SOCKET: "none",
}
"""The server's network by attachment, as the argument of `docker run --network`."""
CLIENTS: Final = {
    Vantage.SHARED_NAMESPACE: '"container:${NAME}-server"',
    Vantage.SIBLING_CONTAINER: "",
    Vantage.DOCKER_HOST: "host",
}
"""The client's own container by vantage; empty: the server's network."""
_PUBLISHED_ON: Final = {
    Address.LOOPBACK: "127.0.0.1",
    Address.LOOPBACK_IPV6: "[::1]",
    Address.HOST: "${ADDRESS}",
    Address.GATEWAY: "${ADDRESS}",
}
_ANY = "0.0.0.0"  # in the container's own network namespace  # nosec B104
_IN_SERVER_NAMESPACE: Final = (Vantage.SERVER_CONTAINER, Vantage.SHARED_NAMESPACE)


@dataclass(frozen=True)
class ReplaySetup:
    """One cell. `published_on` is the address on which the server's port is published, or empty.

    `target` is where the client connects to, `upstream` where the reverse proxy does; `looked_up` is the
    address that is known only when the script runs, or None.
    """

    levels: Mapping[str, Level]
    path: PathDefinition
    service: Service
    server: ServerSpec
    reverse_proxy: ReverseProxySpec | None
    listen: Listen
    published_on: str
    target: Target
    upstream: Target | None
    looked_up: Address | None

    @property
    def inside(self) -> Target:
        """The server's address for a command in its own container."""
        return Target("127.0.0.1", self.listen.port, self.service.socket if self.listen.socket else None)


def obstacle(levels: Mapping[str, Level]) -> str | None:
    """Why plain Docker on one host cannot repeat this cell, or None."""
    path = PATHS[str(levels["path"])]
    if path.vantage in REMOTE:
        return f"the client of the path {path.named} runs on another host"
    if path.attachment in BARE or path.vantage is Vantage.BARE_HOST:
        return f"on the path {path.named} client or server run outside Docker"
    if path.attachment not in NETWORKS:
        return f"the path {path.named} needs a network that must fit your own addresses and devices"
    return None


def replay_setup(levels: Mapping[str, Level]) -> ReplaySetup:
    """The setup of a cell without an obstacle."""
    path = PATHS[str(levels["path"])]
    service = SERVICES[str(levels["service"])]
    to = path.upstream or path.address
    publishes = path.attachment is Attachment.USER_BRIDGE and path.vantage not in _IN_SERVER_NAMESPACE
    on_host = path.attachment is Attachment.HOST_NETWORK
    listen = Listen(
        "127.0.0.1" if on_host else _ANY,
        PORT if on_host else service.port,
        socket=path.attachment is Attachment.SOCKET,
    )
    server = _target(to, listen, service, PORT if publishes else listen.port)
    return ReplaySetup(
        levels=levels,
        path=path,
        service=service,
        server=server_spec(levels),
        reverse_proxy=reverse_proxy_spec(levels),
        listen=listen,
        published_on=_PUBLISHED_ON.get(to, "") if publishes else "",
        target=Target("127.0.0.1", FRONT_PORT) if path.reverse_proxy else server,
        upstream=server if path.reverse_proxy else None,
        looked_up=to if to in (Address.CONTAINER, Address.GATEWAY, Address.HOST) else None,
    )


def _target(address: Address, listen: Listen, service: Service, port: int) -> Target:
    if address is Address.SOCKET:
        return Target("", listen.port, service.socket)
    if address is Address.CONTAINER:
        return Target(ADDRESS, listen.port)
    known = {Address.LOOPBACK: "127.0.0.1", Address.LOOPBACK_IPV6: "::1"}
    return Target(known.get(address, ADDRESS), port)
