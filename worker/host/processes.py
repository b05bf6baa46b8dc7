"""Whether a process still runs, and is still the same one: pids are given again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


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
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else ProcessId(pid, int(fields[19]))
