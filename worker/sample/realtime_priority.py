"""Real-time priority for the threads that read a running trial, so that the load cannot starve them.

Sampling the connections takes some milliseconds, and must happen while the client runs. Linux 6.18 left a
runnable ordinary thread waiting for 0.8 s beside a saturating client, whatever its nice value, and one such
thread that holds the interpreter's lock stops all others: a tenth of the one-second windows on a Unix socket
ended without a sample (docs/decisions/0019). A real-time thread runs before every ordinary one (sched(7)).
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

Scheduling = tuple[int, os.sched_param]
"""Policy and priority of one thread."""
FIRST: Scheduling = (os.SCHED_RR, os.sched_param(1))
_guard = threading.Lock()
_inside: list[int] = []
"""A thread for each block that has not ended."""
_before: dict[int, Scheduling] = {}
"""How each thread was scheduled before the first of these blocks."""


@contextlib.contextmanager
def realtime_priority() -> Iterator[None]:
    """Schedule all threads of this process, and those that they start, before the load until the block ends.

    Where blocks of several threads overlap, until the last one ends. Where that is not allowed (no
    CAP_SYS_NICE, or a cgroup without real-time share) it has no effect. Start no other process inside: it
    would inherit the priority.
    """
    with _guard:
        if not _inside:
            _before.update({thread: found for thread in _threads() if (found := _change(thread, FIRST))})
        _inside.append(threading.get_ident())
    try:
        yield
    finally:
        with _guard:
            _inside.remove(threading.get_ident())
            if not _inside:
                _restore()


def _restore() -> None:
    """A thread that was started meanwhile gets the scheduling of the first one."""
    usual = _before.get(os.getpid())
    if usual is not None:
        for thread in _threads():
            _change(thread, _before.get(thread, usual))
    _before.clear()


def realtime_allowed() -> bool:
    """Whether `realtime_priority` has an effect here."""
    found = _change(0, FIRST)
    if found is not None:
        _change(0, found)
    return found is not None


def _threads() -> list[int]:
    return [int(task.name) for task in Path("/proc/self/task").iterdir()]


def _change(thread: int, wanted: Scheduling) -> Scheduling | None:
    """How the thread was scheduled; None where it cannot be changed, or has ended."""
    try:
        found = os.sched_getscheduler(thread), os.sched_getparam(thread)
        os.sched_setscheduler(thread, *wanted)
    except (PermissionError, ProcessLookupError):
        return None
    return found
