"""What may disturb a trial, read right before and after its window, so that the window has no readings."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from backend.core.sample.noise import Background, Held, NoiseReadings
from worker.host.processes import cpu_ns
from worker.sample.cgroup import Hierarchy, Throttling, find_controller, parse_throttling, pids_in
from worker.sample.counters import Network, NetworkPoint, conntrack_max, difference, read_text
from worker.sample.namespaces import ephemeral_ports, inside, link_facts
from worker.sample.postgres import PostgresPoint, PostgresStats
from worker.sample.roles import CpuReading, RoleMeters, by_role

CLOCKSOURCE = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
PRESSURE = Path("/proc/pressure/cpu")
LOAD = Path("/proc/loadavg")


@dataclass(frozen=True)
class NoiseSources:
    """What is read. `client_pid` returns the client that waits at its gate; `groups` are the cgroups of
    client, server and front (the reverse proxy); `postgres` is given where the service is PostgreSQL."""

    client_pid: Callable[[], int | None]
    server_pid: int
    engine_pid: int
    groups: Mapping[str, str] = field(default_factory=dict)
    service: str = ""
    postgres: PostgresStats | None = None


@dataclass(frozen=True)
class _Point:
    throttling: Mapping[str, Throttling]
    network: NetworkPoint
    postgres: PostgresPoint | None


class NoiseMeter:
    """One trial's readings: begin() first, before() and after() around its window, close() always.

    `meters` are those of the trial setup; without them the load before the window is unknown.
    """

    def __init__(self, sources: NoiseSources, hierarchy: Hierarchy, meters: RoleMeters | None = None) -> None:
        self._sources = sources
        self._hierarchy = hierarchy
        self._meters = meters
        self._quota = find_controller("cpu")
        self._began: tuple[float, CpuReading, int] | None = None
        self._network: Network | None = None
        self._start: _Point | None = None
        self._known = NoiseReadings()

    def begin(self) -> None:
        """Start the interval of the background load, which before() ends."""
        if self._meters is not None:
            self._began = (time.monotonic(), self._meters.read(), self._own_ns())

    def before(self) -> None:
        """Read everything before the window, while the client waits at its gate."""
        sources, client = self._sources, self._sources.client_pid()
        self._known = NoiseReadings(
            cpus=os.cpu_count(),
            background=self._background(),
            load=parse_load(read_text(LOAD)),
            pressure=parse_pressure(read_text(PRESSURE)),
            allowed=self._allowed(client),
            ports=None if client is None else inside(client, ephemeral_ports),
            conntrack_max=conntrack_max(),
            links=link_facts(sources.server_pid, sources.engine_pid, client),
            clocksource=read_text(CLOCKSOURCE),
            governor=read_text(GOVERNOR),
        )
        self._network = Network(client, sources.server_pid, sources.engine_pid)
        self._start = self._point(self._network)

    def after(self, client_thread: float | None = None) -> NoiseReadings:
        """All readings of the trial; `client_thread` is the share of its busiest thread, 0 to 1."""
        start, network = self._start, self._network
        if start is None or network is None:
            raise RuntimeError("NoiseMeter.after() needs a before()")
        end = self._point(network)
        self.close()
        earlier, later = start.network.tcp or {}, end.network.tcp or {}
        tcp = {name: count - earlier.get(name, 0) for name, count in later.items()}
        readings = replace(
            self._known,
            client_thread=client_thread,
            held=_throttled(start.throttling, end.throttling),
            listen_overflows=tcp.get("listen_overflows"),
            listen_drops=tcp.get("listen_drops"),
            tcp_timeouts=tcp.get("tcp_timeouts"),
            tcp_retransmits=tcp.get("tcp_retransmits"),
            time_wait=end.network.time_wait,
            conntrack=end.network.conntrack,
            conntrack_dropped=difference(start.network.conntrack_dropped, end.network.conntrack_dropped),
        )
        return _with_postgres(readings, start.postgres, end.postgres)

    def close(self) -> None:
        """Close what is open between before() and after(); repeatable."""
        if self._network is not None:
            self._network.close()
            self._network = None
        if self._sources.postgres is not None:
            self._sources.postgres.close()

    def _point(self, network: Network) -> _Point:
        postgres = self._sources.postgres
        throttling = {role: self._throttling(group) for role, group in self._sources.groups.items()}
        return _Point(
            throttling={role: seen for role, seen in throttling.items() if seen is not None},
            network=network.read(),
            postgres=None if postgres is None else postgres.read(),
        )

    def _throttling(self, group: str) -> Throttling | None:
        if self._quota is None:
            return None
        text = read_text(self._quota.folder(group) / "cpu.stat")
        return None if text is None else parse_throttling(text)

    def _background(self) -> Background | None:
        """CPU of other processes since begin(), without roles, kernel, this worker and the daemon."""
        if self._meters is None or self._began is None:
            return None
        began, start, own = self._began
        seconds = time.monotonic() - began
        used = by_role(start, self._meters.read(), seconds, self._hierarchy.version).roles["other"]
        return Background(round(max(0.0, used - (self._own_ns() - own) / 1e9), 6), round(seconds, 3))

    def _own_ns(self) -> int:
        return time.process_time_ns() + (cpu_ns(self._sources.engine_pid) or 0)

    def _allowed(self, client: int | None) -> dict[str, frozenset[int]]:
        """The CPUs that each role may run on."""
        front = self._sources.groups.get("front")
        pids = {"client": client, "server": self._sources.server_pid}
        if front is not None:
            pids["front"] = next(iter(pids_in(self._hierarchy, front)), None)
        found = {role: allowed_of(pid) for role, pid in pids.items() if pid is not None}
        return {role: cpus for role, cpus in found.items() if cpus}


def allowed_of(pid: int) -> frozenset[int]:
    """The CPUs that a process may run on; none when it has ended."""
    status = read_text(Path(f"/proc/{pid}/status")) or ""
    return parse_cpus(status.partition("Cpus_allowed_list:")[2].split("\n", 1)[0])


def parse_cpus(text: str) -> frozenset[int]:
    """A list of CPUs as the kernel writes it: "0-1,3"."""
    found: set[int] = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        if first:
            found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def parse_load(text: str | None) -> float | None:
    """/proc/loadavg: the average of the last minute."""
    return None if not text else float(text.split()[0])


def parse_pressure(text: str | None) -> float | None:
    """/proc/pressure/cpu: the share of the last ten seconds in which something waited, 0 to 1."""
    if not text or not text.startswith("some avg10="):
        return None
    return float(text.removeprefix("some avg10=").split(" ", 1)[0]) / 100


def _throttled(start: Mapping[str, Throttling], end: Mapping[str, Throttling]) -> dict[str, Held]:
    return {
        role: Held(
            now.periods - start[role].periods,
            now.throttled - start[role].throttled,
            round((now.throttled_ns - start[role].throttled_ns) / 1e9, 6),
        )
        for role, now in end.items()
        if role in start
    }


def _with_postgres(
    readings: NoiseReadings, start: PostgresPoint | None, end: PostgresPoint | None
) -> NoiseReadings:
    if start is None or end is None:
        return readings
    return replace(
        readings,
        blocks_read=end.blocks_read - start.blocks_read,
        checkpoints=end.checkpoints - start.checkpoints,
        # One that runs at either end overlaps the window, though it is counted only when it ends.
        autovacuums=max(end.autovacuums - start.autovacuums, start.vacuuming, end.vacuuming),
    )
