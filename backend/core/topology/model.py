"""A path: where the client stands, which address it uses, and what the bytes then pass through."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Vantage(StrEnum):
    """Where the client runs. The binary and the image are the same everywhere."""

    SERVER_CONTAINER = "server_container"
    SIBLING_CONTAINER = "sibling_container"
    DOCKER_HOST = "docker_host"


class Address(StrEnum):
    """Which literal address the client connects to; never a name, which could resolve elsewhere."""

    LOOPBACK = "loopback"
    CONTAINER = "container"
    HOST = "host"


class Hop(StrEnum):
    """One thing on a path that handles the bytes."""

    LOOPBACK = "loopback"
    DOCKER_PROXY = "docker-proxy"
    DNAT = "dnat"
    MASQUERADE = "masquerade"
    BRIDGE = "bridge"
    VETH = "veth"


class Namespace(StrEnum):
    """Whose network namespace the client's process is in."""

    SERVER = "server"
    ENGINE = "engine"
    OWN = "own"


class Peer(StrEnum):
    """Whose address the server sees at the other end of its connections."""

    LOOPBACK = "loopback"
    GATEWAY = "gateway"
    HOST = "host"
    CLIENT = "client"


@dataclass(frozen=True)
class Signature:
    """What a path shows on the wire when it is really taken.

    True means that the device carries the workload's bytes, False that it carries none of them.
    `dnat` and `docker_proxy` say whether the kernel rewrote the connections' destination, and whether
    the proxy process spent CPU on them. What live trials showed stands in docs/paths, a page a path.
    """

    namespace: Namespace
    peer: Peer
    engine_loopback: bool = False
    bridge: bool = False
    server_loopback: bool = False
    server_veth: bool = False
    dnat: bool = False
    docker_proxy: bool = False


@dataclass(frozen=True)
class Route:
    """One path under one engine setting: the hops in order, and their signature."""

    hops: tuple[Hop, ...]
    signature: Signature


@dataclass(frozen=True)
class PathDefinition:
    """A path of the registry. `proxied` is its route with userland-proxy on, `direct` with it off."""

    name: str
    title: str
    summary: str
    vantage: Vantage
    address: Address
    proxied: Route
    direct: Route

    def route(self, userland_proxy: bool) -> Route:
        """The route under one engine setting."""
        return self.proxied if userland_proxy else self.direct

    def hops(self, userland_proxy: bool) -> tuple[str, ...]:
        """The hops under one engine setting, as plain words."""
        return tuple(hop.value for hop in self.route(userland_proxy).hops)
