"""Ports of servers and reverse proxies: unique in their engine, and on the host's own engine free."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Collection, Iterator
from typing import Final

from worker.topology.engine_pool import EngineHandle

FIRST: Final = 20001
LAST: Final = 32000
"""Below the kernel's ephemeral ports, which clients use (ip_local_port_range begins at 32768)."""


def all_ports() -> Iterator[int]:
    """Every port of the range, in a cycle, so that a port is reused as late as possible."""
    return itertools.cycle(range(FIRST, LAST + 1))


def free_port(handle: EngineHandle, numbers: Iterator[int], taken: Collection[int] = ()) -> int:
    """The next port that is not taken; on the host's own engine one that nothing listens on."""
    for port in itertools.islice(numbers, LAST - FIRST + 1):
        if port not in taken and (handle.key != "host" or _is_free(port)):
            return port
    raise RuntimeError("every port is taken")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
