"""The route from one host to another: its device and source address, and the device's MTU and speed."""

from __future__ import annotations

import array
import contextlib
import fcntl
import json
import socket
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from backend.core.errors import HostCommandFailed
from backend.core.sample.record import LinkEnd
from worker.host.commands import in_namespace, run
from worker.sample.namespaces import SIOCETHTOOL, device_facts, inside

ETHTOOL_GSET: Final = 0x1
SETTINGS_BYTES: Final = 44
"""sizeof(struct ethtool_cmd) of linux/ethtool.h; `speed` is at offset 12, `speed_hi` at 28."""
UNKNOWN_SPEEDS: Final = (0, 0xFFFF, 0xFFFFFFFF)
LIMIT_S: Final = 10.0


@dataclass(frozen=True)
class Route:
    """The kernel's route to an address. `local`: the address is one of this host's own."""

    device: str
    source: str
    local: bool


def route_to(netns: str | Path, address: str) -> Route:
    """The route to a literal address. Raises HostCommandFailed where there is none."""
    return parse_route(run(in_namespace(netns, ["ip", "-j", "route", "get", address]), timeout_s=LIMIT_S))


def parse_route(text: str) -> Route:
    """`ip -j route get`. Raises HostCommandFailed for a route that has no device or source."""
    try:
        (found,) = json.loads(text)
        local = found.get("type") == "local" or found["dev"] == "lo"
        return Route(str(found["dev"]), str(found["prefsrc"]), local)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise HostCommandFailed(f"ip route get gave no usable route: {text.strip()[:200]}") from error


def own_addresses(netns: str | Path) -> tuple[str, ...]:
    """The IPv4 addresses by which another host may reach this one; that of the default route comes first."""
    links = json.loads(run(in_namespace(netns, ["ip", "-j", "-d", "-4", "address"]), timeout_s=LIMIT_S))
    found = parse_addresses(links)
    with contextlib.suppress(HostCommandFailed):
        preferred = route_to(netns, "192.0.2.1").source  # RFC 5737: routed by default, assigned to nobody
        found = tuple(sorted(found, key=lambda address: address != preferred))
    return found


def parse_addresses(links: list[dict[str, Any]]) -> tuple[str, ...]:
    """`ip -j -d -4 address`: global addresses of devices that are up; those of Docker's bridges come last."""
    found = [
        (_is_bridge(link), str(entry["local"]))
        for link in links
        for entry in link.get("addr_info", [])
        if entry.get("scope") == "global" and "UP" in link.get("flags", [])
    ]
    return tuple(address for _, address in sorted(found, key=lambda pair: pair[0]))


def _is_bridge(link: dict[str, Any]) -> bool:
    return str(link.get("linkinfo", {}).get("info_kind", "")) == "bridge"


def link_end(pid: int, route: Route) -> LinkEnd:
    """A route's device in the network namespace of a process, with its MTU and speed."""
    mtu = (inside(pid, device_facts) or {}).get(route.device, {}).get("mtu")
    speed = inside(pid, lambda: speed_mbit(route.device))
    return LinkEnd(
        device=route.device,
        address=route.source,
        mtu=None if mtu is None else int(mtu),
        speed_mbit=speed,
    )


def speed_mbit(device: str) -> int | None:
    """The speed that a device reports, in Mbit/s, in the calling thread's namespace; None if unknown.

    Not from /sys/class/net, which shows the devices of the namespace in which it was mounted.
    """
    settings = array.array("B", struct.pack("I", ETHTOOL_GSET).ljust(SETTINGS_BYTES, b"\0"))
    request = struct.pack("16sP8x", device.encode()[:15], settings.buffer_info()[0])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            fcntl.ioctl(probe, SIOCETHTOOL, request)
        except OSError:
            return None
    return parse_speed(settings.tobytes())


def parse_speed(settings: bytes) -> int | None:
    """The speed in struct ethtool_cmd, in Mbit/s; None if the device does not know it."""
    low, high = struct.unpack_from("H", settings, 12)[0], struct.unpack_from("H", settings, 28)[0]
    speed = int(low | high << 16)
    return None if speed in UNKNOWN_SPEEDS else speed
