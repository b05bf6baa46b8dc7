"""What an installation in containers has left on the host, by its id and its engine's names."""

from __future__ import annotations

import contextlib
from pathlib import Path

from worker.host.commands import in_namespace, run


def remains(install_id: str) -> list[str]:
    """Processes, mounts, cgroups and named namespaces of the worker with this id, each as a sentence."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            text = (process / "cmdline").read_bytes() + (process / "cgroup").read_bytes()
            if any(word in text for word in (f"plimsoll-{install_id}".encode(), f"plm{install_id}".encode())):
                found.append(f"process {process.name}: {text.decode().replace(chr(0), ' ')[:100]}")
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        if install_id in line:
            found.append(f"mount {line.split()[4]}")
    found += [f"cgroup {path}" for path in Path("/sys/fs/cgroup").glob(f"**/plm{install_id}*")]
    found += [f"namespace {path}" for path in Path("/run/netns").glob(f"plm{install_id}*")]
    found += [f"folder {path}" for path in Path("/run").glob(f"plimsoll-{install_id}")]
    return found


def lab_processes(install_id: str) -> set[tuple[str, str]]:
    """Process id and start time of everything in the cgroups of the worker's engines."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"plm{install_id}-" in (process / "cgroup").read_text():
                after_name = (process / "stat").read_text().rpartition(")")[2].split()
                found.add((process.name, after_name[19]))
    return found


def waiting_for_a_lock(path: Path) -> set[int]:
    """The processes that wait for a lock of this file: proc_locks(5)."""
    inode = f":{path.stat().st_ino}"
    lines = (line.split() for line in Path("/proc/locks").read_text().splitlines())
    return {int(words[5]) for words in lines if words[1] == "->" and words[6].endswith(inode)}


def network(netns: str) -> str:
    """Links, addresses, routes and rules of a network namespace."""
    commands = (["ip", "-o", "link"], ["ip", "-o", "address"], ["ip", "route"], ["iptables-save"])
    lines = [line for argv in commands for line in run(in_namespace(netns, argv)).splitlines()]
    kept = (line.replace(" tentative", "") for line in lines if not line.startswith("#"))
    return "\n".join(kept)
