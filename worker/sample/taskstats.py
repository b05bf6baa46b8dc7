"""What every thread of the host had used when it ended, as the kernel tells it once: taskstats.

A backend of PostgreSQL and the client itself end with the window, and take their counters in /proc with
them. The kernel sends the last state of each ending thread to whoever registered for its CPU (Linux,
Documentation/accounting/taskstats.rst, and include/uapi/linux/taskstats.h for the offsets below).
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
"""Room for some thousand threads that end between two drains; more than that are counted as lost."""
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
    """This kernel, or this place (not root, not the host's own namespaces), tells of no ends."""


class TaskstatsListener:
    """Hears of every thread that ends from its making on. Raises ExitsUnknown where that cannot be."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        self.lost = False
        try:
            self._socket.bind((0, 0))
            self._socket.settimeout(1.0)
            family = self._family()
            self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES)
            mask = f"0-{(os.cpu_count() or 1) - 1}\0".encode()
            self._ask(family, TASKSTATS_GET, REGISTER_CPUMASK, mask, NLM_REQUEST | NLM_ACK)
            refused = struct.unpack_from("=i", self._answer(), NLMSG_HEADER.size)[0]
            if refused:
                raise TaskstatsUnavailable(-refused, os.strerror(-refused))
            self._socket.setblocking(False)
        except OSError as error:
            self._socket.close()
            raise TaskstatsUnavailable(error.errno, error.strerror) from error

    def drain(self) -> list[ThreadExit]:
        """Those that ended since the last call. `lost` becomes True when the kernel had to drop some."""
        found: list[ThreadExit] = []
        while True:
            try:
                found.extend(parse(self._socket.recv(65536)))
            except BlockingIOError:
                return found
            except OSError:  # ENOBUFS: more ended than the buffer holds
                self.lost = True

    def close(self) -> None:
        """Hear no more."""
        self._socket.close()

    def _family(self) -> int:
        self._ask(CONTROLLER, GET_FAMILY, FAMILY_NAME, b"TASKSTATS\0", NLM_REQUEST)
        answer = self._answer()
        head = NLMSG_HEADER.size + GENERIC_HEADER.size
        for kind, payload in _attributes(answer[head:]):
            if kind == FAMILY_ID:
                return int.from_bytes(payload[:2], "little")
        raise TaskstatsUnavailable(95, "the kernel has no taskstats")

    def _ask(self, family: int, command: int, kind: int, payload: bytes, flags: int) -> None:
        length = ATTRIBUTE.size + len(payload)
        body = GENERIC_HEADER.pack(command, 1, 0) + ATTRIBUTE.pack(length, kind) + payload
        body += bytes(-length % 4)
        header = NLMSG_HEADER.pack(NLMSG_HEADER.size + len(body), family, flags, 1, 0)
        self._socket.send(header + body)

    def _answer(self) -> bytes:
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
    """The ends in one netlink message; a whole process's own summary beside its threads is left out."""
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
    # The process of a thread is told since version 11; before, every thread stands for itself.
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
