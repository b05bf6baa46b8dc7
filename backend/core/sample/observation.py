"""What was seen on the wire during one trial, before it is held against a label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backend.core.topology.model import Namespace


@dataclass(frozen=True)
class Bytes:
    """Bytes that a device carried in the window (received plus sent; for a loopback, sent only)."""

    engine_loopback: int
    bridge: int
    server_loopback: int
    server_veth: int


@dataclass(frozen=True)
class Addresses:
    """The addresses that a server may see as its peer."""

    gateway: str
    host: str
    client: str | None


@dataclass(frozen=True)
class Observation:
    """Readings around and in one window. None: the host could not feed this signal.

    `dnat_connections` counts connections, because nat chains see only the first packet of each;
    `proxy_connections` is the number of sockets that docker-proxy held in mid-run, two a connection.
    """

    namespace: Namespace | None
    bytes: Bytes
    addresses: Addresses
    peers: Mapping[str, int]
    dnat_connections: int | None
    proxy_cpu_ns: int | None
    proxy_sockets: int | None
    clients: int
    transactions: int
    window_seconds: float
