"""Measure one trial on a trial setup: warm-up, measured window, record."""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Mapping

from backend.core.sample.observation import Observation
from backend.core.sample.parsers import OUTPUT_LIMITS
from backend.core.sample.record import Command, TrialRecord, Window
from backend.core.workload.latency_log import LatencyLog
from backend.core.workload.tools import TOOLS
from worker.engine.protocol import Execution
from worker.host.time_limits import limit
from worker.sample.noise import NoiseMeter
from worker.sample.path_probe import ConnectionSample
from worker.sample.realtime_priority import realtime_priority
from worker.sample.sampler import Sampler
from worker.topology.trial_setup import TrialSetup
from worker.trial.progress import Progress
from worker.trial.tool_commands import LOG_LIMIT_S, LOG_PREFIX, checked
from worker.trial.trial_record import TrialSpec, WindowEdge, WindowReadings, build_record
from worker.workload.command import CommandReader, bounded, run_command
from worker.workload.hooks import Hooks

logger = logging.getLogger(__name__)

CONNECTIONS_FROM = 0.2
"""Share of the window after which connections are sampled, until all of them were seen."""


class Measurement:
    """One trial. `record` and `observation` are set when it has run."""

    def __init__(self, setup: TrialSetup, spec: TrialSpec, hooks: Hooks, tools: Mapping[str, str]) -> None:
        self._setup = setup
        self._spec = spec
        self._hooks = hooks
        self._tools = tools
        self._tool = TOOLS[str(spec.levels["tool"])]
        self._connections = self._tool.connections(spec.levels)
        self._log = self._tool.log(spec.levels, LOG_PREFIX + spec.trial_id)
        self._sample = ConnectionSample()
        self._outside = setup.outside()
        self._progress = Progress(self._tool.name, hooks)
        self._client_pid: int | None = None
        self.observation: Observation | None = None
        self.record: TrialRecord | None = None

    def run(self) -> TrialRecord:
        """Warm up, measure, collect. Raises TrialFailed, or Stopped by the hooks."""
        began = time.monotonic()
        levels = self._spec.levels
        duration, warm_up_s = int(levels["duration_s"]), int(levels["warm_up_s"])
        try:
            commands, readings = self._measure(duration, warm_up_s)
            if self._log is not None:
                commands.append(self._collect_log(self._log))
        except BaseException:
            if self._log is not None:
                self._remove_log(self._log)
            raise
        record, self.observation = build_record(self._setup, self._spec, readings, commands, self._tools)
        overhead = time.monotonic() - began - duration - warm_up_s
        self.record = record.model_copy(update={"overhead_seconds": round(overhead, 4)})
        return self.record

    def _measure(self, duration: int, warm_up_s: int) -> tuple[list[Command], WindowReadings]:
        noise = self._setup.noise(lambda: self._client_pid)
        noise.begin()
        self._hooks.window(warm_up_s, duration)
        warm_up = self._start(warm_up_s) if warm_up_s else None
        if warm_up is not None:
            warm_up[0].release()
        # Prepared and held at its gate while the warm-up runs; only this command writes a log.
        execution, argv = self._start(duration, () if self._log is None else self._log.options)
        self._client_pid = execution.pid
        try:
            commands = [] if warm_up is None else [self._finish_warm_up(*warm_up, warm_up_s)]
            reader = self._reader(execution, argv, duration)
            readings = self._window(execution, reader, noise, duration)
        except BaseException:
            execution.kill()
            raise
        finally:
            noise.close()
        commands.append(checked(reader.record("measure", execution.exit_code())))
        return commands, readings

    def _start(self, seconds: int, options: tuple[str, ...] = ()) -> tuple[Execution, tuple[str, ...]]:
        setup = self._setup
        program, *rest = self._tool.run(self._spec.levels, setup.target, seconds)
        argv = (program, *options, *rest)
        execution = setup.client.engine.execute(setup.client.container, bounded(argv, seconds))
        setup.client_group.adopt(execution.pid)
        return execution, argv

    def _reader(self, execution: Execution, argv: tuple[str, ...], seconds: int) -> CommandReader:
        name = self._setup.client.container.name
        return CommandReader(execution, argv, name, seconds, OUTPUT_LIMITS[self._tool.name])

    def _finish_warm_up(self, execution: Execution, argv: tuple[str, ...], seconds: int) -> Command:
        reader = self._reader(execution, argv, seconds)
        return checked(reader.record("warm_up", reader.run(self._hooks)))

    def _window(
        self, execution: Execution, reader: CommandReader, noise: NoiseMeter, duration: int
    ) -> WindowReadings:
        setup = self._setup
        probe = setup.probe.read()
        noise.before()
        processes = setup.processes.read()
        started_at, relays = _now(), setup.relay_cpu()
        host = self._outside.point()
        cpu, t0 = setup.meters.read(), time.monotonic()
        own = time.process_time_ns()
        with realtime_priority(), Sampler(setup.meters.quick, setup.processes.tick) as sampler:
            execution.release()
            reader.run(
                self._hooks,
                lambda: self._each_slice(execution, reader, sampler, time.monotonic() - t0, duration),
            )
        observers_cpu_ns = time.process_time_ns() - own
        cpu_end, seconds = setup.meters.read(), time.monotonic() - t0
        host_end = self._outside.point()
        end = WindowEdge(cpu_end, setup.probe.read(), setup.processes.read(), setup.relay_cpu(), host_end)
        return WindowReadings(
            start=WindowEdge(cpu, probe, processes, relays, host),
            end=end,
            seconds=seconds,
            noise=noise.after(setup.processes.busiest(processes, end.processes, seconds=duration)),
            window=Window(started_at=started_at, ended_at=_now(), seconds=round(seconds, 6)),
            connections=self._sample,
            series=sampler.points,
            sampler_cpu_ns=sampler.cpu_ns,
            observers_cpu_ns=observers_cpu_ns,
        )

    def _each_slice(
        self, execution: Execution, reader: CommandReader, sampler: Sampler, t: float, duration: int
    ) -> None:
        if not self._sample.complete(self._connections) and t >= min(CONNECTIONS_FROM * duration, 2.0):
            sample = self._setup.probe.sample(execution.pid)
            if sample.namespace is not None:  # else the client has just ended
                self._sample = self._sample.joined(sample)
        self._progress.show(t, reader, sampler.points[-1].cores if sampler.points else None)

    def _collect_log(self, log: LatencyLog) -> Command:
        """Turn the log that the measured command left beside the client into a histogram, and delete it."""
        client = self._setup.client
        return checked(
            run_command(client.engine, client.container, log.collect, limit(LOG_LIMIT_S), self._hooks)
        )

    def _remove_log(self, log: LatencyLog) -> None:
        """Delete what a failed or stopped command has logged; a failure here is logged, not raised."""
        client = self._setup.client
        try:
            run_command(client.engine, client.container, log.remove, limit(LOG_LIMIT_S))
        except Exception as error:  # of any kind: the client's container may be gone, and its /tmp with it
            trial = self._spec.trial_id
            logger.warning("the latency log of trial %s could not be removed: %s", trial, error)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
