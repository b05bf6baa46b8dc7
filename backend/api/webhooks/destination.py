"""Where a webhook may be sent: a public address, resolved once for each attempt."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)
from typing import Final

import httpx2

from backend.web_address import Networks

logger = logging.getLogger(__name__)

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a name and port. Raises OSError."""

MAX_URL: Final = 500
_PORTS: Final = {"http": 80, "https": 443}
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""Not 64:ff9b:1::/48 (RFC 8215): where the IPv4 address is in it, the own network decides (RFC 6052, 2.2)."""
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
"""All that IANA has given out; the rest is for special purposes or for the future (RFC 4291, 2.4)."""
_SPECIAL: Final = (
    IPv6Network("2001::/23"),  # IETF protocol assignments, RFC 2928
    IPv6Network("2001:db8::/32"),  # documentation, RFC 3849
    IPv6Network("3fff::/20"),  # documentation, RFC 9637; Python 3.11 does not know it
    IPv4Network("192.0.0.0/24"),  # IETF protocol assignments, RFC 6890; two are services of the own network
    IPv4Network("192.88.99.0/24"),  # relays of 6to4, RFC 7526
)
"""Networks of IANA's registries of special-purpose addresses that `is_global` leaves out."""


class Blocked(Exception):
    """The destination is not allowed; the text says why."""


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
        raise _not_public(url.host, str(error)) from error
    addresses = [ip_address(name.partition("%")[0]) for name in names]
    foreign = [address for address in addresses if not _is_named(address, allowed)]
    if not addresses or not all(map(is_public, foreign)):
        raise _not_public(url.host, ", ".join(map(str, addresses)) or "no address")
    if foreign and url.scheme == "http":
        raise Blocked("use https: plain http is sent to networks of PLIMSOLL_WEBHOOK_ALLOW only")
    return Destination(url, addresses[0])


def _not_public(host: str, found: str) -> Blocked:
    """The one refusal for a name that does not exist and for one of a network that is not public.

    Otherwise whoever may make a webhook could read the names and addresses of the server's own network. The
    server's log has what was found.
    """
    logger.warning("a webhook's host %s was refused: %s", host, found)
    return Blocked(
        f"{host} has no public address; an operator can allow other networks with PLIMSOLL_WEBHOOK_ALLOW"
    )


def is_public(address: Address) -> bool:
    """Whether an address, and the IPv4 address that it may contain, is one of the public internet."""
    inner = embedded(address)
    if inner is not None:
        return is_public(inner)
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    if any(address in network for network in _SPECIAL):
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
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (None if teredo is None else teredo[1])


def _is_named(address: Address, allowed: Networks) -> bool:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return any((mapped or address) in network for network in allowed)
