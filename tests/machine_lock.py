"""One run of the live tests at a time on a machine.

They measure, so another run would disturb them; they use fixed names of engines, and compare the host's
network before and after.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PLACE = Path("/run/lock/plimsoll-live-tests")
ROOT = Path(__file__).parents[1]


@contextmanager
def machine_lock(report: Callable[[str], None], place: Path = PLACE, folder: Path = ROOT) -> Iterator[None]:
    """Hold the machine's lock; reports for which other run it waits. The kernel frees it with the process."""
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _taken_at_once(descriptor):
            holder = os.pread(descriptor, 4096, 0).decode(errors="replace") or "another clone"
            report(f"live tests: waiting for those of {holder}, which measure on this machine ({place})")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, f"{folder} (process {os.getpid()})".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _taken_at_once(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
