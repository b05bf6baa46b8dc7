"""Readings of the host outside client, server and proxy, over an interval and over a window."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from backend.core.sample.record import CpuByRole, OutsideReadings
from worker.host.processes import cpu_ns
from worker.sample.counters import read_text
from worker.sample.roles import CpuReading, RoleMeters, by_role

PRESSURE: Final = Path("/proc/pressure/cpu")
CPUS: Final = Path("/sys/devices/system/cpu")


@dataclass(frozen=True)
class HostPoint:
    """Readings at one end of a window: this worker's CPU in ns, mean frequency in kHz, throttle events."""

    own_ns: int
    frequency: float | None
    throttles: int | None


class OutsideMeter:
    """The readings of one trial; CPU of this worker and of the daemon `engine_pid` is not counted."""

    def __init__(self, meters: RoleMeters, engine_pid: int, cgroup_version: int) -> None:
        self._meters = meters
        self._engine_pid = engine_pid
        self._version = cgroup_version
        self._since: tuple[float, CpuReading, int, int | None] | None = None

    def restart(self) -> None:
        """Begin a new interval."""
        self._since = self._read()

    def sample(self) -> OutsideReadings:
        """The readings since the last `restart`."""
        if self._since is None:
            raise RuntimeError("OutsideMeter.sample() needs a restart()")
        began, start, own, stalled = self._since
        now, end, own_end, stalled_end = self._read()
        seconds = now - began
        cpu = by_role(start, end, seconds, self._version)
        waited = None if stalled is None or stalled_end is None else (stalled_end - stalled) / 1e6
        return OutsideReadings(
            seconds=round(seconds, 3),
            **_shares(cpu, (own_end - own) / 1e9, seconds),
            pressure=None
            if waited is None or seconds <= 0
            else round(min(1.0, max(0.0, waited / seconds)), 4),
        )

    def point(self) -> HostPoint:
        """Readings at one end of a window."""
        return HostPoint(self._own_ns(), mean_frequency(), throttle_events())

    def _own_ns(self) -> int:
        return time.process_time_ns() + (cpu_ns(self._engine_pid) or 0)

    def _read(self) -> tuple[float, CpuReading, int, int | None]:
        return time.monotonic(), self._meters.read(), self._own_ns(), parse_stalled(read_text(PRESSURE))


def of_window(
    cpu: CpuByRole, start: HostPoint, end: HostPoint, seconds: float, duration_s: float, connections: int
) -> OutsideReadings:
    """The readings in a window of `seconds`; `duration_s` and `connections` come from the cell's levels."""
    change = None
    if start.frequency and end.frequency:
        change = round(end.frequency / start.frequency - 1, 4)
    throttles = None
    if start.throttles is not None and end.throttles is not None:
        throttles = max(0, end.throttles - start.throttles)
    return OutsideReadings(
        seconds=round(seconds, 6),
        **_shares(cpu, (end.own_ns - start.own_ns) / 1e9, seconds),
        asked_seconds=duration_s,
        connections=connections,
        frequency_change=change,
        throttles=throttles,
    )


def _shares(cpu: CpuByRole, own_s: float, seconds: float) -> dict[str, float | None]:
    if seconds <= 0 or cpu.capacity <= 0:
        return {"other_cores": None, "steal": None}
    other = max(0.0, cpu.roles.get("other", 0.0) - max(0.0, own_s)) / seconds
    return {"other_cores": round(other, 4), "steal": round(cpu.steal / cpu.capacity, 4)}


def parse_stalled(text: str | None) -> int | None:
    """/proc/pressure/cpu: microseconds so far in which a task waited for a CPU."""
    first = (text or "").split("\n", 1)[0]
    return int(first.partition("total=")[2]) if first.startswith("some ") and "total=" in first else None


def mean_frequency() -> float | None:
    """The mean current frequency of all CPUs in kHz; None where unknown, as in most virtual machines."""
    texts = [read_text(file) for file in CPUS.glob("cpu[0-9]*/cpufreq/scaling_cur_freq")]
    found = [float(text) for text in texts if text]
    return sum(found) / len(found) if found else None


def throttle_events() -> int | None:
    """Thermal throttling events of all CPUs so far; None where the host does not count them."""
    texts = [read_text(file) for file in CPUS.glob("cpu[0-9]*/thermal_throttle/*_throttle_count")]
    found = [int(text) for text in texts if text]
    return sum(found) if found else None
