"""Whether a process still runs, and is still the same one: pids are given again."""

from __future__ import annotations

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
    """The process that has this pid now; None where there is none, or where it has ended already."""
    try:
        return parse(pid, Path(f"/proc/{pid}/stat").read_text())
    except OSError:
        return None


def parse(pid: int, stat: str) -> ProcessId | None:
    """The process that a line of proc_pid_stat(5) describes; None where it ends or has ended.

    A container's first process that was killed has no namespaces any more while the kernel ends all others of
    the container, and is no zombie yet (zap_pid_ns_processes in kernel/pid_namespace.c): its flags say so.
    """
    fields = stat.rpartition(")")[2].split()
    if fields[0] in "ZX" or int(fields[6]) & EXITING:
        return None
    return ProcessId(pid, int(fields[19]))
