"""CPU by role from the differences of counters over one window: pure arithmetic.

Three sources are combined: nanosecond clocks of tasks, and idle and steal of /proc/stat. Where the
hypervisor's steal overlaps idle time or task clocks, they add up to more than the host had; that surplus is
reported as `overlap` and never subtracted from the work.
Reasons: docs/decisions/0023-busy-time-and-physical-bounds.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final

from backend.core.sample.record import CpuByRole, Role

BACKWARDS: Final = 0.1
"""Core-seconds that a counter may go back without a notice: iowait of /proc/stat does (proc(5))."""


@dataclass(frozen=True)
class CpuDelta:
    """How far each counter went forward in the window, in core-seconds; negative where one ran backwards.

    `threads` are kernel threads. `tasks` is everything that ran as a task, the four before it included.
    `interrupts` is None where the kernel counts interrupts in the tasks that they interrupt.
    """

    client: float
    server: float
    proxy: float
    threads: float
    tasks: float
    idle: float
    steal: float
    interrupts: float | None = None

    def backwards(self) -> tuple[str, ...]:
        """One sentence for each counter that ran backwards by more than BACKWARDS; empty where none did."""
        return tuple(
            f"the counter of {name} ran backwards by {-value:.3f} core-seconds"
            for name, value in self._values()
            if value < -BACKWARDS
        )

    def _values(self) -> Iterator[tuple[str, float]]:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                yield field.name, value


def cpu_by_role(delta: CpuDelta, capacity: float, sources: Mapping[Role, str]) -> CpuByRole:
    """CPU of one window in core-seconds; no figure but `unattributed` is ever negative.

    `capacity` is cores × window, `sources` the counters of the roles but the kernel's. Whatever idle, steal
    and tasks leave of the capacity is the kernel's `untasked`; whatever they exceed it by is `overlap`.
    `host_busy` is the sum of the roles, so that it is never less than the clocks of tasks. A counter that ran
    backwards counts as 0; `CpuDelta.backwards` reports it.
    """
    client, server, proxy, threads = (
        max(0.0, value) for value in (delta.client, delta.server, delta.proxy, delta.threads)
    )
    tasks, idle, steal = max(0.0, delta.tasks), max(0.0, delta.idle), max(0.0, delta.steal)
    capacity = max(0.0, capacity)
    roles: dict[Role, float] = {
        "client": client,
        "server": server,
        "proxy": proxy,
        "kernel": threads + max(0.0, delta.interrupts or 0.0),
        "other": max(0.0, tasks - client - server - proxy - threads),
    }
    rest = capacity - idle - steal - sum(roles.values())
    untasked, overlap = max(0.0, rest), max(0.0, -rest)
    roles["kernel"] += untasked
    return CpuByRole(
        roles={role: round(value, 9) for role, value in roles.items()},
        tasks_total=round(tasks, 9),
        host_busy=round(sum(roles.values()), 6),
        unattributed=round(-overlap, 9) or 0.0,
        idle=round(idle, 3),
        steal=round(steal, 3),
        capacity=round(capacity, 6),
        untasked=round(untasked, 9),
        overlap=round(overlap, 9),
        sources={**sources, "kernel": _kernel_source(untasked, interrupts=delta.interrupts is not None)},
    )


def of_both_hosts(server: CpuByRole, client: CpuByRole) -> CpuByRole:
    """The sum of two hosts: the cost of a path whose ends are on them. Sources name the client's host."""
    roles: dict[Role, float] = {
        role: round(server.roles[role] + client.roles[role], 9) for role in server.roles
    }
    return CpuByRole(
        roles=roles,
        tasks_total=round(server.tasks_total + client.tasks_total, 9),
        host_busy=round(server.host_busy + client.host_busy, 6),
        unattributed=round(server.unattributed + client.unattributed, 9),
        untasked=round(server.untasked + client.untasked, 9),
        overlap=round(server.overlap + client.overlap, 9),
        idle=round(server.idle + client.idle, 3),
        steal=round(server.steal + client.steal, 3),
        capacity=round(server.capacity + client.capacity, 6),
        sources={
            role: client.sources[role]
            if role == "client"
            else source
            if role in ("server", "proxy")
            else f"{source}; on the client host: {client.sources[role]}"
            for role, source in server.sources.items()
        },
    )


def _kernel_source(untasked: float, *, interrupts: bool) -> str:
    threads = "process CPU clocks of all kernel threads"
    known = f"{threads}, irq and softirq of /proc/stat" if interrupts else threads
    return (
        f"{known}, and {untasked:.3f} core-seconds in no task (interrupts, entering and leaving idle): "
        "what idle, steal and all tasks leave of the host's cores"
    )
