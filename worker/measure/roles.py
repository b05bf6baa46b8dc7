"""CPU by role over a window, from readings at its two ends, so that the sum closes.

client, server: their control groups. proxy: the process clocks of docker-proxy. kernel: the process
clocks of all kernel threads (softirq daemons, workers), plus softirq time where the kernel keeps it
apart from tasks. other: the root group minus all of these. What /proc/stat calls busy beyond the
root group is the unattributed remainder.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.core.sample.record import CpuByRole, Role
from worker.measure.cgroup import CpuMeter, Hierarchy
from worker.measure.counters import HostCpu, read_host_cpu
from worker.measure.process_clock import cpu_ns, cpu_ns_of_all, kernel_threads


@dataclass(frozen=True)
class Reading:
    """All counters at one instant; nanoseconds unless said."""

    client: int
    server: int
    root: int
    proxy: dict[int, int]
    kernel: dict[int, int]
    host: HostCpu


class RoleMeters:
    """The meters of one deployment, open for as long as it stands."""

    def __init__(
        self, hierarchy: Hierarchy, client: CpuMeter, server: CpuMeter, proxies: Sequence[int]
    ) -> None:
        self._client = client
        self._server = server
        self._root = CpuMeter(hierarchy, "/")
        self._kernel: list[int] = []
        self.proxies = tuple(proxies)

    def read(self) -> Reading:
        """Read everything now, and note which kernel threads there are."""
        self._kernel = kernel_threads()
        return Reading(
            client=self._client.read_ns(),
            server=self._server.read_ns(),
            root=self._root.read_ns(),
            proxy=cpu_ns_of_all(self.proxies),
            kernel=cpu_ns_of_all(self._kernel),
            host=read_host_cpu(),
        )

    def quick(self) -> dict[str, int]:
        """CPU of each role so far in nanoseconds, for the sampler; kernel threads as `read` found them."""
        client, server, total = self._client.read_ns(), self._server.read_ns(), self._root.read_ns()
        proxy = sum(cpu_ns(pid) or 0 for pid in self.proxies)
        kernel = sum(cpu_ns(pid) or 0 for pid in self._kernel)
        other = total - client - server - proxy - kernel
        return {"client": client, "server": server, "proxy": proxy, "kernel": kernel, "other": other}

    def close(self) -> None:
        """Close the meters that belong to this object."""
        self._root.close()


def by_role(start: Reading, end: Reading, seconds: float, cgroup_version: int) -> CpuByRole:
    """CPU in core-seconds by role between two readings that lie `seconds` apart."""
    client = (end.client - start.client) / 1e9
    server = (end.server - start.server) / 1e9
    proxy = _grown(start.proxy, end.proxy)
    kernel = _grown(start.kernel, end.kernel)
    tasks = (end.root - start.root) / 1e9
    busy = end.host.busy - start.host.busy
    group = "cpuacct.usage" if cgroup_version == 1 else "cpu.stat usage_usec"
    roles: dict[Role, float] = {
        "client": client,
        "server": server,
        "proxy": proxy,
        "kernel": kernel,
        "other": max(0.0, tasks - client - server - proxy - kernel),
    }
    sources: dict[Role, str] = {
        "client": f"control group of the client, {group}",
        "server": f"control group of the server's container, {group}",
        "proxy": "process CPU clocks of docker-proxy",
        "kernel": "process CPU clocks of all kernel threads",
        "other": f"root control group, {group}, less the roles above",
    }
    return CpuByRole(
        roles={role: round(value, 9) for role, value in roles.items()},
        tasks_total=round(tasks, 9),
        host_busy=round(busy, 3),
        unattributed=round(busy - sum(roles.values()), 9),
        idle=round(end.host.idle - start.host.idle, 3),
        steal=round(end.host.steal - start.host.steal, 3),
        capacity=round((os.cpu_count() or 1) * seconds, 6),
        sources=sources,
    )


def _grown(start: dict[int, int], end: dict[int, int]) -> float:
    """Core-seconds that processes present at the end spent since the start; new ones count whole."""
    return sum(used - start.get(pid, 0) for pid, used in end.items()) / 1e9


def irq_time_is_separate() -> bool | None:
    """Whether this kernel keeps interrupt time apart from the tasks it interrupts; None if unknown."""
    release = os.uname().release
    for place in (Path("/proc/config.gz"), Path(f"/boot/config-{release}")):
        if place.exists():
            raw = place.read_bytes()
            text = gzip.decompress(raw) if place.suffix == ".gz" else raw
            return b"CONFIG_IRQ_TIME_ACCOUNTING=y" in text
    return None
