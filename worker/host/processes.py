"""Processes: identity, children, and CPU time in nanoseconds including threads that have ended.

Every process has a CPU clock whose id is derived from its pid (clock_getcpuclockid(3) and the kernel's
posix-timers.h). One system call returns the sum of /proc/PID/task/*/schedstat, and also counts threads that
have ended.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

EXITING: Final = 0x4
"""PF_EXITING of the kernel's sched.h."""
CPUCLOCK_SCHED = 2


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


def cpu_ns(pid: int) -> int | None:
    """CPU that a process has used so far, in nanoseconds; None when it has ended."""
    try:
        return time.clock_gettime_ns((~pid << 3) | CPUCLOCK_SCHED)
    except OSError:
        return None


def cpu_ns_of_all(pids: Iterable[int]) -> dict[int, int]:
    """CPU so far of each process that still exists, in nanoseconds."""
    return {pid: used for pid in pids if (used := cpu_ns(pid)) is not None}


def kernel_threads() -> list[int]:
    """Pids of all kernel threads (children of kthreadd, and kthreadd itself)."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if fields[1] == "2" or entry.name == "2":
                    found.append(int(entry.name))
    return found


def docker_proxies(dockerd_pid: int, host_port: int) -> list[int]:
    """Processes of one daemon that relay one host port (one a listening address).

    Found by the arguments that dockerd gives them, which also finds an alternative to docker-proxy (moby,
    `--userland-proxy-path`).
    """
    found = []
    for child in children_of(dockerd_pid):
        with contextlib.suppress(OSError):
            arguments = Path(f"/proc/{child}/cmdline").read_text().split("\0")
            if _follows(arguments, "-host-port", str(host_port)):
                found.append(child)
    return found


def _follows(arguments: list[str], flag: str, value: str) -> bool:
    return any(a == flag and b == value for a, b in pairwise(arguments))
