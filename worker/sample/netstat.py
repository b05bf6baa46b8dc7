"""Counters of the TCP stacks on a path, from files that stay readable after the client has ended.

An open file below /proc/PID/net keeps the namespace alive, not the process.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from worker.sample.counters import namespace_of, parse_named

TCP = ("TcpExtListenOverflows", "TcpExtListenDrops", "TcpExtTCPTimeouts", "TcpRetransSegs")
DROPPED = ("drop", "early_drop", "insert_failed")
MAXIMUM = Path("/proc/sys/net/netfilter/nf_conntrack_max")
SIZE = 1 << 16


@dataclass(frozen=True)
class NetworkPoint:
    """Counters at one time: `tcp` in the order of TCP, summed over the namespaces; None: not readable."""

    tcp: tuple[int, ...] | None
    time_wait: int | None
    conntrack: int | None
    conntrack_dropped: int | None


class Network:
    """The namespaces of client, server and engine; equal ones are read once."""

    def __init__(self, client_pid: int | None, server_pid: int, engine_pid: int) -> None:
        pids = {namespace_of(pid): pid for pid in (server_pid, engine_pid, client_pid) if pid is not None}
        pids.pop(None, None)
        self._tcp = [(_open(pid, "snmp"), _open(pid, "netstat")) for pid in pids.values()]
        self._sockets = None if client_pid is None else _open(client_pid, "sockstat")
        self._conntrack = _open(engine_pid, "stat/nf_conntrack")

    def read(self) -> NetworkPoint:
        """All counters now."""
        summed = [0] * len(TCP)
        for snmp, netstat in self._tcp:
            values = parse_named(_read(snmp)) | parse_named(_read(netstat))
            for index, name in enumerate(TCP):
                summed[index] += values.get(name, 0)
        entries, dropped = parse_conntrack(_read(self._conntrack))
        return NetworkPoint(
            tcp=tuple(summed) if self._tcp else None,
            time_wait=parse_time_wait(_read(self._sockets)),
            conntrack=entries,
            conntrack_dropped=dropped,
        )

    def close(self) -> None:
        """Close all files."""
        for descriptor in (*(one for pair in self._tcp for one in pair), self._sockets, self._conntrack):
            if descriptor is not None:
                os.close(descriptor)
        self._tcp, self._sockets, self._conntrack = [], None, None


def conntrack_max() -> int | None:
    """The host's limit of tracked connections, one for all namespaces."""
    with contextlib.suppress(OSError, ValueError):
        return int(MAXIMUM.read_text())
    return None


def parse_time_wait(text: str) -> int | None:
    """/proc/net/sockstat: sockets in TIME_WAIT."""
    for line in text.splitlines():
        if line.startswith("TCP:"):
            fields = line.split()
            return int(fields[fields.index("tw") + 1])
    return None


def parse_conntrack(text: str) -> tuple[int | None, int | None]:
    """/proc/net/stat/nf_conntrack, hexadecimal, a line for each CPU: entries, and packets dropped so far.

    On each line the entries are those of the whole namespace.
    """
    lines = text.splitlines()
    if len(lines) < 2:
        return None, None
    names = lines[0].split()
    rows = [dict(zip(names, (int(value, 16) for value in line.split()), strict=False)) for line in lines[1:]]
    return rows[0].get("entries"), sum(row.get(name, 0) for row in rows for name in DROPPED)


def _open(pid: int, name: str) -> int | None:
    with contextlib.suppress(OSError):
        return os.open(f"/proc/{pid}/net/{name}", os.O_RDONLY)
    return None


def _read(descriptor: int | None) -> str:
    """The whole file from its start, where the kernel generates its text again."""
    if descriptor is None:
        return ""
    parts, at = [], 0
    with contextlib.suppress(OSError):
        while part := os.pread(descriptor, SIZE, at):
            parts.append(part)
            at += len(part)
    return b"".join(parts).decode()
