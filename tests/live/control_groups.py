"""Control groups for one test: one in each hierarchy, and none of them afterwards."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LIMIT_S: Final = 30.0


@dataclass(frozen=True)
class Hierarchy:
    """The options that mount it, the usual name of its folder, and this process's group."""

    mount: str
    name: str
    own: str

    @property
    def is_first_version(self) -> bool:
        """Whether it is one of several of version 1."""
        return "cgroup2" not in self.mount


def hierarchies(file: Path = Path("/proc/self/cgroup")) -> Sequence[Hierarchy]:
    """Those of this host, and systemd's of version 1 where others of this version are."""
    rows = [line.split(":", 2)[1:] for line in file.read_text().splitlines()]
    found = [_hierarchy(controllers, own) for controllers, own in rows]
    if any(row.is_first_version for row in found) and not any(row.name == "systemd" for row in found):
        found.append(_hierarchy("name=systemd", "/"))
    return found


def _hierarchy(controllers: str, own: str) -> Hierarchy:
    if not controllers:
        return Hierarchy("-t cgroup2", "unified", own)
    options = "none," * controllers.startswith("name=") + controllers
    return Hierarchy(f"-t cgroup -o {options}", controllers.removeprefix("name="), own)


class Groups:
    """A group `name` below this process's own in each hierarchy, which are mounted below `folder`.

    `of` limits it to some hierarchies. A group of version 2 is below the root, which alone may have processes
    and pass controllers on; those that it does not pass on yet are taken back with the group.
    """

    def __init__(self, name: str, folder: Path, of: Callable[[Hierarchy], bool] = lambda _: True) -> None:
        self._name = name
        self._folder = folder
        self._of = of
        self._made: list[Path] = []
        self._passed_on: dict[Path, set[str]] = {}

    def make(self) -> Sequence[Path]:
        """Make and return them."""
        for found in filter(self._of, hierarchies()):
            point = self._folder / found.name
            point.mkdir(parents=True, exist_ok=True)
            subprocess.run(["mount", *found.mount.split(), "cgroup", str(point)], check=True)
            parent = point / found.own.strip("/")
            if not found.is_first_version:
                parent = point
                self._passed_on[point] = pass_on(point)
            group = parent / self._name
            self._made.append(group)
            group.mkdir()
            for file in ("cpuset.cpus", "cpuset.mems"):  # empty in a new group, which takes no process then
                if found.is_first_version and (parent / file).exists():
                    (group / file).write_text((parent / file).read_text())
        return self._made

    def remove(self) -> None:
        """Remove them with all groups below; repeatable. Their processes have ended or end now."""
        deadline = time.monotonic() + LIMIT_S
        while left := [group for group in self._made if not removed(group)]:
            assert time.monotonic() < deadline, f"processes of {left} do not end"
            time.sleep(0.1)  # an ended process leaves its group a little later; bounded by the deadline
        self._made.clear()
        for point, names in self._passed_on.items():
            for name in names:
                (point / "cgroup.subtree_control").write_text(f"-{name}")
        self._passed_on.clear()
        for point in self._folder.glob("*"):
            with contextlib.suppress(OSError):
                subprocess.run(["umount", str(point)], check=False, capture_output=True)
                point.rmdir()


def controllers(group: Path, file: str = "cgroup.subtree_control") -> set[str]:
    """The controllers of version 2 that a group passes on, or those that it has (`cgroup.controllers`)."""
    return set((group / file).read_text().split())


def pass_on(group: Path) -> set[str]:
    """Pass all controllers of a group on; returns those that it did not pass on before."""
    new = controllers(group, "cgroup.controllers") - controllers(group)
    for name in list(new):
        try:
            (group / "cgroup.subtree_control").write_text(f"+{name}")
        except OSError:  # a container's root group has processes, or a hierarchy of version 1 has it
            new.discard(name)
    return new


def removed(group: Path) -> bool:
    """Whether a group and those below could be removed."""
    for folder, _, _ in os.walk(group, topdown=False):
        try:
            Path(folder).rmdir()
        except FileNotFoundError:
            continue
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            return False
    return True
