"""CPU and context switches of every thread of the host at its end, by the kernel's taskstats interface.

A backend of PostgreSQL and the client itself end with the window, and their counters in /proc with them. The
kernel sends the last state of each ending thread to the listeners of its CPU (Linux,
Documentation/accounting/taskstats.rst; include/uapi/linux/taskstats.h for the offsets below).
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass

NLMSG_HEADER = struct.Struct("=IHHII")
GENERIC_HEADER = struct.Struct("=BBH")
ATTRIBUTE = struct.Struct("=HH")
CONTROLLER, GET_FAMILY, FAMILY_ID, FAMILY_NAME = 0x10, 3, 1, 2
TASKSTATS_GET, REGISTER_CPUMASK, AGGREGATED_PID, STATS = 1, 3, 4, 3
NLM_REQUEST, NLM_ACK, NLMSG_ERROR = 1, 4, 2
NETLINK_GENERIC, SO_RCVBUFFORCE = 16, 33
"""From linux/netlink.h and asm-generic/socket.h; Python 3.11 does not name them."""
BUFFER_BYTES = 4 << 20
"""Space for some thousand threads that end between two calls of `drain`; the kernel drops more."""
CPU_NS, COMM, PID, ETIME_US, SWITCHES, TGID, SHORTEST = 72, 80, 128, 144, 272, 368, 372


@dataclass(frozen=True)
class ThreadExit:
    """One thread at its end: CPU in nanoseconds and context switches over its whole life of `lived_s`."""

    thread: int
    process: int
    parent: int
    name: str
    cpu_ns: int
    switches: int
    lived_s: float


class TaskstatsUnavailable(OSError):
    """This kernel has no taskstats, or this process may not use it (root in the host's namespaces may)."""


class TaskstatsListener:
    """Receives every thread that ends from now on. Raises TaskstatsUnavailable."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        self.lost = False
        try:
            self._socket.bind((0, 0))
            self._socket.settimeout(1.0)
            family = self._family()
            self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES)
            mask = f"0-{(os.cpu_count() or 1) - 1}\0".encode()
            self._send(family, TASKSTATS_GET, REGISTER_CPUMASK, mask, NLM_REQUEST | NLM_ACK)
            refused = struct.unpack_from("=i", self._receive(), NLMSG_HEADER.size)[0]
            if refused:
                raise TaskstatsUnavailable(-refused, os.strerror(-refused))
            self._socket.setblocking(False)
        except OSError as error:
            self._socket.close()
            raise TaskstatsUnavailable(error.errno, error.strerror) from error

    def drain(self) -> list[ThreadExit]:
        """Threads that ended since the last call. `lost` becomes True when the kernel dropped some."""
        found: list[ThreadExit] = []
        while True:
            try:
                found.extend(parse(self._socket.recv(65536)))
            except BlockingIOError:
                return found
            except OSError:  # ENOBUFS: more ended than fit into the buffer
                self.lost = True

    def close(self) -> None:
        """Stop receiving."""
        self._socket.close()

    def _family(self) -> int:
        self._send(CONTROLLER, GET_FAMILY, FAMILY_NAME, b"TASKSTATS\0", NLM_REQUEST)
        reply = self._receive()
        head = NLMSG_HEADER.size + GENERIC_HEADER.size
        for kind, payload in _attributes(reply[head:]):
            if kind == FAMILY_ID:
                return int.from_bytes(payload[:2], "little")
        raise TaskstatsUnavailable(95, "the kernel has no taskstats")

    def _send(self, family: int, command: int, kind: int, payload: bytes, flags: int) -> None:
        length = ATTRIBUTE.size + len(payload)
        body = GENERIC_HEADER.pack(command, 1, 0) + ATTRIBUTE.pack(length, kind) + payload
        body += bytes(-length % 4)
        header = NLMSG_HEADER.pack(NLMSG_HEADER.size + len(body), family, flags, 1, 0)
        self._socket.send(header + body)

    def _receive(self) -> bytes:
        return self._socket.recv(65536)


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + ATTRIBUTE.size <= len(data):
        length, kind = ATTRIBUTE.unpack_from(data, at)
        if length < ATTRIBUTE.size:
            return
        yield kind, data[at + ATTRIBUTE.size : at + length]
        at += (length + 3) & ~3


def parse(message: bytes) -> Iterator[ThreadExit]:
    """The ended threads in one netlink message, without the summaries of whole processes."""
    at = 0
    while at + NLMSG_HEADER.size <= len(message):
        length, kind, *_ = NLMSG_HEADER.unpack_from(message, at)
        if length < NLMSG_HEADER.size:
            return
        if kind != NLMSG_ERROR:
            body = message[at + NLMSG_HEADER.size + GENERIC_HEADER.size : at + length]
            for outer, payload in _attributes(body):
                if outer == AGGREGATED_PID:
                    yield from (_exit(data) for inner, data in _attributes(payload) if inner == STATS)
        at += (length + 3) & ~3


def _exit(stats: bytes) -> ThreadExit:
    pid, parent = struct.unpack_from("=II", stats, PID)
    voluntary, involuntary = struct.unpack_from("=QQ", stats, SWITCHES)
    # The process of a thread is included since version 11; before, a thread counts as a process.
    process = struct.unpack_from("=I", stats, TGID)[0] if len(stats) >= SHORTEST else pid
    return ThreadExit(
        thread=pid,
        process=process,
        parent=parent,
        name=stats[COMM : COMM + 32].split(b"\0", 1)[0].decode(errors="replace"),
        cpu_ns=struct.unpack_from("=Q", stats, CPU_NS)[0],
        switches=voluntary + involuntary,
        lived_s=struct.unpack_from("=Q", stats, ETIME_US)[0] / 1e6,
    )
