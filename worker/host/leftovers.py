"""What else is on the host when a run begins: containers, load generators and namespaces of others.

Read once a run, before its first trial: some 10 ms of CPU for 300 processes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from backend.core.chart.environment_changes import AT_START

SHIMS = ("containerd-shim", "conmon")
"""How the programs begin of which every running container has one."""
LOAD_GENERATORS = frozenset(("pgbench", "wrk", "ab"))
SHOWN = 3


def leftovers(
    prefix: str,
    install_id: str,
    runtime: Path,
    proc: Path = Path("/proc"),
    namespaces: Path = Path("/run/netns"),
) -> dict[str, str]:
    """Facts by name, each "number: the first ones"; empty on a host of its own.

    `prefix` is how the names of all lab engines begin. What belongs to this installation is left out where
    it runs in the control groups or below the runtime directory of its engines: servers and clients stay
    up between runs.
    """
    own = f"{prefix}{install_id}-"
    containers: list[str] = []
    generators: list[str] = []
    for process in _processes(proc):
        with contextlib.suppress(OSError):  # it has just ended
            program = (process / "comm").read_text().strip()
            if not (program.startswith(SHIMS) or program in LOAD_GENERATORS):
                continue
            words = (process / "cmdline").read_text().split("\0")
            if program in LOAD_GENERATORS and own not in (process / "cgroup").read_text():
                generators.append(f"{program} ({process.name})")
            elif program.startswith(SHIMS) and not _is_own(process, words, own, runtime):
                containers.append(_container(words) or process.name)
    found = {
        "running containers of others": containers,
        "running load generators": generators,
        "network namespaces of other measuring engines": _foreign_namespaces(namespaces, prefix, own),
    }
    return {f"{AT_START}{name}": _told(names) for name, names in found.items() if names}


def _processes(proc: Path) -> Iterator[Path]:
    return (entry for entry in proc.iterdir() if entry.name.isdigit())


def _is_own(shim: Path, words: list[str], own: str, runtime: Path) -> bool:
    """Below the runtime directory, or the container is in a group of ours: those on the host's engine."""
    if any(word.startswith(str(runtime)) for word in words):
        return True
    for children in shim.glob("task/*/children"):
        for child in children.read_text().split():
            with contextlib.suppress(OSError):  # likewise
                if own in (shim.parent / child / "cgroup").read_text():
                    return True
    return False


def _container(words: list[str]) -> str:
    """The first characters of the container's id, as `docker ps` shows them."""
    for flag in ("-id", "--cid"):
        if flag in words[:-1]:
            return words[words.index(flag) + 1][:12]
    return ""


def _foreign_namespaces(folder: Path, prefix: str, own: str) -> list[str]:
    if not folder.is_dir():
        return []
    names = sorted(entry.name for entry in folder.iterdir())
    return [name for name in names if name.startswith(prefix) and not name.startswith(own)]


def _told(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{len(names)}: {', '.join(names[:SHOWN])}{more}"
