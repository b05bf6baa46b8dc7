"""A path: the server's attachment, the client's vantage, the address, the reverse proxy and the hops."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Attachment(StrEnum):
    """The server's network attachment. Each attachment needs a server of its own."""

    USER_BRIDGE = "bench_bridge"
    DEFAULT_BRIDGE = "default_bridge"
    ROUTED_BRIDGE = "routed_bridge"
    HOST_NETWORK = "host_network"
    BARE = "bare"
    SOCKET = "socket"
    BARE_SOCKET = "bare_socket"
    OVERLAY = "overlay"
    OVERLAY_ENCRYPTED = "overlay_encrypted"
    MACVLAN = "macvlan"
    IPVLAN_L2 = "ipvlan_l2"
    IPVLAN_L3 = "ipvlan_l3"


BARE: Final = frozenset((Attachment.BARE, Attachment.BARE_SOCKET))
"""The server runs outside Docker."""
SOCKETS: Final = frozenset((Attachment.SOCKET, Attachment.BARE_SOCKET))
"""The server listens on a Unix socket."""
OVERLAYS: Final = frozenset((Attachment.OVERLAY, Attachment.OVERLAY_ENCRYPTED))


class Vantage(StrEnum):
    """Where the client runs. The binary and the image are the same everywhere.

    `sibling_container` is another container on the server's own network; `remote_container` one on
    another node of that network; `remote_host` is another host, outside any bridge.
    """

    SERVER_CONTAINER = "server_container"
    SHARED_NAMESPACE = "shared_namespace"
    SIBLING_CONTAINER = "sibling_container"
    DOCKER_HOST = "docker_host"
    BARE_HOST = "bare_host"
    REMOTE_HOST = "remote_host"
    REMOTE_CONTAINER = "remote_container"


REMOTE: Final = frozenset((Vantage.REMOTE_HOST, Vantage.REMOTE_CONTAINER))
"""The client runs on another host."""


class Address(StrEnum):
    """The literal address that the client connects to; a name could resolve to another address."""

    LOOPBACK = "loopback"
    LOOPBACK_IPV6 = "loopback_ipv6"
    CONTAINER = "container"
    HOST = "host"
    GATEWAY = "gateway"
    SOCKET = "socket"


class ReverseProxyKind(StrEnum):
    """A reverse proxy that Plimsoll starts; the client connects to it on 127.0.0.1."""

    NGINX_STREAM = "nginx_stream"
    NGINX_HTTP = "nginx_http"
    HAPROXY_TCP = "haproxy_tcp"
    SOCAT = "socat"


class Relay(StrEnum):
    """A process that relays bytes from one connection to another."""

    DOCKER_PROXY = "docker-proxy"
    NGINX = "nginx"
    HAPROXY = "haproxy"
    SOCAT = "socat"


class Hop(StrEnum):
    """One thing on a path that handles the bytes."""

    LOOPBACK = "loopback"
    DOCKER_PROXY = "docker-proxy"
    DNAT = "dnat"
    MASQUERADE = "masquerade"
    HAIRPIN = "hairpin"
    BRIDGE = "bridge"
    VETH = "veth"
    NGINX = "nginx"
    HAPROXY = "haproxy"
    SOCAT = "socat"
    VXLAN = "vxlan"
    ESP = "esp"
    WIRE = "wire"
    ROUTE = "route"
    MACVLAN = "macvlan"
    IPVLAN = "ipvlan"
    UNIX_SOCKET = "unix socket"


class Namespace(StrEnum):
    """The network namespace of a process. `own`: a container's own on the server's node."""

    SERVER = "server"
    ENGINE = "engine"
    OWN = "own"
    REMOTE_ENGINE = "remote_engine"
    REMOTE_OWN = "remote_own"


class Process(StrEnum):
    """The PID namespace of a program: the server's container, another one, or the host's."""

    SERVER_CONTAINER = "server_container"
    OTHER_CONTAINER = "other_container"
    BARE = "bare"


class Peer(StrEnum):
    """The peer address of the server's connections. `none`: a Unix socket has none."""

    LOOPBACK = "loopback"
    GATEWAY = "gateway"
    HOST = "host"
    CLIENT = "client"
    NONE = "none"


class Device(StrEnum):
    """A network device whose bytes are counted.

    Where the server is in the engine's namespace, loopback and link are the engine's and counted there only.
    """

    SERVER_LOOPBACK = "server's loopback"
    SERVER_LINK = "server's link"
    ENGINE_LOOPBACK = "engine's loopback"
    USER_BRIDGE = "user-defined bridge"
    DEFAULT_BRIDGE = "default bridge"
    WIRE = "wire"
    VXLAN = "vxlan"
    ESP = "IPsec ESP"


class Link(StrEnum):
    """The server's network device and what it is connected to."""

    NONE = "none, the host's own devices"
    USER_BRIDGE = "veth on a user-defined bridge"
    DEFAULT_BRIDGE = "veth on the default bridge"
    ROUTED_BRIDGE = "veth on the routed bridge"
    OVERLAY = "veth on an overlay with vxlan"
    MACVLAN = "macvlan"
    IPVLAN_L2 = "ipvlan l2"
    IPVLAN_L3 = "ipvlan l3"
    NO_NETWORK = "no network"


@dataclass(frozen=True)
class Signature:
    """The observations that prove a path.

    `carries` are the devices that carry the workload's bytes; every other one carries none of them.
    `relays` are the processes that spend CPU on it; every other one is idle. `destination` is the
    address that the client's own sockets go to. Results of live trials: docs/paths.
    """

    namespace: Namespace
    peer: Peer
    destination: Address
    link: Link
    carries: frozenset[Device] = frozenset()
    relays: frozenset[Relay] = frozenset()
    dnat: bool = False
    socket: bool = False
    client: Process = Process.OTHER_CONTAINER
    server: Process = Process.SERVER_CONTAINER


@dataclass(frozen=True)
class Route:
    """One path under one engine setting: the hops in order, and their signature."""

    hops: tuple[Hop, ...]
    signature: Signature


@dataclass(frozen=True)
class PathDefinition:
    """A path of the registry. `proxied` is its route with userland-proxy on, `direct` with it off.

    A route is None where that setting has none, for the reason in `unreachable`. `services`
    are those that the path supports; an empty tuple means every one. `upstream` is the address that the
    reverse proxy connects to.
    """

    name: str
    title: str
    summary: str
    attachment: Attachment
    vantage: Vantage
    address: Address
    proxied: Route | None
    direct: Route | None
    reverse_proxy: ReverseProxyKind | None = None
    upstream: Address | None = None
    services: tuple[str, ...] = ()
    unreachable: str = ""

    @property
    def named(self) -> str:
        """The title with the name that a document uses: "Bare host (bare_host)"."""
        return f"{self.title} ({self.name})"

    def route(self, userland_proxy: bool) -> Route | None:
        """The route under one engine setting."""
        return self.proxied if userland_proxy else self.direct

    def hops(self, userland_proxy: bool) -> tuple[str, ...]:
        """The hops under one engine setting, as plain words; none where it is unreachable."""
        route = self.route(userland_proxy)
        return () if route is None else tuple(hop.value for hop in route.hops)
