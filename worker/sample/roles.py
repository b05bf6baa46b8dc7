"""Readings of the CPU counters by role at the two ends of a window; `core.sample.cpu` computes the rest.

client, server: their cgroups. proxy: the process clocks of docker-proxy, and the cgroup of the reverse
proxy. kernel: the process clocks of all kernel threads (softirq daemons, workers), and interrupt time where
the kernel accounts it separately from the interrupted tasks. other: the root group minus all of these. The
remaining difference to the host's CPU time: docs/decisions/0010-cpu-accounting.md.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.core.sample.cpu import CpuDelta, cpu_by_role
from backend.core.sample.record import CpuByRole, Role
from worker.host.processes import cpu_ns, cpu_ns_of_all, kernel_threads
from worker.sample.cgroup import AbsentMeter, CpuMeter, Hierarchy
from worker.sample.counters import HostCpu, read_host_cpu


@dataclass(frozen=True)
class CpuReading:
    """All counters at one time, in nanoseconds."""

    client: int
    server: int
    root: int
    proxy: dict[int, int]
    kernel: dict[int, int]
    host: HostCpu
    reverse_proxy: int | None = None
    interrupts: float | None = None
    """Seconds in interrupts, only where no task's time includes them."""


class RoleMeters:
    """The CPU meters of one trial setup.

    `proxies` are processes outside our cgroups (docker-proxy, or an alternative to it); `reverse_proxy` is
    the meter of the reverse proxy's cgroup. Both have the role proxy. A role on another host has an
    AbsentMeter.
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        client: CpuMeter | AbsentMeter,
        server: CpuMeter | AbsentMeter,
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
        """Read all counters now, and list the kernel threads.

        The slow list of kernel threads comes first, so that the counters whose sum is compared with the
        host's CPU time are read within a tenth of a millisecond of each other and of the caller's clock.
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
        """Close the meters that this object has opened."""
        self._root.close()


def cpu_delta(start: CpuReading, end: CpuReading) -> CpuDelta:
    """The growth of each counter between two readings."""
    interrupts = None if end.interrupts is None else end.interrupts - (start.interrupts or 0.0)
    return CpuDelta(
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
    """CPU in core-seconds by role between two readings, `seconds` apart."""
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
        "proxy": f"{proxy}, and control group of the reverse proxy, {group}" if reverse_proxy else proxy,
        "other": f"root control group, {group}, less the roles above",
    }


def _grown(start: dict[int, int], end: dict[int, int]) -> float:
    """Core-seconds since the start of the processes that exist at the end; new ones count from their start.

    A clock that is behind its first reading belongs to a new process that reuses the pid.
    """
    both = ((start.get(pid, 0), used) for pid, used in end.items())
    return sum(used - before if used >= before else used for before, used in both) / 1e9


def irq_time_is_separate() -> bool | None:
    """Whether this kernel accounts interrupt time separately from the interrupted tasks; None: unknown."""
    release = os.uname().release
    for file in (Path("/proc/config.gz"), Path(f"/boot/config-{release}")):
        if file.exists():
            raw = file.read_bytes()
            text = gzip.decompress(raw) if file.suffix == ".gz" else raw
            return b"CONFIG_IRQ_TIME_ACCOUNTING=y" in text
    return None
