"""Measure: one trial on a rig, from warm-up to record."""

from __future__ import annotations

import datetime
import time
from collections.abc import Mapping
from dataclasses import dataclass

from backend.core.definition.factors import Level
from backend.core.errors import TrialFailed, Unparseable
from backend.core.sample import histogram
from backend.core.sample.bounds import Figures, violations
from backend.core.sample.evidence import judge
from backend.core.sample.metrics import metrics
from backend.core.sample.noise import NoiseReadings
from backend.core.sample.observation import Observation
from backend.core.sample.parsers import OUTPUT_LIMITS, PARSERS
from backend.core.sample.record import Command, CpuByRole, TrialQuality, TrialRecord, Window
from backend.core.sample.result import ToolResult
from backend.core.sample.warnings import warnings
from backend.core.statistics.steadiness import steadiness
from backend.core.topology.model import PathDefinition, Relay
from backend.core.workload.connecting import connects_anew
from backend.core.workload.tools import TOOLS
from worker.engine.protocol import Execution
from worker.sample.noise import NoiseMeter
from worker.sample.outside import HostPoint, of_window
from worker.sample.path_probe import ConnectionSample, ProbeReading
from worker.sample.process_delta import ProcessReading
from worker.sample.realtime_priority import realtime_priority
from worker.sample.roles import Reading, by_role, growth
from worker.sample.sampler import Sampler
from worker.topology.trial_setup import TrialSetup
from worker.workload.collect import PREFIX, collect, discard
from worker.workload.command import Pump, Purpose, bounded
from worker.workload.hooks import Hooks

LIVE_EVERY_S = 1.0
PROBE_FROM = 0.2
"""Share of the window after which connections are looked at, until all of them were seen."""


@dataclass(frozen=True)
class Order:
    """What one trial is to do: its identity, its label, and the cell's levels.

    `label` is the path that the cell claims. The rig may send the client along another one, where a
    test mislabels on purpose.
    """

    trial_id: str
    fence: int
    label: PathDefinition
    levels: Mapping[str, Level]


@dataclass(frozen=True)
class Point:
    """Everything read at one end of the window."""

    reading: Reading
    probe: ProbeReading
    processes: ProcessReading
    relays: Mapping[Relay, int]
    host: HostPoint


@dataclass(frozen=True)
class Ends:
    """Readings at the two ends of the window."""

    start: Point
    end: Point
    seconds: float
    window: Window
    noise: NoiseReadings


class Measurement:
    """One trial: warm-up, window, and what was read around it. `record` and `seen` stay when it has run."""

    def __init__(self, setup: TrialSetup, order: Order, hooks: Hooks, tools: Mapping[str, str]) -> None:
        self._setup = setup
        self._order = order
        self._hooks = hooks
        self._tools = tools
        self._tool = TOOLS[str(order.levels["tool"])]
        self._parser = PARSERS[self._tool.name]
        self._connections = self._tool.connections(order.levels)
        self._log = self._tool.log(order.levels, PREFIX + order.trial_id)
        self._connected = ConnectionSample()
        self._outside = setup.outside()
        self._live_at = 0.0
        self._observers_ns = 0
        self._client_pid: int | None = None
        self.seen: Observation | None = None
        self.record: TrialRecord | None = None

    def run(self) -> TrialRecord:
        """Warm up, measure, collect. Raises TrialFailed, or Stopped by the hooks."""
        began = time.monotonic()
        levels = self._order.levels
        duration, warm_up_s = int(levels["duration_s"]), int(levels["warm_up_s"])
        try:
            commands, ends, sampler = self._measure(duration, warm_up_s)
            if self._log is not None:
                commands.append(self._checked(collect(self._setup.client, self._log, self._hooks)))
        except BaseException:
            if self._log is not None:
                discard(self._setup.client, self._log)
            raise
        record = self._collect(ends, sampler, commands)
        overhead = time.monotonic() - began - duration - warm_up_s
        self.record = record.model_copy(update={"overhead_seconds": round(overhead, 4)})
        return self.record

    def _measure(self, duration: int, warm_up_s: int) -> tuple[list[Command], Ends, Sampler]:
        noise = self._setup.noise(lambda: self._client_pid)
        noise.look()
        self._hooks.window(warm_up_s, duration)
        warm_up = self._start(warm_up_s) if warm_up_s else None
        if warm_up is not None:
            warm_up[0].release()
        # Made ready behind its gate while the warm-up runs; only this one writes a log.
        execution, argv = self._start(duration, () if self._log is None else self._log.options)
        self._client_pid = execution.pid
        try:
            commands = [] if warm_up is None else [self._finish_warm_up(*warm_up, warm_up_s)]
            pump = self._pump(execution, argv, duration)
            ends, sampler = self._window(execution, pump, noise, duration)
        except BaseException:
            execution.kill()
            raise
        finally:
            noise.close()
        commands.append(self._checked(pump.record("measure", execution.exit_code())))
        return commands, ends, sampler

    def _start(self, seconds: int, options: tuple[str, ...] = ()) -> tuple[Execution, tuple[str, ...]]:
        setup = self._setup
        program, *rest = self._tool.run(self._order.levels, setup.target, seconds)
        argv = (program, *options, *rest)
        execution = setup.client.engine.execute(setup.client.container, bounded(argv, seconds))
        setup.client_group.adopt(execution.pid)
        return execution, argv

    def _pump(self, execution: Execution, argv: tuple[str, ...], seconds: int) -> Pump:
        name = self._setup.client.container.name
        return Pump(execution, argv, name, seconds, OUTPUT_LIMITS[self._tool.name])

    def _finish_warm_up(self, execution: Execution, argv: tuple[str, ...], seconds: int) -> Command:
        pump = self._pump(execution, argv, seconds)
        return self._checked(pump.record("warm_up", pump.run(self._hooks)))

    def _window(
        self, execution: Execution, pump: Pump, noise: NoiseMeter, duration: int
    ) -> tuple[Ends, Sampler]:
        setup = self._setup
        probe = setup.probe.read()
        noise.before()
        processes = setup.processes.read()
        started_at, relays = _now(), setup.relay_cpu()
        host = self._outside.point()
        start, t0 = setup.meters.read(), time.monotonic()
        own = time.process_time_ns()
        with realtime_priority(), Sampler(setup.meters.quick, setup.processes.tick) as sampler:
            execution.release()
            pump.run(
                self._hooks,
                lambda: self._each_slice(execution, pump, sampler, time.monotonic() - t0, duration),
            )
        self._observers_ns = time.process_time_ns() - own
        reading, seconds = setup.meters.read(), time.monotonic() - t0
        end = self._outside.point()
        last = Point(reading, setup.probe.read(), setup.processes.read(), setup.relay_cpu(), end)
        readings = noise.after(setup.processes.busiest(processes, last.processes, seconds=duration))
        window = Window(started_at=started_at, ended_at=_now(), seconds=round(seconds, 6))
        return Ends(Point(start, probe, processes, relays, host), last, seconds, window, readings), sampler

    def _each_slice(
        self, execution: Execution, pump: Pump, sampler: Sampler, t: float, duration: int
    ) -> None:
        if not self._connected.enough(self._connections) and t >= min(PROBE_FROM * duration, 2.0):
            sample = self._setup.probe.sample(execution.pid)
            if sample.namespace is not None:  # else the client has just ended
                self._connected = self._connected.joined(sample)
        if t - self._live_at >= LIVE_EVERY_S:
            self._live_at = t
            points = self._parser.progress(pump.text("stdout"), pump.text("stderr"))
            if points:
                last = sampler.points[-1].cores if sampler.points else None
                self._hooks.live(points[-1].t, points[-1].rate, last)

    def _checked(self, command: Command) -> Command:
        if command.exit_code == 0:
            return command
        lines = (command.stderr or command.stdout).strip().splitlines()
        what = lines[-1][:300] if lines else "it printed nothing"
        code = "timeout" if command.exit_code in (124, 137) else "tool_failed"
        raise TrialFailed(
            code, f"{command.argv[0]} ({command.purpose}) ended with code {command.exit_code}: {what}"
        )

    def _collect(self, ends: Ends, sampler: Sampler, commands: list[Command]) -> TrialRecord:
        result = self._parsed(commands)
        setup, order = self._setup, self._order
        cpu = by_role(ends.start.reading, ends.end.reading, ends.seconds, setup.hierarchy.version)
        switches = setup.processes.switches(ends.start.processes, ends.end.processes)
        start, end = ends.start.probe.tcp, ends.end.probe.tcp
        counters = {name: value - start.get(name, 0) for name, value in end.items()}
        counters |= {f"context_switches_{role}": count for role, count in switches.items()}
        counters["context_switches"] = (
            ends.end.reading.host.context_switches - ends.start.reading.host.context_switches
        )
        counters["sampler_cpu_ns"] = sampler.cpu_ns
        counters["observers_cpu_ns"] = self._observers_ns
        self.seen = self._observation(ends, result)
        found = metrics(result, cpu, ends.seconds, counters, switches)
        return TrialRecord(
            trial_id=order.trial_id,
            fence=order.fence,
            window=ends.window,
            metrics=found,
            latency_measured=result.latency_measured,
            transactions=result.operations,
            failed_transactions=result.failed,
            cpu=cpu,
            processes=setup.processes.process_cpu(ends.start.processes, ends.end.processes),
            histogram=result.histogram,
            per_second=result.per_second,
            cpu_series=tuple(sampler.points),
            counters=counters,
            evidence=judge(order.label, bool(order.levels["userland_proxy"]), self.seen),
            commands=tuple(commands),
            versions=self._versions(result),
            facts=dict(result.facts) | dict(ends.noise.links or {}),
            overhead_seconds=0.0,
            server=setup.deployment.start_id,
            warnings=warnings(ends.noise, result, cpu, order.levels, _unsteady(result)),
            quality=self._quality(ends, result, cpu, found),
        )

    def _quality(
        self, ends: Ends, result: ToolResult, cpu: CpuByRole, found: Mapping[str, float]
    ) -> TrialQuality:
        """The broken bounds, and what was outside; whether that is too much is for `takes` to say."""
        asked = float(self._order.levels["duration_s"])
        around = (ends.start.host, ends.end.host)
        return TrialQuality(
            invalid=self._invalid(ends, result, cpu, found),
            readings=of_window(cpu, *around, ends.seconds, asked, self._connections),
        )

    def _invalid(
        self, ends: Ends, result: ToolResult, cpu: CpuByRole, found: Mapping[str, float]
    ) -> tuple[str, ...]:
        """The physical bounds that this trial breaks; the tool's figures are judged as it printed them."""
        figures = Figures(
            metrics=result.metrics | dict(found),
            roles=cpu.roles,
            idle=cpu.idle,
            steal=cpu.steal,
            unattributed=cpu.unattributed,
            window_s=ends.seconds,
            duration_s=float(self._order.levels["duration_s"]),
        )
        return (*growth(ends.start.reading, ends.end.reading).backwards(), *violations(figures))

    def _parsed(self, commands: list[Command]) -> ToolResult:
        said: dict[Purpose, Command] = {command.purpose: command for command in commands}
        try:
            result = self._parser.parse(said["measure"].stdout, said["measure"].stderr)
            if "collect" in said:
                latencies = histogram.parse(said["collect"].stdout)
                result = histogram.open_loop(result, latencies, int(self._order.levels["rate"]))
        except Unparseable as error:
            raise TrialFailed("unparseable", str(error)) from error
        return result

    def _versions(self, result: ToolResult) -> dict[str, str]:
        said = {self._tool.name: result.version} if result.version else {}
        return self._setup.versions(self._tools) | said

    def _observation(self, ends: Ends, result: ToolResult) -> Observation:
        relays = {relay: used - ends.start.relays.get(relay, 0) for relay, used in ends.end.relays.items()}
        return self._setup.probe.observation(
            ends.start.probe,
            ends.end.probe,
            self._connected,
            addresses=self._setup.addresses(),
            relay_cpu=relays,
            connections=self._connections,
            operations=result.operations,
            seconds=ends.seconds,
            short_lived=connects_anew(self._order.levels),
        )


def _unsteady(result: ToolResult) -> tuple[float, float] | None:
    """The rates of the two halves of the window where they differ too much."""
    halves = steadiness([second.rate for second in result.per_second])
    return None if halves is None or halves.steady else (halves.first, halves.second)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
