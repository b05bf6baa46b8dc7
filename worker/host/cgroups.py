"""Create cgroups, version 1 and version 2, for programs outside any container runtime."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

CONTROLLERS = frozenset(("cpu", "cpuacct", "cpuset", "memory"))
PERIOD_US = 100_000


class MissingController(OSError):
    """A group of version 2 has no such controller."""


@dataclass(frozen=True)
class Limits:
    """The limits of a cgroup: cores, a list of CPUs such as "0-1", bytes; 0 or empty: unlimited."""

    cpus: int = 0
    cpuset: str = ""
    memory_bytes: int = 0


def make_group(name: str, limits: Limits, mountinfo: str | None = None) -> tuple[Path, ...]:
    """Create a cgroup with its limits; returns its folder in every hierarchy that has one of CONTROLLERS.

    `name` is a path such as "engine/program". Raises OSError where the kernel refuses a limit, and
    MissingController.
    """
    found = hierarchies(mountinfo)
    old = [(mount, controllers) for mount, controllers in found if controllers]
    return tuple(_old_group(mount, controllers, name, limits) for mount, controllers in old) or tuple(
        _new_group(mount, name, limits) for mount, _ in found[:1]
    )


def hierarchies(mountinfo: str | None = None) -> list[tuple[Path, frozenset[str]]]:
    """The mounted cgroup hierarchies: mount point and CONTROLLERS of version 1; none of them: version 2."""
    text = Path("/proc/self/mountinfo").read_text() if mountinfo is None else mountinfo
    found = []
    for line in text.splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        controllers = frozenset(options.split()[-1].split(",")) & CONTROLLERS
        if kind == "cgroup2":
            found.append((Path(left.split()[4]), frozenset[str]()))
        elif kind == "cgroup" and controllers:
            found.append((Path(left.split()[4]), controllers))
    return found


def _old_group(mount: Path, controllers: frozenset[str], name: str, limits: Limits) -> Path:
    folder = mount / name
    folder.mkdir(parents=True, exist_ok=True)
    if "cpuset" in controllers:
        inherit_cpuset(mount, folder)
        if limits.cpuset:
            (folder / "cpuset.cpus").write_text(limits.cpuset)
    if "cpu" in controllers and limits.cpus:
        (folder / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (folder / "cpu.cfs_quota_us").write_text(str(limits.cpus * PERIOD_US))
    if "memory" in controllers and limits.memory_bytes:
        (folder / "memory.limit_in_bytes").write_text(str(limits.memory_bytes))
    return folder


def inherit_cpuset(mount: Path, folder: Path) -> None:
    """Copy the CPUs of the root down to a new group: without any no process can enter it (cpusets, 1.5)."""
    for level in (*reversed(folder.relative_to(mount).parents), folder):
        for name in ("cpuset.cpus", "cpuset.mems"):
            file = mount / level / name
            if not file.read_text().strip():
                file.write_text((file.parents[1] / name).read_text())


def enable_controllers(mount: Path, folder: Path, controllers: Iterable[str]) -> None:
    """Enable controllers of version 2 in every ancestor of a group, as cgroup-v2, 2.4 requires."""
    for above in reversed(folder.relative_to(mount).parents):
        for controller in controllers:
            with contextlib.suppress(OSError):  # writing the limit then fails with an error of its own
                (mount / above / "cgroup.subtree_control").write_text(f"+{controller}")


def _new_group(mount: Path, name: str, limits: Limits) -> Path:
    folder = mount / name
    folder.mkdir(parents=True, exist_ok=True)
    enable_controllers(mount, folder, ("cpu", "cpuset", "memory"))
    for file, value in (
        ("cpu.max", f"{limits.cpus * PERIOD_US} {PERIOD_US}" if limits.cpus else ""),
        ("cpuset.cpus", limits.cpuset),
        ("memory.max", str(limits.memory_bytes or "")),
    ):
        if value:
            check_controller(folder, file)
            (folder / file).write_text(value)
    return folder


def check_controller(folder: Path, file: str) -> None:
    """Raise MissingController where a group of version 2 lacks the file of a limit.

    Writing it would fail with "Permission denied": the kernel lets nobody create a file there.
    """
    if not (folder / file).exists():
        controller = file.partition(".")[0]
        raise MissingController(
            f"the kernel offers no {controller} controller to {folder}: enable it in cgroup.subtree_control "
            "of the folders above"
        )
