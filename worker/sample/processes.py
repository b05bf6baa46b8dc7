"""CPU and context switches of each process and thread over a window, with those that ended in it.

Where the kernel reports each ending thread (taskstats), only threads that end while its buffer is full are
missed. Elsewhere an ended thread counts as it was last read, at most half a second before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from backend.core.sample.record import Role
from worker.sample.process_delta import ProcessReading, busiest, process_cpu, switches
from worker.sample.tasks import Task, tasks_of, title
from worker.sample.taskstats import TaskstatsListener, TaskstatsUnavailable, ThreadExit

UNCLAIMED: Final = 20_000
"""Ended foreign threads kept until the window closes: their parent may become known later."""
Groups = Mapping[Role, Callable[[], Iterable[int]]]
"""The processes of each role at this moment."""


class ProcessMeter:
    """Reads the threads of each role's processes. One a trial; receives ended threads until closed."""

    def __init__(self, groups: Groups, *, use_taskstats: bool = True) -> None:
        self._groups = groups
        self._listener = _listener() if use_taskstats else None
        self._owners: dict[int, Role] = {}
        self._alive: dict[int, Task] = {}
        self._ended: list[Task] = []
        self._unclaimed: list[ThreadExit] = []
        self._missed = False

    process_cpu = staticmethod(process_cpu)
    switches = staticmethod(switches)
    busiest = staticmethod(busiest)

    @property
    def complete(self) -> bool:
        """Whether every thread that ended between the last two readings was counted to its end."""
        return self._listener is not None and not self._missed

    def pids(self) -> dict[Role, tuple[int, ...]]:
        """The processes of each role now."""
        return {role: tuple(pids()) for role, pids in self._groups.items()}

    def read(self) -> ProcessReading:
        """All threads now, and those that ended since the last reading."""
        self._read_threads()
        if self._listener is not None:
            self.tick()  # after reading: what ended in between is then counted once
            self._missed, self._listener.lost = self._listener.lost, False
        self._claim()
        gone = {task.thread for task in self._ended}
        self._alive = {thread: task for thread, task in self._alive.items() if thread not in gone}
        reading = ProcessReading(time.monotonic(), self._alive, tuple(self._ended))
        self._ended, self._unclaimed = [], []
        return reading

    def tick(self) -> None:
        """Between two readings: receive ended threads from the kernel, or else read all threads again."""
        if self._listener is None:
            self._read_threads()
            return
        self._unclaimed.extend(self._listener.drain())
        del self._unclaimed[UNCLAIMED:]

    def close(self) -> None:
        """Stop receiving ended threads."""
        if self._listener is not None:
            self._listener.close()

    def _read_threads(self) -> None:
        """Read every thread; without taskstats, one that is gone counts as it was last read."""
        seen = {
            task.thread: task
            for role, pids in self._groups.items()
            for pid in pids()
            for task in tasks_of(role, pid)
        }
        if self._listener is None:
            self._ended.extend(task for thread, task in self._alive.items() if thread not in seen)
        self._owners.update({task.process: task.role for task in seen.values()})
        self._alive = seen

    def _claim(self) -> None:
        """Assign each ended thread to the role of its process or of its parent.

        In reverse order: a parent ends after its children, so that its role is known before theirs.
        """
        for end in reversed(self._unclaimed):
            role = self._owners.get(end.process) or self._owners.get(end.parent)
            if role is not None:
                self._owners[end.process] = role
                self._ended.append(_task(role, end))


def _task(role: Role, end: ThreadExit) -> Task:
    name = "postgres backend" if end.name == "postgres" else title(end.name)
    return Task(role, end.process, end.thread, name, end.cpu_ns, end.switches, end.lived_s)


def _listener() -> TaskstatsListener | None:
    try:
        return TaskstatsListener()
    except TaskstatsUnavailable:
        return None
