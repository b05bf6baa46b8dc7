"""The client address that requests are counted by."""

from __future__ import annotations

import ipaddress
from typing import Final

from starlette.types import Scope

from backend.api.client_address import client_address

IPV6_PREFIX: Final = 64
"""One subscriber has at least a /64 (RFC 6177), so that single addresses cost nothing."""


def address_of(scope: Scope) -> str:
    """The address of the client, "" if it is unknown, as on a Unix socket."""
    return client_address(scope) if scope.get("client") else ""


def is_local(address: str) -> bool:
    """Whether a client is on this host: programs of the host share the address."""
    try:
        return _unmapped(address).is_loopback
    except ValueError:
        return not address


def network_of(address: str) -> str:
    """What is counted as one client: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        found = _unmapped(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found.packed, IPV6_PREFIX), strict=False))


def _unmapped(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The IPv4 address inside an IPv4-mapped IPv6 address, else the address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
