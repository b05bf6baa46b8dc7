"""Read the kernel's counters: functions from text or a pid to plain numbers."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
DNAT_RULE = re.compile(r"^\[(\d+):\d+\] -A DOCKER .*--dport (\d+) .*-j DNAT", re.M)
ESP_BYTES = re.compile(r"lifetime current:\s+(\d+)\(bytes\)")


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
    devices = {}
    for line in text.splitlines()[2:]:
        name, _, rest = line.partition(":")
        fields = rest.split()
        devices[name.strip()] = (int(fields[0]), int(fields[8]))
    return devices


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
    values = parse_named((base / "snmp").read_text()) | parse_named((base / "netstat").read_text())
    wanted = {
        "TcpRetransSegs": "tcp_retransmits",
        "TcpExtListenOverflows": "listen_overflows",
        "TcpExtListenDrops": "listen_drops",
        "TcpExtTCPTimeouts": "tcp_timeouts",
    }
    return {ours: values[theirs] for theirs, ours in wanted.items() if theirs in values}


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
