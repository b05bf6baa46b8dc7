"""Control groups for programs that no container runtime looks after, version 1 and version 2."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CONTROLLERS = ("cpu", "cpuacct", "cpuset", "memory")
PERIOD_US = 100_000


@dataclass(frozen=True)
class Limits:
    """What a group may use: cores, a list of CPUs such as "0-1", bytes; 0 or empty means any."""

    cpus: int = 0
    cpuset: str = ""
    memory_bytes: int = 0


def make_group(name: str, limits: Limits, mountinfo: str | None = None) -> tuple[Path, ...]:
    """Make a group with its limits; returns its folder in every hierarchy that has one of CONTROLLERS.

    `name` is a path such as "engine/program". Raises OSError where the kernel refuses a limit.
    """
    text = Path("/proc/self/mountinfo").read_text() if mountinfo is None else mountinfo
    hierarchies = list(_hierarchies(text))
    old = [(mount, controllers) for mount, controllers in hierarchies if controllers]
    return tuple(_old_group(mount, controllers, name, limits) for mount, controllers in old) or tuple(
        _new_group(mount, name, limits) for mount, _ in hierarchies[:1]
    )


def _hierarchies(mountinfo: str) -> Iterator[tuple[Path, frozenset[str]]]:
    """Mount points with the controllers of version 1 that they have; version 2 has none here."""
    for line in mountinfo.splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        controllers = frozenset(options.split()[-1].split(",")) & frozenset(CONTROLLERS)
        if kind == "cgroup2":
            yield Path(left.split()[4]), frozenset()
        elif kind == "cgroup" and controllers:
            yield Path(left.split()[4]), controllers


def _old_group(mount: Path, controllers: frozenset[str], name: str, limits: Limits) -> Path:
    place = mount / name
    place.mkdir(parents=True, exist_ok=True)
    if "cpuset" in controllers:
        for level in (*reversed(place.relative_to(mount).parents), place):
            _inherit_cpuset(mount / level)
        if limits.cpuset:
            (place / "cpuset.cpus").write_text(limits.cpuset)
    if "cpu" in controllers and limits.cpus:
        (place / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (place / "cpu.cfs_quota_us").write_text(str(limits.cpus * PERIOD_US))
    if "memory" in controllers and limits.memory_bytes:
        (place / "memory.limit_in_bytes").write_text(str(limits.memory_bytes))
    return place


def _inherit_cpuset(folder: Path) -> None:
    """In version 1 a new group has no CPUs, and no process can enter it (cpusets, section 1.5)."""
    for name in ("cpuset.cpus", "cpuset.mems"):
        if not (folder / name).read_text().strip():
            (folder / name).write_text((folder.parent / name).read_text())


def _new_group(mount: Path, name: str, limits: Limits) -> Path:
    place = mount / name
    place.mkdir(parents=True, exist_ok=True)
    # A controller reaches a group only when every group above hands it down (cgroup-v2, section 2.4).
    for above in reversed(place.relative_to(mount).parents):
        for controller in ("cpu", "cpuset", "memory"):
            with contextlib.suppress(OSError):  # the limit itself is then refused, with its own error
                (mount / above / "cgroup.subtree_control").write_text(f"+{controller}")
    for file, value in (
        ("cpu.max", f"{limits.cpus * PERIOD_US} {PERIOD_US}" if limits.cpus else ""),
        ("cpuset.cpus", limits.cpuset),
        ("memory.max", str(limits.memory_bytes or "")),
    ):
        if value:
            (place / file).write_text(value)
    return place
