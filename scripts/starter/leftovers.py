"""Servers that survived a killed starter: found by the pid file, ended before the next start."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

from scripts.starter.stopping import Stop
from scripts.starter.terminal import Refusal


def started_at(pid: int) -> str | None:
    """The start time of a live process in clock ticks, from /proc/PID/stat; None if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def note(directory: Path, name: str, pid: int) -> None:
    """Write a service's pid file; pid and start time together are never reused."""
    (directory / f"{name}.pid").write_text(f"{pid} {started_at(pid)}\n")


def end(directory: Path, name: str, number: signal.Signals, limit: float, stop: Stop) -> bool:
    """End the process of the pid file if it still runs, and wait for its end; returns whether it ran.

    Raises Refusal if it does not end, even by SIGKILL; Stopped.
    """
    path = directory / f"{name}.pid"
    if not path.exists():
        return False
    pid, began = path.read_text().split()

    def gone() -> bool:
        return started_at(int(pid)) != began

    found = not gone()
    for signal_number in (number, signal.SIGKILL):
        if gone():
            break
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal_number)
        stop.until(gone, limit)
    if not gone():
        raise Refusal(f"process {pid} ({name}) of an earlier start does not end")
    path.unlink(missing_ok=True)  # the process may have removed its own file at its end
    return found
