"""Where a webhook may be sent: a public address, resolved once for each attempt."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

import httpx2

from backend.web_address import Networks

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a name and port. Raises OSError."""

MAX_URL: Final = 500
_PORTS: Final = {"http": 80, "https": 443}
_NAT64: Final = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
_COMPATIBLE: Final = IPv6Network("::/96")
"""IPv4-compatible addresses (RFC 4291, 2.5.5.1), deprecated; some systems still reach the IPv4 host."""


class Blocked(Exception):
    """The destination is not allowed or cannot be resolved; the text says why."""


@dataclass(frozen=True)
class Destination:
    """A URL and the one address to connect to."""

    url: httpx2.URL
    address: Address

    @property
    def pinned(self) -> httpx2.URL:
        """The URL with the address in the host's place: the name is not resolved again."""
        host = f"[{self.address}]" if self.address.version == 6 else str(self.address)
        return self.url.copy_with(host=host)


def read_url(text: str) -> httpx2.URL:
    """The URL of a receiver. Raises Blocked."""
    if len(text) > MAX_URL or not text.isprintable() or " " in text:
        raise Blocked(f"write a URL of at most {MAX_URL} printable characters")
    try:
        url = httpx2.URL(text)
    except httpx2.InvalidURL as error:
        raise Blocked(f"this is not a URL: {error}") from error
    if url.scheme not in _PORTS or not url.host:
        raise Blocked("write https://HOST/PATH")
    if url.port is not None and not 0 < url.port < 65536:
        raise Blocked("the port is a number between 1 and 65535")
    if url.userinfo or url.fragment:
        raise Blocked("the URL may have no user, password or fragment: put a secret into its path or query")
    return url


async def resolve_name(host: str, port: int) -> Sequence[str]:
    """The addresses of a name, by the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


async def destination(text: str, allowed: Networks, resolve: Resolve = resolve_name) -> Destination:
    """The URL with its address, all of whose addresses are allowed. Raises Blocked.

    Plain http only to the networks of PLIMSOLL_WEBHOOK_ALLOW: elsewhere the message could be read on its way.
    """
    url = read_url(text)
    try:
        names = await resolve(url.host.strip("[]"), url.port or _PORTS[url.scheme])
    except (OSError, UnicodeError) as error:
        raise Blocked(f"{url.host} cannot be resolved") from error
    addresses = [ip_address(name.partition("%")[0]) for name in names]
    if not addresses:
        raise Blocked(f"{url.host} has no address")
    for address in addresses:
        if _is_named(address, allowed):
            continue
        if not is_public(address):
            raise Blocked(
                f"{url.host} leads to {address}, which is not a public address; an operator can allow its "
                "network with PLIMSOLL_WEBHOOK_ALLOW"
            )
        if url.scheme == "http":
            raise Blocked("use https: plain http is sent to networks of PLIMSOLL_WEBHOOK_ALLOW only")
    return Destination(url, addresses[0])


def is_public(address: Address) -> bool:
    """Whether an address, and the IPv4 address that it may contain, is one of the public internet."""
    inner = embedded(address)
    if inner is not None:
        return is_public(inner)
    if isinstance(address, IPv6Address) and (address.is_site_local or address in _COMPATIBLE):
        return False
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not address.is_unspecified
    )


def embedded(address: Address) -> IPv4Address | None:
    """The IPv4 address in an IPv4-mapped, 6to4, Teredo or NAT64 address."""
    if isinstance(address, IPv4Address):
        return None
    if any(address in network for network in _NAT64):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (None if teredo is None else teredo[1])


def _is_named(address: Address, allowed: Networks) -> bool:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return any((mapped or address) in network for network in allowed)
