"""The readings of one trial from which the path's evidence is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from backend.core.topology.model import Device, Link, Namespace, Process, Relay


@dataclass(frozen=True)
class Addresses:
    """The addresses that a server may see as its peer, and to which a client may connect.

    `server` is the server's own container address; None where it has none.
    """

    gateway: str
    host: str
    client: str | None
    server: str | None


@dataclass(frozen=True)
class Observation:
    """Readings around and in one window. None: the host has no such reading.

    `bytes` were carried in the window by device (received plus sent; for a loopback, sent only); a
    device that is not there is absent and counts as silent. `relays` is the CPU in nanoseconds of every
    relaying program that ran, and `relay_sockets` the sockets that each held in mid-run beyond its
    idle ones. `peers` and `destinations` count connections by the address at the server's and at the
    client's other end, `reverse_proxy_destinations` those of the reverse proxy; `socket_connections` those on
    the server's Unix socket. `dnat_connections`
    counts connections, because nat chains see only the first packet of each. `short_lived`: each operation
    opens a connection of its own, so there may be none at any instant. `vxlan_packets` were received and sent
    by the VXLAN device of the server's overlay.
    """

    namespace: Namespace | None
    client: Process | None
    server: Process | None
    link: Link | None
    bytes: Mapping[Device, int]
    addresses: Addresses
    peers: Mapping[str, int]
    destinations: Mapping[str, int]
    socket_connections: int | None
    dnat_connections: int | None
    relays: Mapping[Relay, int]
    relay_sockets: Mapping[Relay, int]
    connections: int
    operations: int
    window_seconds: float
    reverse_proxy_destinations: Mapping[str, int] = field(default_factory=dict)
    short_lived: bool = False
    vxlan_packets: int | None = None
