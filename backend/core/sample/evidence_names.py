"""The names of the signals, one spelling in records, on the page and in docs/paths."""

from __future__ import annotations

from typing import Final

from backend.core.topology.model import Device, Relay

NAMESPACE: Final = "client's network namespace"
CLIENT: Final = "client's process namespace"
SERVER: Final = "server's process namespace"
LINK: Final = "server's link"
PEER: Final = "peer address"
DESTINATION: Final = "address the client connects to"
UPSTREAM: Final = "address the reverse proxy connects to"
DNAT: Final = "connections rewritten by DNAT"
SOCKET: Final = "connections on the Unix socket"
CLIENT_LINK: Final = "bytes on the client host's link"
CLIENT_LOOPBACK: Final = "bytes on the client host's loopback"
ADDED: Final = "bytes that VXLAN adds to a packet"
CLIENT_ADDED: Final = "bytes that VXLAN adds to a packet on the client host"


def of_device(device: Device) -> str:
    """The signal of the bytes on one device."""
    return f"bytes on the {device.value}"


def of_cpu(relay: Relay) -> str:
    """The signal of what a relaying program spends."""
    return f"CPU of {relay.value}"


def of_sockets(relay: Relay) -> str:
    """The signal of the sockets that a relaying program opens."""
    return f"sockets of {relay.value}"
