"""CPU and context switches of each process and thread over a window, with those that ended in it.

Where the kernel tells of each ending thread (taskstats, `exits`), nothing is missed but what ended while
its buffer was full. Elsewhere a thread that ends counts as it was last seen, at most half a second before.
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
"""Ends of foreign threads kept until the window closes, because a parent may become known later."""
Groups = Mapping[Role, Callable[[], Iterable[int]]]
"""The processes of each role at this moment."""


class ProcessMeter:
    """Reads the threads of each role's processes. One a trial: it hears of ends until it is closed."""

    def __init__(self, groups: Groups, *, hear_ends: bool = True) -> None:
        self._groups = groups
        self._listener = _listener() if hear_ends else None
        self._owners: dict[int, Role] = {}
        self._alive: dict[int, Task] = {}
        self._ended: list[Task] = []
        self._unclaimed: list[ThreadExit] = []
        self._missed = False

    process_cpu = staticmethod(process_cpu)
    switches = staticmethod(switches)
    busiest = staticmethod(busiest)

    @property
    def hears_ends(self) -> bool:
        """Whether every thread that ended between the last two readings was counted to its end."""
        return self._listener is not None and not self._missed

    def read(self) -> ProcessReading:
        """All threads now, and those that ended since the last reading."""
        self._look()
        if self._listener is not None:
            self.tick()  # after the look: what ended in between is then seen once, by its end
            self._missed, self._listener.lost = self._listener.lost, False
        self._claim()
        gone = {task.thread for task in self._ended}
        self._alive = {thread: task for thread, task in self._alive.items() if thread not in gone}
        reading = ProcessReading(time.monotonic(), self._alive, tuple(self._ended))
        self._ended, self._unclaimed = [], []
        return reading

    def tick(self) -> None:
        """The slow lane: take what the kernel told of ended threads, or else look at all of them again."""
        if self._listener is None:
            self._look()
            return
        self._unclaimed.extend(self._listener.drain())
        del self._unclaimed[UNCLAIMED:]

    def close(self) -> None:
        """Stop hearing of ended threads."""
        if self._listener is not None:
            self._listener.close()

    def _look(self) -> None:
        """Look at every thread; without word from the kernel, one that is gone has ended as last seen."""
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
        """Give each ended thread to the role of its process or of its parent's.

        Last first: a parent ends after its children, so that its own role is known before theirs.
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
