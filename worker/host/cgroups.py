"""Create cgroups, version 1 and version 2, for programs outside any container runtime."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CONTROLLERS = ("cpu", "cpuacct", "cpuset", "memory")
PERIOD_US = 100_000


@dataclass(frozen=True)
class Limits:
    """The limits of a cgroup: cores, a list of CPUs such as "0-1", bytes; 0 or empty: unlimited."""

    cpus: int = 0
    cpuset: str = ""
    memory_bytes: int = 0


def make_group(name: str, limits: Limits, mountinfo: str | None = None) -> tuple[Path, ...]:
    """Create a cgroup with its limits; returns its folder in every hierarchy that has one of CONTROLLERS.

    `name` is a path such as "engine/program". Raises OSError where the kernel refuses a limit.
    """
    text = Path("/proc/self/mountinfo").read_text() if mountinfo is None else mountinfo
    hierarchies = list(_hierarchies(text))
    old = [(mount, controllers) for mount, controllers in hierarchies if controllers]
    return tuple(_old_group(mount, controllers, name, limits) for mount, controllers in old) or tuple(
        _new_group(mount, name, limits) for mount, _ in hierarchies[:1]
    )


def _hierarchies(mountinfo: str) -> Iterator[tuple[Path, frozenset[str]]]:
    """Mount points and their controllers; for version 2 the controllers are empty."""
    for line in mountinfo.splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        controllers = frozenset(options.split()[-1].split(",")) & frozenset(CONTROLLERS)
        if kind == "cgroup2":
            yield Path(left.split()[4]), frozenset()
        elif kind == "cgroup" and controllers:
            yield Path(left.split()[4]), controllers


def _old_group(mount: Path, controllers: frozenset[str], name: str, limits: Limits) -> Path:
    folder = mount / name
    folder.mkdir(parents=True, exist_ok=True)
    if "cpuset" in controllers:
        for level in (*reversed(folder.relative_to(mount).parents), folder):
            inherit_cpuset(mount / level)
        if limits.cpuset:
            (folder / "cpuset.cpus").write_text(limits.cpuset)
    if "cpu" in controllers and limits.cpus:
        (folder / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (folder / "cpu.cfs_quota_us").write_text(str(limits.cpus * PERIOD_US))
    if "memory" in controllers and limits.memory_bytes:
        (folder / "memory.limit_in_bytes").write_text(str(limits.memory_bytes))
    return folder


def inherit_cpuset(folder: Path) -> None:
    """Copy the parent's CPUs: a new group of version 1 has none, and no process can enter (cpusets, 1.5)."""
    for name in ("cpuset.cpus", "cpuset.mems"):
        if not (folder / name).read_text().strip():
            (folder / name).write_text((folder.parent / name).read_text())


def _new_group(mount: Path, name: str, limits: Limits) -> Path:
    folder = mount / name
    folder.mkdir(parents=True, exist_ok=True)
    # A controller is available in a group only if every ancestor enables it (cgroup-v2, section 2.4).
    for above in reversed(folder.relative_to(mount).parents):
        for controller in ("cpu", "cpuset", "memory"):
            with contextlib.suppress(OSError):  # writing the limit then fails with an error of its own
                (mount / above / "cgroup.subtree_control").write_text(f"+{controller}")
    for file, value in (
        ("cpu.max", f"{limits.cpus * PERIOD_US} {PERIOD_US}" if limits.cpus else ""),
        ("cpuset.cpus", limits.cpuset),
        ("memory.max", str(limits.memory_bytes or "")),
    ):
        if value:
            (folder / file).write_text(value)
    return folder
