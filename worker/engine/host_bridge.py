"""The bridge of an engine of Plimsoll in the host's own network.

An engine there has a default bridge of its own: with `--bridge=none`, dockerd deletes the device docker0 of
the host's own daemon (removeDefaultBridgeInterface, moby's daemon/daemon_unix.go).
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from backend.core.errors import HostCommandFailed
from worker.host.commands import in_namespace, run
from worker.host.reaper import remove_host_link

OWN_NETWORK: Final = Path("/proc/self/ns/net")
DEFAULT_ADDRESS: Final = "198.18.254.1/28"
"""Of an engine's default bridge, on which nothing runs; without an address dockerd takes one of its pools."""
OTHER_ADDRESSES: Final = ("192.0.2.241/28", "198.51.100.241/28", "203.0.113.241/28")
"""RFC 5737, for documentation: where the host uses the first one, as the TUN devices of proxies do."""
ROUTES: Final = ("route", "show", "table", "all")
SPLIT_ROUTES: Final = 8
"""Routes with shorter prefixes are default routes in two or more parts."""


def host_device(key: str, purpose: str) -> str:
    """The name of an engine's device in a host's network: eleven characters, of at most fifteen."""
    return f"plm{hashlib.sha256(f'{key}/{purpose}'.encode()).hexdigest()[:8]}"


def make_default_bridge(device: str, netns: Path) -> None:
    """Make the default bridge of an engine; what is left of an earlier one is removed.

    Raises HostCommandFailed; with the routes that are in the way where the host uses every address.
    """
    remove_host_link(device, str(netns))
    address = free_address(json.loads(run(in_namespace(netns, ["ip", "-4", "-json", *ROUTES]))))
    for argv in (
        ["ip", "link", "add", device, "type", "bridge"],
        ["ip", "address", "add", address, "dev", device],
        ["ip", "link", "set", device, "up"],
    ):
        run(in_namespace(netns, argv))


def free_address(routes: Iterable[Mapping[str, Any]]) -> str:
    """The first address of a default bridge whose network no route of the host overlaps.

    `routes` are those of `ip -json route`. Raises HostCommandFailed where there is none.
    """
    used = [
        (network, str(route.get("dev", "another device")))
        for route in routes
        if (network := _network(str(route["dst"]))) is not None
    ]
    found: list[str] = []
    for address in (DEFAULT_ADDRESS, *OTHER_ADDRESSES):
        wanted = ipaddress.IPv4Interface(address).network
        at = next((f"{network} at {device}" for network, device in used if network.overlaps(wanted)), None)
        if at is None:
            return address
        found.append(at)
    raise HostCommandFailed(
        f"this host routes every network that an engine's bridge may have: {', '.join(found)}; remove one of "
        "these routes"
    )


def _network(destination: str) -> ipaddress.IPv4Network | None:
    """The network of a route; None for a default route, also in parts."""
    if destination == "default":
        return None
    network = ipaddress.IPv4Network(destination)
    return network if network.prefixlen >= SPLIT_ROUTES else None
