"""Looking at another network namespace from a thread of our own: settings and devices of a path."""

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

CLONE_NEWNET = 0x40000000
SIOCGIFFLAGS, SIOCGIFMTU, SIOCETHTOOL = 0x8913, 0x8921, 0x8946
IFF_UP = 1
OFFLOADS = {"tso": 0x1E, "gso": 0x23, "gro": 0x2B}
"""ETHTOOL_GTSO, ETHTOOL_GGSO and ETHTOOL_GGRO of linux/ethtool.h: ask whether an offload is on."""
_libc = ctypes.CDLL(None, use_errno=True)
T = TypeVar("T")


def inside(pid: int, look: Callable[[], T]) -> T | None:
    """What `look` answers in the network namespace of a process; None when that cannot be entered.

    Runs in a thread that ends right after, so that no other thread ever stands in a foreign namespace.
    """
    found: list[T] = []

    def enter() -> None:
        with contextlib.suppress(OSError, ValueError):
            descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
            try:
                if _libc.setns(descriptor, CLONE_NEWNET) == 0:
                    found.append(look())
            finally:
                os.close(descriptor)

    thread = threading.Thread(target=enter, name="namespace")
    thread.start()
    thread.join()
    return found[0] if found else None


def ephemeral_ports() -> int:
    """How many ports a client may take in the namespace of the calling thread."""
    first, last = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    return int(last) - int(first) + 1


def device_facts() -> dict[str, dict[str, str]]:
    """MTU and offloads of each device that is up, in the namespace of the calling thread."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        return {name: _facts(asked, name) for _, name in socket.if_nameindex() if _is_up(asked, name)}


def _is_up(asked: socket.socket, name: str) -> bool:
    with contextlib.suppress(OSError):
        answer = fcntl.ioctl(asked, SIOCGIFFLAGS, struct.pack("16sh14x", name.encode(), 0))
        return bool(struct.unpack_from("h", answer, 16)[0] & IFF_UP)
    return False


def _facts(asked: socket.socket, name: str) -> dict[str, str]:
    facts = {}
    with contextlib.suppress(OSError):
        answer = fcntl.ioctl(asked, SIOCGIFMTU, struct.pack("16si12x", name.encode(), 0))
        facts["mtu"] = str(struct.unpack_from("i", answer, 16)[0])
    for offload, command in OFFLOADS.items():
        with contextlib.suppress(OSError):
            value = array.array("I", (command, 0))
            request = struct.pack("16sP8x", name.encode(), value.buffer_info()[0])
            fcntl.ioctl(asked, SIOCETHTOOL, request)
            facts[offload] = "on" if value[1] else "off"
    return facts


def link_facts(server_pid: int, engine_pid: int, client_pid: int | None) -> dict[str, str]:
    """MTU and offloads of the devices on a path: {"mtu server link": "1500", "tso server link": "on"}.

    A process in the engine's own namespace has no link of its own. Bridges are named: "mtu bridge plm0".
    """
    engine = _namespace(engine_pid)
    facts: dict[str, str] = {}
    for role, pid in (("server", server_pid), ("client", client_pid)):
        if pid is not None and _namespace(pid) not in (engine, None):
            facts |= _named(f"{role} link", inside(pid, device_facts) or {})
    devices = inside(engine_pid, device_facts) or {}
    for name, found in devices.items():
        if name == "lo":
            facts |= {f"{what} loopback": value for what, value in found.items()}
        elif not name.startswith("veth"):
            facts |= {f"{what} device {name}": value for what, value in found.items()}
    return facts


def _named(label: str, devices: dict[str, dict[str, str]]) -> dict[str, str]:
    """Facts of a namespace's first device beside its loopback: the one that the path uses."""
    first = next((found for name, found in devices.items() if name != "lo"), {})
    return {f"{what} {label}": value for what, value in first.items()}


def _namespace(pid: int) -> str | None:
    try:
        return str(Path(f"/proc/{pid}/ns/net").readlink())
    except OSError:
        return None
