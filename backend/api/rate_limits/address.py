"""What is counted as one client."""

from __future__ import annotations

import ipaddress
from typing import Final

from backend.api.client_address import UNKNOWN
from backend.web_address import IPAddress, read_address

IPV6_PREFIX: Final = 64
"""One subscriber has at least a /64 (RFC 6177), so that single addresses cost nothing."""


def is_local(address: str) -> bool:
    """Whether a client is on this host: programs of the host share the address, or use a Unix socket."""
    found = _read(address)
    return address == UNKNOWN if found is None else found.is_loopback


def network_of(address: str) -> str:
    """What is counted as one client: an IPv4 address, or the /64 network of an IPv6 address."""
    found = _read(address)
    if found is None or found.version == 4:
        return address if found is None else str(found)
    return str(ipaddress.ip_network((found.packed, IPV6_PREFIX), strict=False))


def _read(address: str) -> IPAddress | None:
    try:
        return read_address(address)
    except ValueError:
        return None
