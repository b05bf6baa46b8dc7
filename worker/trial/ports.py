"""Ports of servers and fronts: unique in their engine, and free on the host where the engine is its own."""

from __future__ import annotations

import socket
from collections.abc import Iterator

from worker.trial.nodes import Node


def free_port(node: Node, numbers: Iterator[int]) -> int:
    """The next number; on the host's own engine one that nothing listens on."""
    for port in numbers:
        if node.key != "host" or _is_free(port):
            return port
    raise RuntimeError("there are no more ports")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
