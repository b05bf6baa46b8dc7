"""The client of a trial on two hosts: warm-up, one window, and what this host saw of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.core.definition.factors import Level
from backend.core.sample.client_result import ClientResult
from backend.core.sample.record import Command, CpuPoint, LinkEnd
from backend.core.topology.model import Namespace, Process
from backend.core.workload.target import Target
from backend.core.workload.tools import TOOLS
from worker.engine.protocol import Execution
from worker.sample.cgroup import AbsentMeter, pids_in
from worker.sample.counters import namespace_of, read_devices, read_tcp_counters
from worker.sample.outside import HostPoint, OutsideMeter, of_window
from worker.sample.path_probe import Devices, Ends, destinations_of
from worker.sample.process_delta import ProcessReading
from worker.sample.processes import ProcessMeter
from worker.sample.realtime_priority import realtime_priority
from worker.sample.roles import CpuReading, RoleMeters, by_role, cpu_delta
from worker.sample.sampler import Sampler
from worker.sample.vxlan import VxlanReading
from worker.topology.two_hosts import ClientPlace
from worker.trial.progress import Progress
from worker.trial.tool_commands import ToolCommands
from worker.workload.command import CommandReader
from worker.workload.hooks import Hooks

log = logging.getLogger(__name__)

CONNECTIONS_FROM = 0.2
"""Share of the window after which the client's sockets are read, until all were seen."""


@dataclass(frozen=True)
class _Edge:
    devices: Devices
    tcp: Mapping[str, int]
    processes: ProcessReading
    host: HostPoint
    vxlan: VxlanReading | None


@dataclass(frozen=True)
class _Window:
    start: _Edge
    end: _Edge
    cpu: CpuReading
    cpu_end: CpuReading
    seconds: float
    series: Sequence[CpuPoint]
    observers_cpu_ns: int


class ClientMeasurement:
    """One trial's client: `warm_up`, `measure` and `result` in this order, then always `close`."""

    def __init__(
        self,
        place: ClientPlace,
        levels: Mapping[str, Level],
        target: Target,
        link: LinkEnd,
        hooks: Hooks,
        trial_id: str,
    ) -> None:
        self._place = place
        self._levels = levels
        self._link = link
        self._hooks = hooks
        self._duration = int(levels["duration_s"])
        self._wanted = TOOLS[str(levels["tool"])].connections(levels)
        self._commands = ToolCommands(
            place.handle.engine, place.container, place.group, levels, target, trial_id, hooks
        )
        self._meters = RoleMeters(place.hierarchy, place.group.meter, AbsentMeter(), ())
        self._processes = ProcessMeter({"client": lambda: pids_in(place.hierarchy, place.group.group)})
        self._outside = OutsideMeter(self._meters, place.handle.pid, place.hierarchy.version)
        self._destinations: Ends = frozenset()
        self._namespace: Namespace | None = None
        self._process: Process | None = None
        self._warm: Command | None = None
        self._armed: tuple[Execution, CommandReader] | None = None
        self._window: _Window | None = None
        self._collected = False
        self._progress = Progress(str(levels["tool"]), hooks)

    @property
    def outside(self) -> OutsideMeter:
        """The readings of this host outside the client."""
        return self._outside

    def warm_up(self) -> None:
        """Run the warm-up; then the measured command waits at its gate. Raises TrialFailed or Stopped."""
        seconds = int(self._levels["warm_up_s"])
        warm_up = self._commands.start(seconds) if seconds else None
        if warm_up is not None:
            warm_up[0].release()
        self._armed = self._commands.start(self._duration, logged=True)
        if warm_up is not None:
            self._warm = self._commands.finished("warm_up", *warm_up)

    def measure(self) -> None:
        """Open the gate and read to the end. Raises TrialFailed or Stopped."""
        if self._armed is None:
            raise RuntimeError("warm_up() comes first")
        execution, reader = self._armed
        start, own = self._edge(), time.process_time_ns()
        cpu, t0 = self._meters.read(), time.monotonic()
        with realtime_priority(), Sampler(self._meters.quick, self._processes.tick) as sampler:
            execution.release()
            reader.run(self._hooks, lambda: self._each_slice(execution, reader, time.monotonic() - t0))
        cpu_end, seconds = self._meters.read(), time.monotonic() - t0
        self._window = _Window(
            start, self._edge(), cpu, cpu_end, seconds, sampler.points, time.process_time_ns() - own
        )

    def result(self) -> ClientResult:
        """What this host saw, with the commands' output. Raises TrialFailed where a command failed."""
        if self._armed is None or self._window is None:
            raise RuntimeError("measure() comes first")
        execution, reader = self._armed
        measured = self._commands.checked(reader.record("measure", execution.exit_code()))
        collected = self._commands.collect()
        self._collected = True
        commands = (self._warm, measured, collected)
        return self._result(self._window, tuple(command for command in commands if command is not None))

    def close(self) -> None:
        """End what still runs, and close the meters."""
        if self._armed is not None and not self._collected:
            self._armed[0].kill()
            self._commands.remove_log()
        self._meters.close()
        self._processes.close()

    def _edge(self) -> _Edge:
        """Counters at one end of the window, read outside of it."""
        pid = self._place.handle.pid
        return _Edge(
            devices=read_devices(pid),
            tcp=read_tcp_counters(self._place.container.pid),
            processes=self._processes.read(),
            host=self._outside.point(),
            vxlan=self._place.vxlan(),
        )

    def _each_slice(self, execution: Execution, reader: CommandReader, t: float) -> None:
        self._progress.show(t, reader, None)
        if len(self._destinations) >= self._wanted or t < min(CONNECTIONS_FROM * self._duration, 2.0):
            return
        namespace = namespace_of(execution.pid)
        if namespace is None:
            return  # the client has just ended
        self._namespace = (
            Namespace.REMOTE_ENGINE
            if namespace == namespace_of(self._place.handle.pid)
            else Namespace.REMOTE_OWN
        )
        bare = namespace_of(execution.pid, "pid") == namespace_of(self._place.handle.pid, "pid")
        self._process = Process.BARE if bare else Process.OTHER_CONTAINER
        self._destinations |= destinations_of(execution.pid)

    def _result(self, window: _Window, commands: tuple[Command, ...]) -> ClientResult:
        start, end, seconds = window.start, window.end, window.seconds
        cpu = by_role(window.cpu, window.cpu_end, seconds, self._place.hierarchy.version)
        processes = self._processes
        vxlan = None if start.vxlan is None or end.vxlan is None else (start.vxlan, end.vxlan)
        switched = window.cpu_end.host.context_switches - window.cpu.host.context_switches
        return ClientResult(
            seconds=round(seconds, 6),
            commands=commands,
            cpu=cpu,
            processes=processes.process_cpu(start.processes, end.processes),
            switches=processes.switches(start.processes, end.processes).get("client", 0),
            host_switches=switched,
            cpu_series=tuple(window.series),
            tcp={name: count - start.tcp.get(name, 0) for name, count in end.tcp.items()},
            namespace=self._namespace,
            process=self._process,
            destinations=tuple(sorted(self._destinations)),
            link_bytes=_carried(start.devices, end.devices, self._link.device),
            loopback_bytes=_carried(start.devices, end.devices, "lo"),
            readings=of_window(cpu, start.host, end.host, seconds, self._duration, self._wanted),
            invalid=cpu_delta(window.cpu, window.cpu_end).backwards(),
            client_thread=processes.busiest(start.processes, end.processes, seconds=self._duration),
            observers_cpu_ns=window.observers_cpu_ns,
            vxlan_bytes=None if vxlan is None else vxlan[1].bytes - vxlan[0].bytes,
            vxlan_packets=None if vxlan is None else vxlan[1].packets - vxlan[0].packets,
        )


def _carried(start: Devices, end: Devices, device: str) -> int | None:
    """Bytes received and sent on a device; None where it is not there."""
    if device not in start or device not in end:
        return None
    return sum(end[device]) - sum(start[device])
