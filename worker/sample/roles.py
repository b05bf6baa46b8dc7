"""Readings of the CPU counters by role at the two ends of a window; `core.sample.cpu` does the arithmetic.

client, server: their control groups. proxy: the process clocks of docker-proxy, and the control group
of the program in front. kernel: the process clocks of all kernel threads (softirq daemons, workers),
and interrupt time where the kernel keeps it apart from the tasks that it interrupts. other: the root
group minus all of these. How well they add up: docs/decisions/0010-cpu-that-closes.md.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.core.sample.cpu import CpuGrowth, cpu_by_role
from backend.core.sample.record import CpuByRole, Role
from worker.sample.cgroup import CpuMeter, Hierarchy
from worker.sample.counters import HostCpu, read_host_cpu
from worker.sample.process_clock import cpu_ns, cpu_ns_of_all, kernel_threads


@dataclass(frozen=True)
class CpuReading:
    """All counters at one instant; nanoseconds unless said."""

    client: int
    server: int
    root: int
    proxy: dict[int, int]
    kernel: dict[int, int]
    host: HostCpu
    reverse_proxy: int | None = None
    interrupts: float | None = None
    """Seconds in interrupts, only where they are in no task's time already."""


class RoleMeters:
    """The meters of one deployment, open for as long as it stands.

    `proxies` are processes outside any group of ours (docker-proxy, or the program in its place);
    `front` is the group of the program in front of the server. Both are the role proxy.
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        client: CpuMeter,
        server: CpuMeter,
        proxies: Sequence[int],
        reverse_proxy: CpuMeter | None = None,
    ) -> None:
        self._client = client
        self._server = server
        self._reverse_proxy = reverse_proxy
        self._root = CpuMeter(hierarchy, "/")
        self._kernel: list[int] = []
        self._interrupts_apart = bool(irq_time_is_separate())
        self.proxies = tuple(proxies)

    def read(self) -> CpuReading:
        """Read everything now, and note which kernel threads there are.

        The slow list of kernel threads comes first, so that the counters that have to close are read
        within a tenth of a millisecond of each other and of the caller's clock.
        """
        self._kernel = kernel_threads()
        kernel, proxy = cpu_ns_of_all(self._kernel), cpu_ns_of_all(self.proxies)
        client, server = self._client.read_ns(), self._server.read_ns()
        reverse_proxy = None if self._reverse_proxy is None else self._reverse_proxy.read_ns()
        root, host = self._root.read_ns(), read_host_cpu()
        interrupts = host.softirq if self._interrupts_apart else None
        return CpuReading(client, server, root, proxy, kernel, host, reverse_proxy, interrupts)

    def quick(self) -> dict[str, int]:
        """CPU of each role so far in nanoseconds, for the sampler; kernel threads as `read` found them."""
        client, server, total = self._client.read_ns(), self._server.read_ns(), self._root.read_ns()
        proxy = sum(cpu_ns(pid) or 0 for pid in self.proxies)
        if self._reverse_proxy is not None:
            proxy += self._reverse_proxy.read_ns()
        kernel = sum(cpu_ns(pid) or 0 for pid in self._kernel)
        other = total - client - server - proxy - kernel
        return {"client": client, "server": server, "proxy": proxy, "kernel": kernel, "other": other}

    def close(self) -> None:
        """Close the meters that belong to this object."""
        self._root.close()


def cpu_delta(start: CpuReading, end: CpuReading) -> CpuGrowth:
    """How far each counter went forward between two readings."""
    interrupts = None if end.interrupts is None else end.interrupts - (start.interrupts or 0.0)
    return CpuGrowth(
        client=(end.client - start.client) / 1e9,
        server=(end.server - start.server) / 1e9,
        proxy=_grown(start.proxy, end.proxy) + ((end.reverse_proxy or 0) - (start.reverse_proxy or 0)) / 1e9,
        threads=_grown(start.kernel, end.kernel),
        tasks=(end.root - start.root) / 1e9,
        idle=end.host.idle - start.host.idle,
        steal=end.host.steal - start.host.steal,
        interrupts=interrupts,
    )


def by_role(start: CpuReading, end: CpuReading, seconds: float, cgroup_version: int) -> CpuByRole:
    """CPU in core-seconds by role between two readings that lie `seconds` apart."""
    capacity = (os.cpu_count() or 1) * seconds
    return cpu_by_role(
        cpu_delta(start, end), capacity, _sources(cgroup_version, reverse_proxy=end.reverse_proxy is not None)
    )


def _sources(cgroup_version: int, *, reverse_proxy: bool) -> dict[Role, str]:
    group = "cpuacct.usage" if cgroup_version == 1 else "cpu.stat usage_usec"
    proxy = "process CPU clocks of docker-proxy"
    return {
        "client": f"control group of the client, {group}",
        "server": f"control group of the server, {group}",
        "proxy": f"{proxy}, and control group of the program in front, {group}" if reverse_proxy else proxy,
        "other": f"root control group, {group}, less the roles above",
    }


def _grown(start: dict[int, int], end: dict[int, int]) -> float:
    """Core-seconds that processes present at the end spent since the start; new ones count whole.

    A clock that is behind its own start belongs to a new process with an old number.
    """
    both = ((start.get(pid, 0), used) for pid, used in end.items())
    return sum(used - before if used >= before else used for before, used in both) / 1e9


def irq_time_is_separate() -> bool | None:
    """Whether this kernel keeps interrupt time apart from the tasks it interrupts; None if unknown."""
    release = os.uname().release
    for place in (Path("/proc/config.gz"), Path(f"/boot/config-{release}")):
        if place.exists():
            raw = place.read_bytes()
            text = gzip.decompress(raw) if place.suffix == ".gz" else raw
            return b"CONFIG_IRQ_TIME_ACCOUNTING=y" in text
    return None
