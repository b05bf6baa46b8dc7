"""Read the kernel's counters: functions from text or a pid to plain numbers."""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
DNAT_RULE = re.compile(r"^\[(\d+):\d+\] -A DOCKER .*--dport (\d+) .*-j DNAT", re.M)
ESP_BYTES = re.compile(r"lifetime current:\s+(\d+)\(bytes\)")
TCP = {
    "TcpRetransSegs": "tcp_retransmits",
    "TcpExtListenOverflows": "listen_overflows",
    "TcpExtListenDrops": "listen_drops",
    "TcpExtTCPTimeouts": "tcp_timeouts",
}
"""The kernel's names of the TCP counters that are read, and ours."""
DROPPED = ("drop", "early_drop", "insert_failed")
MAXIMUM = Path("/proc/sys/net/netfilter/nf_conntrack_max")
SIZE = 1 << 16


@dataclass(frozen=True)
class HostCpu:
    """The first line of /proc/stat in seconds, and the host's context switches."""

    busy: float
    idle: float
    steal: float
    softirq: float
    context_switches: int


def parse_proc_stat(text: str) -> HostCpu:
    """/proc/stat. Guest time is already included in user time."""
    user, nice, system, idle, iowait, irq, softirq, steal = (int(x) for x in text.split(maxsplit=9)[1:9])
    switches = int(text.split("\nctxt ", 1)[1].split("\n", 1)[0])
    return HostCpu(
        busy=(user + nice + system + irq + softirq) * TICK_S,
        idle=(idle + iowait) * TICK_S,
        steal=steal * TICK_S,
        softirq=(irq + softirq) * TICK_S,
        context_switches=switches,
    )


def read_host_cpu() -> HostCpu:
    """The host's CPU time so far."""
    return parse_proc_stat(Path("/proc/stat").read_text())


def parse_devices(text: str) -> dict[str, tuple[int, int]]:
    """/proc/net/dev: bytes received and sent by device."""
    return {name: (counts[0], counts[8]) for name, counts in parse_device_counts(text).items()}


def parse_device_counts(text: str) -> dict[str, list[int]]:
    """/proc/net/dev: the columns by device, eight of what it received and eight of what it sent."""
    rows = (line.partition(":") for line in text.splitlines()[2:])
    return {name.strip(): [int(count) for count in rest.split()] for name, _, rest in rows}


def read_devices(pid: int) -> dict[str, tuple[int, int]]:
    """Bytes by device in the network namespace of a process."""
    return parse_devices(Path(f"/proc/{pid}/net/dev").read_text())


def parse_named(text: str) -> dict[str, int]:
    """/proc/net/snmp and /proc/net/netstat: pairs of lines, names and values, joined as TcpName."""
    values: dict[str, int] = {}
    lines = text.splitlines()
    for names, numbers in zip(lines[::2], lines[1::2], strict=False):
        prefix, _, rest = names.partition(":")
        for name, number in zip(rest.split(), numbers.partition(":")[2].split(), strict=True):
            values[f"{prefix}{name}"] = int(number)
    return values


def read_tcp_counters(pid: int) -> dict[str, int]:
    """Retransmits, listen overflows and drops in the network namespace of a process."""
    base = Path(f"/proc/{pid}/net")
    return parse_tcp((base / "snmp").read_text(), (base / "netstat").read_text())


def parse_tcp(snmp: str, netstat: str) -> dict[str, int]:
    """/proc/net/snmp and netstat: the counters in TCP, by our names."""
    values = parse_named(snmp) | parse_named(netstat)
    return {ours: values[theirs] for theirs, ours in TCP.items() if theirs in values}


def parse_dnat(rules: str, port: int) -> int:
    """`iptables-save -c -t nat`: connections so far that DNAT rewrote for a published port."""
    return sum(int(count) for count, dport in DNAT_RULE.findall(rules) if int(dport) == port)


def parse_esp(states: str) -> int:
    """`ip -s xfrm state`: bytes encrypted and decrypted so far, over all associations."""
    return sum(int(count) for count in ESP_BYTES.findall(states))


def namespace_of(pid: int, kind: Literal["net", "pid"] = "net") -> str | None:
    """Identity of a namespace of a process; None when it cannot be read."""
    try:
        return str(Path(f"/proc/{pid}/ns/{kind}").readlink())
    except OSError:
        return None


def read_text(path: Path) -> str | None:
    """The content of a file without surrounding white space; None where it cannot be read."""
    with contextlib.suppress(OSError):
        return path.read_text().strip()
    return None


def difference(start: int | None, end: int | None) -> int | None:
    """The growth of a counter; None where either reading is missing."""
    return None if start is None or end is None else end - start


@dataclass(frozen=True)
class NetworkPoint:
    """Counters at one time: `tcp` by our names, summed over the namespaces; None: not readable."""

    tcp: Mapping[str, int] | None
    time_wait: int | None
    conntrack: int | None
    conntrack_dropped: int | None


class Network:
    """The namespaces of client, server and engine; equal ones are read once.

    Open files below /proc/PID/net keep a namespace readable after its client has ended.
    """

    def __init__(self, client_pid: int | None, server_pid: int, engine_pid: int) -> None:
        pids = {namespace_of(pid): pid for pid in (server_pid, engine_pid, client_pid) if pid is not None}
        pids.pop(None, None)
        self._tcp = [(_open(pid, "snmp"), _open(pid, "netstat")) for pid in pids.values()]
        self._sockets = None if client_pid is None else _open(client_pid, "sockstat")
        self._conntrack = _open(engine_pid, "stat/nf_conntrack")

    def read(self) -> NetworkPoint:
        """All counters now."""
        summed = Counter(dict.fromkeys(TCP.values(), 0))
        for snmp, netstat in self._tcp:
            summed.update(parse_tcp(_read(snmp), _read(netstat)))
        entries, dropped = parse_conntrack(_read(self._conntrack))
        return NetworkPoint(
            tcp=summed if self._tcp else None,
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
