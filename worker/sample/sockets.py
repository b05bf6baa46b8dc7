"""The connections of programs: the kernel's tables joined with the sockets that a process has open.

A table shows a whole network namespace. In the engine's namespace many programs have connections, so a
connection belongs to a program only if its inode is among the program's descriptors.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import re
import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from worker.host.processes import children_of
from worker.sample.sock_diag import tcp_sockets

# From the kernel's tcp_states.h: 1 established, 2 SYN sent, 4 FIN wait 1, 8 close wait, 9 last ACK, 10
# listen, 11 closing. Left out: 6 time wait and 5 FIN wait 2, which outlive their program by a minute and show
# an earlier trial's peers; 3 SYN received, which has no socket yet.
STATES = (1, 2, 4, 8, 9, 10, 11)
LISTEN = 10
ROW = re.compile(
    rb"^ *\d+: ([0-9A-F]{8,32}):([0-9A-F]{4}) ([0-9A-F]{8,32}):([0-9A-F]{4}) (01|02|04|08|09|0A|0B)"
    rb" \S+ \S+ \S+ +\d+ +\d+ (\d+)",
    re.M,
)
TRIES = 4
STREAM = "0001"
UNIX_STATES = ("02", "03")
"""Waiting to be accepted, and accepted; listening sockets are 01."""
MAPPED = bytes(10) + b"\xff\xff"
PIDFD_GETFD = 438
"""The same number on every architecture since all of them share a table (Linux 5.1)."""
FAMILIES = (socket.AF_INET, socket.AF_INET6)


@dataclass(frozen=True)
class Connection:
    """One socket with its peer; IPv4 in IPv6 as IPv4. `inode` 0: no process has accepted it yet."""

    local_port: int
    peer: str
    peer_port: int
    inode: int
    listens: bool


def connections_at(pid: int) -> list[Connection]:
    """All connections in the network namespace of a process; none when it has ended."""
    try:
        tcp = [
            Connection(s.port, _written(s.peer), s.peer_port, s.inode, s.state == LISTEN)
            for s in tcp_sockets(pid, STATES)
        ]
    except OSError:  # the kernel has no inet_diag, or the process is gone
        tcp = _listed(pid, "tcp", "tcp6")
    return tcp + _listed(pid, "udp", "udp6")


def _listed(pid: int, *tables: str) -> list[Connection]:
    found: list[Connection] = []
    for table in tables:
        with contextlib.suppress(OSError):  # without IPv6 there is no second table
            found.extend(parse_connections(Path(f"/proc/{pid}/net/{table}").read_bytes()))
    return found


def parse_connections(text: bytes) -> list[Connection]:
    """/proc/net/tcp, tcp6, udp or udp6: the sockets in STATES, without unconnected UDP sockets (07)."""
    return [
        Connection(int(port, 16), _written(_packed(peer)), int(peer_port, 16), int(inode), state == b"0A")
        for _, port, peer, peer_port, state, inode in ROW.findall(text)
    ]


def _packed(text: bytes) -> bytes:
    """An address as the kernel prints it: words of four bytes in the host's order."""
    return b"".join(struct.pack("=I", int(text[i : i + 8], 16)) for i in range(0, len(text), 8))


@functools.cache
def _written(packed: bytes) -> str:
    """An address in its text form; IPv4 inside IPv6 as IPv4."""
    raw = packed.removeprefix(MAPPED) if len(packed) == 16 else packed
    return socket.inet_ntop(socket.AF_INET if len(raw) == 4 else socket.AF_INET6, raw)


def owned(pids: Iterable[int], wanted: Callable[[list[Connection]], list[Connection]]) -> list[Connection]:
    """The sockets of programs and their descendants, filtered by `wanted`.

    All of them are in the network namespace of the first. Where the table contains none of them, the
    connections are short-lived, and the programs' own descriptors are read.
    """
    roots = tuple(pids)
    if not roots:
        return []
    listed = connections_at(roots[0])
    held = inodes_of(descendants(roots))
    found = wanted([c for c in listed if c.inode in held])
    for _ in range(0 if found else TRIES):
        found = wanted([c for pid in descendants(roots) for c in _of_descriptors(pid)])
        if found:
            break
    return found


def _of_descriptors(pid: int) -> Iterator[Connection]:
    """The connected and the listening sockets of one process, read from the sockets themselves."""
    for copy in sockets_of_process(pid):
        port, inode = int(copy.getsockname()[1]), os.fstat(copy.fileno()).st_ino
        if copy.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            yield Connection(port, "", 0, inode, True)
            continue
        with contextlib.suppress(OSError):
            peer, peer_port = copy.getpeername()[:2]
            yield Connection(port, peer.removeprefix("::ffff:"), peer_port, inode, False)


def parse_unix(text: str, path: str) -> frozenset[int]:
    """/proc/net/unix: inodes of the server's ends of the stream connections on one path.

    Connections that the server has not accepted yet have inode 0, and count as one.
    """
    found = set()
    for line in text.splitlines()[1:]:
        fields = line.split(maxsplit=7)
        if len(fields) == 8 and fields[7] == path and fields[4] == STREAM and fields[5] in UNIX_STATES:
            found.add(int(fields[6]))
    return frozenset(found)


def unix_connections(pids: Iterable[int], path: str) -> frozenset[int]:
    """Connections on a Unix socket, by its path in the server's root, in the namespaces of these processes.

    The server's end of a connection is listed in the *client's* network namespace, where the kernel creates
    it (af_unix.c, unix_stream_connect): for a server without a network its own table is empty.
    """
    found: set[int] = set()
    for pid in tuple(pids) * TRIES:
        if found:
            break
        with contextlib.suppress(OSError):
            found |= parse_unix(Path(f"/proc/{pid}/net/unix").read_text(errors="replace"), path)
    return frozenset(found)


def descendants(pids: Iterable[int]) -> Iterator[int]:
    """The processes and their descendants."""
    waiting = list(pids)
    while waiting:
        pid = waiting.pop()
        yield pid
        with contextlib.suppress(OSError):  # it has just ended: socat forks for each connection
            waiting.extend(children_of(pid))


def inodes_of(pids: Iterable[int]) -> frozenset[int]:
    """Inodes of the sockets that processes have open; one that has ended has none."""
    found: set[int] = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            found.update(inode for _, inode in _socket_descriptors(pid))
    return frozenset(found)


def sockets_of_process(pid: int) -> Iterator[socket.socket]:
    """Copies of a process's TCP and UDP sockets by pidfd_getfd(2) (Linux 5.6), one at a time.

    None where the process has ended or the kernel cannot copy. For connections that live for less than a
    millisecond, as ab's do: between reading a table and reading descriptors they are gone. A copy exists for
    about ten microseconds; where the process closes its own descriptor in that time, the connection ends
    that much later.
    """
    with contextlib.suppress(OSError):
        process = os.pidfd_open(pid)
        try:
            for descriptor, _ in _socket_descriptors(pid):
                with contextlib.suppress(OSError), _copy(process, descriptor) as copy:
                    if copy.family in FAMILIES:
                        yield copy
        finally:
            os.close(process)


def _socket_descriptors(pid: int) -> Iterator[tuple[int, int]]:
    """Descriptor and inode of each open socket of a process."""
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            kind, _, inode = str(descriptor.readlink()).partition(":")
            if kind == "socket":
                yield int(descriptor.name), int(inode[1:-1])


def _copy(process: int, descriptor: int) -> socket.socket:
    copied = ctypes.CDLL(None, use_errno=True).syscall(PIDFD_GETFD, process, descriptor, 0)
    if copied < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    try:
        return socket.socket(fileno=copied)
    except OSError:  # the number now belongs to something else
        os.close(copied)
        raise


def listens(pid: int, port: int, socket_file: Path | None) -> bool:
    """Whether a TCP socket of the process's network namespace listens on the port.

    With `socket_file`, a path in the process's own root: whether that Unix socket exists. False where the
    process has ended.
    """
    if socket_file is not None:
        return Path(f"/proc/{pid}/root{socket_file}").exists()
    return any(found.listens and found.local_port == port for found in _listed(pid, "tcp", "tcp6"))
