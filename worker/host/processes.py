"""Processes: whether one still runs and is the same one (pids are reused), and its children."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

EXITING: Final = 0x4
"""PF_EXITING of the kernel's sched.h."""


@dataclass(frozen=True)
class ProcessId:
    """A process by pid and start time (clock ticks since boot, field 22 of proc_pid_stat(5))."""

    pid: int
    started: int

    def runs(self) -> bool:
        """Whether this very process has not ended."""
        return identify(self.pid) == self


def identify(pid: int) -> ProcessId | None:
    """The process that has this pid now; None where there is none or where it has ended."""
    try:
        return parse(pid, Path(f"/proc/{pid}/stat").read_text())
    except OSError:
        return None


def parse(pid: int, stat: str) -> ProcessId | None:
    """The process that a line of proc_pid_stat(5) describes; None where it is ending or has ended.

    A killed first process of a container has lost its namespaces while the kernel ends the container's other
    processes, but is not a zombie yet (zap_pid_ns_processes in kernel/pid_namespace.c): its flags show it.
    """
    fields = stat.rpartition(")")[2].split()
    if fields[0] in "ZX" or int(fields[6]) & EXITING:
        return None
    return ProcessId(pid, int(fields[19]))


def children_of(pid: int) -> list[int]:
    """Child processes of every thread of a process."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # the process may end while its threads are listed
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found.extend(int(child) for child in task.read_text().split())
    return found
