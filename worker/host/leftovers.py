"""Foreign containers, load generators and namespaces on the host when a run begins.

Read once a run, before its first trial: about 10 ms of CPU for 300 processes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from backend.core.chart.quality.environment_changes import AT_START

SHIMS = ("containerd-shim", "conmon")
"""Prefixes of the programs of which every running container has one."""
LOAD_GENERATORS = frozenset(("pgbench", "wrk", "ab"))
SHOWN = 3


def leftovers(
    prefix: str,
    install_id: str,
    runtime: Path,
    proc: Path = Path("/proc"),
    namespaces: Path = Path("/run/netns"),
) -> dict[str, str]:
    """Facts by name, each "number: the first names"; empty on a dedicated host.

    `prefix` is that of all lab engines' names. Processes of this installation are left out by the cgroups and
    the runtime directory of its engines: servers and clients keep running between runs.
    """
    own = f"{prefix}{install_id}-"
    containers: list[str] = []
    generators: list[str] = []
    for process in _processes(proc):
        with contextlib.suppress(OSError):  # it has just ended
            program = (process / "comm").read_text().strip()
            if not (program.startswith(SHIMS) or program in LOAD_GENERATORS):
                continue
            arguments = (process / "cmdline").read_text().split("\0")
            if program in LOAD_GENERATORS and own not in (process / "cgroup").read_text():
                generators.append(f"{program} ({process.name})")
            elif program.startswith(SHIMS) and not _is_own(process, arguments, own, runtime):
                containers.append(_container(arguments) or process.name)
    found = {
        "running containers of others": containers,
        "running load generators": generators,
        "network namespaces of other measuring engines": _foreign_namespaces(namespaces, prefix, own),
    }
    return {f"{AT_START}{name}": _listed(names) for name, names in found.items() if names}


def _processes(proc: Path) -> Iterator[Path]:
    return (entry for entry in proc.iterdir() if entry.name.isdigit())


def _is_own(shim: Path, arguments: list[str], own: str, runtime: Path) -> bool:
    """Whether a shim is below our runtime directory or, on the host's engine, its container in our cgroup."""
    if any(argument.startswith(str(runtime)) for argument in arguments):
        return True
    for children in shim.glob("task/*/children"):
        for child in children.read_text().split():
            with contextlib.suppress(OSError):  # it has just ended
                if own in (shim.parent / child / "cgroup").read_text():
                    return True
    return False


def _container(arguments: list[str]) -> str:
    """The first characters of the container's id, as `docker ps` shows them."""
    for flag in ("-id", "--cid"):
        if flag in arguments[:-1]:
            return arguments[arguments.index(flag) + 1][:12]
    return ""


def _foreign_namespaces(folder: Path, prefix: str, own: str) -> list[str]:
    if not folder.is_dir():
        return []
    names = sorted(entry.name for entry in folder.iterdir())
    return [name for name in names if name.startswith(prefix) and not name.startswith(own)]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{len(names)}: {', '.join(names[:SHOWN])}{more}"
