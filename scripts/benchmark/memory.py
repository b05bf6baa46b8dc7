"""Memory of the running product, by program: proportional set size, so that shared pages count once."""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from pathlib import Path

PSS = re.compile(r"^Pss:\s+(\d+) kB", re.M)
PROGRAMS = (
    "celery",
    "dockerd",
    "containerd",
    "containerd-shim-runc-v2",
    "docker-proxy",
    "backend.api.serve",
    "redis-server",
)


def by_program(var: Path, runtime: Path) -> dict[str, float]:
    """Megabytes by program, of every process whose command line names the installation's own places."""
    found: defaultdict[str, float] = defaultdict(float)
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (entry / "cmdline").read_text().split("\0")
            if not _ours(entry, arguments, var, runtime):
                continue
            match = PSS.search((entry / "smaps_rollup").read_text())
            if match:
                found[_program(arguments)] += int(match.group(1)) / 1024
    return {name: round(size, 1) for name, size in sorted(found.items())}


def pids_of(program: str, var: Path, runtime: Path) -> list[int]:
    """The processes of an installation that run a program and name the installation's places."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (entry / "cmdline").read_text().split("\0")
            # Redis puts its socket behind its name, in one argument.
            names = [*arguments[0].split(), *arguments[1:3]]
            if _ours(entry, arguments, var, runtime) and any(Path(name).name == program for name in names):
                found.append(int(entry.name))
    return found


def _ours(entry: Path, arguments: list[str], var: Path, runtime: Path) -> bool:
    if any(str(place) in argument for place in (var, runtime) for argument in arguments):
        return True
    return f"PLIMSOLL_VAR_DIR={var}" in (entry / "environ").read_text(errors="replace").split("\0")


def _program(arguments: list[str]) -> str:
    names = [Path(argument).name for argument in arguments]
    return next((name for name in PROGRAMS if name in names), names[0].split(":")[0] or "other")
