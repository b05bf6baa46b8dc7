"""CPU counters of control groups, version 1 (cpuacct) and version 2, in nanoseconds."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Hierarchy:
    """Where the kernel accounts CPU by group: the mount, and which version it is."""

    mount: Path
    version: int

    def usage_file(self, group: str) -> Path:
        """The file that holds a group's CPU time."""
        name = "cpuacct.usage" if self.version == 1 else "cpu.stat"
        return self.mount / group.lstrip("/") / name


def find_hierarchy() -> Hierarchy:
    """The hierarchy that accounts CPU on this host. Raises RuntimeError where there is none."""
    unified = None
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        mount = Path(left.split()[4])
        if kind == "cgroup" and "cpuacct" in options.split()[-1].split(","):
            return Hierarchy(mount, 1)
        if kind == "cgroup2":
            unified = Hierarchy(mount, 2)
    if unified is None:
        raise RuntimeError("this host mounts no cgroup hierarchy that accounts CPU")
    return unified


def group_of(hierarchy: Hierarchy, pid: int) -> str:
    """The group that a process belongs to, as a path inside the hierarchy."""
    for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if (hierarchy.version == 1 and "cpuacct" in controllers.split(",")) or (
            hierarchy.version == 2 and controllers == ""
        ):
            return path
    raise RuntimeError(f"process {pid} is in no group that accounts CPU")


class CpuMeter:
    """One group's CPU time, read from a file that stays open."""

    def __init__(self, hierarchy: Hierarchy, group: str) -> None:
        self.group = group
        self._version = hierarchy.version
        self._descriptor = os.open(hierarchy.usage_file(group), os.O_RDONLY)

    def read_ns(self) -> int:
        """CPU that the group and everything below it has used so far, in nanoseconds."""
        text = os.pread(self._descriptor, 512, 0)
        if self._version == 1:
            return int(text)
        return int(text.split(b"usage_usec ", 1)[1].split(b"\n", 1)[0]) * 1000

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


class ClientGroup:
    """A group of its own for the client, so that its CPU is counted apart on every path.

    Inside the server's container client and server would otherwise share one group. Made below the
    engine's own cgroup parent, and removed with it.
    """

    def __init__(self, hierarchy: Hierarchy, engine_cgroup: str) -> None:
        self.group = f"{engine_cgroup}/client"
        self._place = hierarchy.mount / self.group.lstrip("/")
        self._place.mkdir(parents=True, exist_ok=True)
        self.meter = CpuMeter(hierarchy, self.group)

    def adopt(self, pid: int) -> None:
        """Move a process into the group; what it starts from then on is counted here."""
        (self._place / "cgroup.procs").write_text(str(pid))
