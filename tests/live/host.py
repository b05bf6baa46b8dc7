"""The host's network and Docker as plain text, to compare before and after."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from backend.core.errors import HostCommandFailed
from worker.host.commands import run

COMMANDS = (
    ("iptables-save",),
    ("ip6tables-save",),
    ("ip", "-o", "link"),
    ("ip", "-o", "address"),
    ("ip", "route", "show", "table", "all"),
    ("ip", "netns", "list"),
    ("bridge", "link"),
)
SYSCTLS = (
    "net/ipv4/ip_forward",
    "net/ipv4/conf/all/forwarding",
    "net/ipv4/conf/all/route_localnet",
    "net/ipv6/conf/all/forwarding",
)
LEASE = re.compile(r"(valid_lft|preferred_lft) \d+sec|^#.*$", re.M)
"""Parts that always change: the remaining lifetime of an address, and the dates of iptables-save."""


def snapshot(install_id: str, install: tuple[Path, ...] = ()) -> dict[str, str]:
    """Rules, links, addresses, routes, namespaces, mounts, cgroups and the host's own Docker objects.

    `install_id` is that of the installation under test: no group, mount or process may carry it, and
    nothing may be mounted below its `places`.
    """
    runtime = f"plimsoll-{install_id}"
    found: dict[str, str] = {}
    for argv in COMMANDS:
        found[" ".join(argv)] = _output(argv)
    for name in SYSCTLS:
        with contextlib.suppress(OSError):
            found[name] = Path("/proc/sys", name).read_text()
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    found["mounts"] = "\n".join(sorted(point for point in mounts if _is_ours(point, runtime, install)))
    found["cgroups"] = "\n".join(sorted(str(p) for p in Path("/sys/fs/cgroup").glob(f"**/plm{install_id}*")))
    found["processes"] = "\n".join(_processes(runtime))
    if Path("/var/run/docker.sock").exists():
        for listed in ("docker ps -aq", "docker network ls -q", "docker volume ls -q"):
            found[listed] = _output(tuple(listed.split()))
    return found


def _is_ours(point: str, runtime: str, install: tuple[Path, ...]) -> bool:
    return runtime in point or any(Path(point).is_relative_to(place) for place in install)


def _output(argv: tuple[str, ...]) -> str:
    try:
        return LEASE.sub("", run(argv))
    except HostCommandFailed as error:
        return f"failed: {error}"


def _processes(runtime: str) -> list[str]:
    """Command lines of everything that names the runtime directory."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            line = entry.read_text().replace("\0", " ")
            if runtime in line:
                found.append(line)
    return sorted(found)
