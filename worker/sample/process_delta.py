"""CPU, context switches and the busiest thread of processes between two readings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from backend.core.sample.record import ProcessCpu, Role
from worker.sample.tasks import Task

ENTRIES: Final = 64
"""The maximum in a record; the smallest of each role are summed."""
BY_THREAD: Final = frozenset(("ab", "haproxy", "iperf3", "pgbench", "wrk"))
"""Programs whose threads each do a fixed share of the work. Go's runtime moves work between threads, so
that single threads of docker-proxy and pong have no meaning."""


@dataclass(frozen=True)
class ProcessReading:
    """Threads alive at one time (`at`, monotonic seconds), and those that ended since the last reading."""

    at: float
    alive: Mapping[int, Task]
    ended: Sequence[Task] = ()


def _deltas(before: ProcessReading, after: ProcessReading) -> list[Task]:
    """What each thread used between two readings; a new thread counts from its start."""
    found = []
    for task in (*after.alive.values(), *after.ended):
        start = before.alive.get(task.thread)
        if start is not None and start.process == task.process and start.cpu_ns <= task.cpu_ns:
            switches = max(0, task.switches - start.switches)
            found.append(replace(task, cpu_ns=task.cpu_ns - start.cpu_ns, switches=switches))
        else:
            found.append(task)
    return found


def process_cpu(before: ProcessReading, after: ProcessReading) -> tuple[ProcessCpu, ...]:
    """CPU of each process, or of each thread of the programs in BY_THREAD, largest first; at most ENTRIES.

    Idle processes are left out, except proxies: an idle nginx worker is a finding.
    """
    by_process: dict[int, list[Task]] = defaultdict(list)
    for task in _deltas(before, after):
        by_process[task.process].append(task)
    entries: list[ProcessCpu] = []
    for process, tasks in by_process.items():
        working = [task for task in tasks if task.cpu_ns]
        if tasks[0].name in BY_THREAD and len(working) > 1:
            entries.extend(_entry([task], process, task.thread) for task in working)
        elif working or tasks[0].role == "proxy":
            entries.append(_entry(tasks, process, None))
    return _bounded(sorted(entries, key=lambda entry: -entry.seconds))


def _entry(tasks: Sequence[Task], process: int, thread: int | None) -> ProcessCpu:
    return ProcessCpu(
        role=tasks[0].role,
        name=tasks[0].name,
        pid=process,
        thread=thread,
        seconds=round(sum(task.cpu_ns for task in tasks) / 1e9, 6),
        context_switches=sum(task.switches for task in tasks),
    )


def _bounded(entries: list[ProcessCpu]) -> tuple[ProcessCpu, ...]:
    """The largest entries, and for each role one named "others" with the sum of the rest."""
    if len(entries) <= ENTRIES:
        return tuple(entries)
    kept = ENTRIES - len({entry.role for entry in entries})
    rest: dict[Role, list[ProcessCpu]] = defaultdict(list)
    for entry in entries[kept:]:
        rest[entry.role].append(entry)
    others = [
        ProcessCpu(
            role=role,
            name="others",
            pid=0,
            thread=None,
            seconds=round(sum(entry.seconds for entry in small), 6),
            context_switches=sum(entry.context_switches or 0 for entry in small),
        )
        for role, small in rest.items()
    ]
    return (*entries[:kept], *others)


def switches(before: ProcessReading, after: ProcessReading) -> dict[Role, int]:
    """Voluntary and involuntary context switches by role between two readings."""
    found: dict[Role, int] = {}
    for task in _deltas(before, after):
        found[task.role] = found.get(task.role, 0) + task.switches
    return found


def busiest(
    before: ProcessReading, after: ProcessReading, role: Role = "client", seconds: float | None = None
) -> float | None:
    """The largest share of its time that one thread of a role was on CPU (0 to 1); None without any.

    `seconds` is how long the tool worked; without it, the time between the readings. Threads that lived
    for less than half of it do not count.
    """
    span = after.at - before.at if seconds is None else seconds
    shares = []
    for task in _deltas(before, after):
        lived = span if task.lived_s is None else min(span, task.lived_s)
        if task.role == role and lived >= span / 2 > 0:
            shares.append(min(1.0, task.cpu_ns / 1e9 / lived))
    return max(shares, default=None)
