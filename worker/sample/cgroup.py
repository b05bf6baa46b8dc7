"""CPU counters of cgroups, version 1 (cpuacct) and version 2, in nanoseconds."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from worker.host.cgroups import (
    MissingController,
    check_controller,
    enable_controllers,
    hierarchies,
    inherit_cpuset,
)


@dataclass(frozen=True)
class Hierarchy:
    """A mounted cgroup hierarchy and its version."""

    mount: Path
    version: int

    def usage_file(self, group: str) -> Path:
        """The file with a group's CPU time."""
        name = "cpuacct.usage" if self.version == 1 else "cpu.stat"
        return self.folder(group) / name

    def folder(self, group: str) -> Path:
        """The folder of a group."""
        return self.mount / group.lstrip("/")


def find_hierarchy() -> Hierarchy:
    """The hierarchy that accounts CPU time on this host. Raises RuntimeError where there is none."""
    found = find_controller("cpuacct")
    if found is None:
        raise RuntimeError("this host mounts no cgroup hierarchy that accounts CPU")
    return found


def find_controller(name: str, mountinfo: str | None = None) -> Hierarchy | None:
    """The hierarchy with a controller: its own of version 1, or the unified one; None without either.

    A host may mount both versions; a controller is in one of them only, and version 1 lists it.
    """
    found = hierarchies(mountinfo)
    for mount, controllers in found:
        if name in controllers:
            return Hierarchy(mount, 1)
    unified = [mount for mount, controllers in found if not controllers]
    return Hierarchy(unified[-1], 2) if unified else None


def group_of(hierarchy: Hierarchy, pid: int) -> str:
    """The group that a process belongs to, as a path inside the hierarchy."""
    for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if (hierarchy.version == 1 and "cpuacct" in controllers.split(",")) or (
            hierarchy.version == 2 and controllers == ""
        ):
            return path
    raise RuntimeError(f"process {pid} is in no group that accounts CPU")


def pids_in(hierarchy: Hierarchy, group: str) -> list[int]:
    """Processes of a group and its descendants; none when the group is gone."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for folder, _, _ in os.walk(hierarchy.folder(group)):
            found.extend(int(pid) for pid in (Path(folder) / "cgroup.procs").read_text().split())
    return found


@dataclass(frozen=True)
class Throttling:
    """CPU throttling of a group so far: periods, throttled periods, throttled time."""

    periods: int
    throttled: int
    throttled_ns: int


def parse_throttling(text: str) -> Throttling | None:
    """cpu.stat of version 1 (throttled_time, ns) or 2 (throttled_usec); None without these fields."""
    values = {name: int(value) for name, _, value in (line.partition(" ") for line in text.splitlines())}
    if "nr_periods" not in values:
        return None
    throttled_ns = values.get("throttled_time", values.get("throttled_usec", 0) * 1000)
    return Throttling(values["nr_periods"], values["nr_throttled"], throttled_ns)


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


class AbsentMeter:
    """The meter of a role that does not run on this host."""

    def read_ns(self) -> int:
        """No CPU."""
        return 0


class AbsentGroup:
    """In place of a client's group, where the client runs on another host."""

    group = "/no client on this host"
    meter = AbsentMeter()

    def adopt(self, pid: int) -> None:
        """Refuse: no process of this host is the client."""
        raise RuntimeError(f"process {pid} cannot be the client: it runs on another host")


class CpusetRefused(ValueError):
    """The host cannot bind the client to the requested CPUs."""


class ClientGroup:
    """The client's own cgroup, so that its CPU is counted separately on every path.

    In the server's container both would otherwise share one group. It is created below `parent`, the cgroup
    parent of the client's engine, and removed with that engine.
    """

    def __init__(self, hierarchy: Hierarchy, parent: str, cpuset: str = "") -> None:
        self.group = f"{parent.rstrip('/')}/client"
        self._hierarchy = hierarchy
        self._folder = hierarchy.folder(self.group)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._pins: Path | None = None
        self.pin(cpuset)
        self.meter = CpuMeter(hierarchy, self.group)

    def pin(self, cpuset: str) -> None:
        """Bind the processes that are adopted from now on to these CPUs ("0-1,3"); "" binds them to none.

        Raises CpusetRefused where the host has no such CPUs or no cpuset controller.
        """
        if not cpuset:
            if self._pins is not None and self._hierarchy.version == 2:
                (self._pins / "cpuset.cpus").write_text("\n")  # empty: those of the parent
            self._pins = None
            return
        try:
            self._pins = self._prepared()
            (self._pins / "cpuset.cpus").write_text(cpuset)
        except MissingController as error:
            raise CpusetRefused(f"client_cpuset: {error}; or leave it empty") from error
        except OSError as error:
            raise CpusetRefused(
                f"client_cpuset {cpuset!r} cannot be set on this host ({error.strerror}); "
                "name CPUs that it has, or leave it empty"
            ) from error

    def adopt(self, pid: int) -> None:
        """Move a process into the group; its later children are counted here too."""
        (self._folder / "cgroup.procs").write_text(str(pid))
        if self._pins is not None and self._pins != self._folder:
            (self._pins / "cgroup.procs").write_text(str(pid))

    def close(self) -> None:
        """Close the meter; the group is removed with its engine."""
        self.meter.close()

    def _prepared(self) -> Path:
        """The group's folder in the hierarchy with the cpuset controller, ready for `cpuset.cpus`."""
        cpusets = find_controller("cpuset")
        if cpusets is None:
            raise CpusetRefused("this host mounts no cpuset controller; leave client_cpuset empty")
        folder = cpusets.folder(self.group)
        if cpusets.version == 2:
            enable_controllers(cpusets.mount, folder, ("cpuset",))
            check_controller(folder, "cpuset.cpus")
            return folder
        folder.mkdir(parents=True, exist_ok=True)
        inherit_cpuset(cpusets.mount, folder)
        return folder
