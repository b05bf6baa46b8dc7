"""Run code in another network namespace, and read the settings and devices of a path there."""

from __future__ import annotations

import array
import contextlib
import ctypes
import fcntl
import os
import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from worker.sample.counters import namespace_of

CLONE_NEWNET = 0x40000000
SIOCGIFFLAGS, SIOCGIFMTU, SIOCETHTOOL = 0x8913, 0x8921, 0x8946
IFF_UP = 1
OFFLOADS = {"tso": 0x1E, "gso": 0x23, "gro": 0x2B}
"""ETHTOOL_GTSO, ETHTOOL_GGSO and ETHTOOL_GGRO of linux/ethtool.h: read whether an offload is on."""
_libc = ctypes.CDLL(None, use_errno=True)
T = TypeVar("T")


def inside(pid: int, read: Callable[[], T]) -> T | None:
    """The result of `read` in the network namespace of a process; None when that cannot be entered.

    It runs in a thread that ends afterwards: setns(2) moves only the calling thread.
    """
    found: list[T] = []

    def enter() -> None:
        with contextlib.suppress(OSError, ValueError):
            descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
            try:
                if _libc.setns(descriptor, CLONE_NEWNET) == 0:
                    found.append(read())
            finally:
                os.close(descriptor)

    thread = threading.Thread(target=enter, name="namespace")
    thread.start()
    thread.join()
    return found[0] if found else None


def ephemeral_ports() -> int:
    """The number of ephemeral ports in the namespace of the calling thread."""
    first, last = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    return int(last) - int(first) + 1


def device_facts() -> dict[str, dict[str, str]]:
    """MTU and offloads of each device that is up, in the namespace of the calling thread."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        return {name: _facts(probe, name) for _, name in socket.if_nameindex() if _is_up(probe, name)}


def _is_up(probe: socket.socket, name: str) -> bool:
    with contextlib.suppress(OSError):
        reply = fcntl.ioctl(probe, SIOCGIFFLAGS, struct.pack("16sh14x", name.encode(), 0))
        return bool(struct.unpack_from("h", reply, 16)[0] & IFF_UP)
    return False


def _facts(probe: socket.socket, name: str) -> dict[str, str]:
    facts = {}
    with contextlib.suppress(OSError):
        reply = fcntl.ioctl(probe, SIOCGIFMTU, struct.pack("16si12x", name.encode(), 0))
        facts["mtu"] = str(struct.unpack_from("i", reply, 16)[0])
    for offload, command in OFFLOADS.items():
        with contextlib.suppress(OSError):
            value = array.array("I", (command, 0))
            request = struct.pack("16sP8x", name.encode(), value.buffer_info()[0])
            fcntl.ioctl(probe, SIOCETHTOOL, request)
            facts[offload] = "on" if value[1] else "off"
    return facts


def link_facts(server_pid: int, engine_pid: int, client_pid: int | None) -> dict[str, str]:
    """MTU and offloads of the devices on a path: {"mtu server link": "1500", "tso server link": "on"}.

    A process in the engine's namespace has no device of its own. Bridges are named: "mtu device plm0".
    """
    engine = namespace_of(engine_pid)
    facts: dict[str, str] = {}
    for role, pid in (("server", server_pid), ("client", client_pid)):
        if pid is not None and namespace_of(pid) not in (engine, None):
            facts |= _named(f"{role} link", inside(pid, device_facts) or {})
    devices = inside(engine_pid, device_facts) or {}
    for name, found in devices.items():
        if name == "lo":
            facts |= {f"{what} loopback": value for what, value in found.items()}
        elif not name.startswith("veth"):
            facts |= {f"{what} device {name}": value for what, value in found.items()}
    return facts


def _named(label: str, devices: dict[str, dict[str, str]]) -> dict[str, str]:
    """Facts of a namespace's first device that is not its loopback, which is the one that the path uses."""
    first = next((found for name, found in devices.items() if name != "lo"), {})
    return {f"{what} {label}": value for what, value in first.items()}
