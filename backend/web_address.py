"""Strict parsing of Host headers, origins, base URLs and addresses into comparable values."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final, TypeAlias

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Networks: TypeAlias = tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
MAX_HOST: Final = 253
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_AUTHORITY: Final = re.compile(
    r"(?P<host>\[[0-9A-Fa-f:.]{2,45}\]|[^\[\]:@/?#\\\s]{1,253})(?::(?P<port>[0-9]{1,5}))?"
)
_ORIGIN: Final = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#]+)")


@dataclass(frozen=True)
class Authority:
    """A host, in lower case and IPv6 without brackets, with the port if one is given."""

    host: str
    port: int | None = None


@dataclass(frozen=True)
class Origin:
    """Scheme, host and port of a URL; `str()` writes it as browsers do."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{bracketed(self.host)}{port}"


def read_host(text: str) -> str:
    """A host name or address in its one spelling: lower case, IPv6 compressed and without brackets.

    Raises ValueError for everything else: a trailing dot, a zone, an IPv4 address in another notation than
    four decimal numbers (browsers read 127.1 and 0x7f000001 as 127.0.0.1).
    """
    if text.startswith("[") and text.endswith("]"):
        return str(ipaddress.IPv6Address(text[1:-1]))
    name = text.lower()
    if len(name) > MAX_HOST or not _NAME.fullmatch(name):
        raise ValueError(f"{text!r} is not a host name or address")
    last = name.rpartition(".")[2]
    if last.isdecimal() or re.fullmatch(r"0x[0-9a-f]*", last):
        return str(ipaddress.IPv4Address(name))
    return name


def read_authority(text: str) -> Authority:
    """The value of a Host header. Raises ValueError."""
    found = _AUTHORITY.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a host with an optional port")
    port = None if found["port"] is None else int(found["port"])
    if port is not None and not 1 <= port <= 65535:
        raise ValueError(f"{port} is not a port: use 1 to 65535")
    return Authority(read_host(found["host"]), port)


def read_origin(text: str) -> Origin:
    """The value of an Origin header, or a base URL without path. Raises ValueError."""
    found = _ORIGIN.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not http:// or https:// with a host and nothing after it")
    authority = read_authority(found["authority"])
    return Origin(found["scheme"], authority.host, authority.port or DEFAULT_PORTS[found["scheme"]])


def read_address(text: str) -> IPAddress:
    """An IP address; an IPv6 socket's ::ffff:192.0.2.1 is the IPv4 address. Raises ValueError."""
    address = ipaddress.ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def read_networks(text: str) -> Networks:
    """The networks of "192.0.2.1, 2001:db8::/64"; an address alone is a network of one. Raises ValueError."""
    return tuple(
        ipaddress.ip_network(part) for part in filter(None, (part.strip() for part in text.split(",")))
    )


def bracketed(host: str) -> str:
    """The host as it is written in a URL."""
    return f"[{host}]" if ":" in host else host


def is_address(host: str) -> bool:
    """Whether a host is an IP address and no name."""
    try:
        return bool(read_address(host))
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Whether a host name or literal address is a loopback address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_wildcard(host: str) -> bool:
    """Whether this is the address of all interfaces, 0.0.0.0 or ::."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False
