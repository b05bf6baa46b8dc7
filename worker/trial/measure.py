"""Measure: one trial on a standing deployment, from warm-up to record."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from backend.core.definition.factors import Level
from backend.core.errors import TrialFailed, Unparseable
from backend.core.sample import pgbench as parser
from backend.core.sample.evidence import judge
from backend.core.sample.metrics import metrics
from backend.core.sample.observation import Observation
from backend.core.sample.pgbench import PgbenchResult
from backend.core.sample.record import Command, CpuByRole, TrialRecord, Window
from backend.core.statistics.steadiness import steadiness
from backend.core.topology.model import PathDefinition
from worker.engine.names import BENCH_BRIDGE, SERVER_PORT
from worker.engine.protocol import Container, Execution
from worker.measure.roles import Reading, by_role
from worker.measure.sampler import Sampler
from worker.measure.wire import Probe, Wire, WirePoint
from worker.trial.command import Pump, bounded
from worker.trial.hooks import Hooks
from worker.trial.provision import Deployment, argv_of

LIVE_EVERY_S = 1.0
PROBE_FROM = 0.2
"""Share of the window after which connections are looked at, until all of them were seen."""
OTHER_SHARE = 0.05
"""Of the host's capacity: more than this of foreign CPU is worth a warning."""
STEAL_SHARE = 0.01


@dataclass(frozen=True)
class Order:
    """What one trial is to do: its identity, its label, and the cell's levels.

    `label` is the path that the cell claims; `taken` is the path that the client is really sent on.
    They differ only where a test mislabels on purpose.
    """

    trial_id: str
    fence: int
    label: PathDefinition
    taken: PathDefinition
    levels: Mapping[str, Level]


@dataclass(frozen=True)
class Ends:
    """Readings at the two ends of the window."""

    start: Reading
    end: Reading
    before: WirePoint
    after: WirePoint
    seconds: float
    window: Window


class Measurement:
    """One trial in progress: warm-up, window, and what was read around it."""

    def __init__(self, deployment: Deployment, order: Order, hooks: Hooks) -> None:
        self._deployment = deployment
        self._order = order
        self._hooks = hooks
        self._client: Container = deployment.client_of(order.taken)
        self._wire = Wire(
            netns=deployment.netns,
            engine_pid=deployment.engine_pid,
            server_pid=deployment.server.pid,
            bridge=BENCH_BRIDGE,
            port=SERVER_PORT,
            proxies=deployment.meters.proxies,
        )
        self._probe = Probe()
        self._live_at = 0.0

    def run(self) -> TrialRecord:
        """Warm up, measure, collect. Raises TrialFailed, or Stopped by the hooks."""
        began = time.monotonic()
        levels = self._order.levels
        duration, warm_up_s = int(levels["duration_s"]), int(levels["warm_up_s"])
        self._deployment.ensure_database(int(levels["scale"]))
        provisioned = time.monotonic()
        warm_up = self._start(warm_up_s) if warm_up_s else None
        if warm_up is not None:
            warm_up[0].release()
        execution, argv = self._start(duration)  # made ready behind its gate while the warm-up runs
        try:
            commands = [] if warm_up is None else [self._finish_warm_up(*warm_up, warm_up_s)]
            pump = Pump(execution, argv, self._client.name, duration)
            ends, sampler = self._window(execution, pump, duration)
        except BaseException:
            execution.kill()
            raise
        commands.append(self._checked(pump.record("measure", execution.exit_code())))
        record = self._collect(ends, sampler, commands)
        overhead = time.monotonic() - provisioned - duration - warm_up_s
        return record.model_copy(
            update={
                "overhead_seconds": round(overhead, 4),
                "counters": record.counters | {"provision_ms": int((provisioned - began) * 1000)},
            }
        )

    def _start(self, seconds: int) -> tuple[Execution, tuple[str, ...]]:
        argv = argv_of(self._order.taken, self._deployment, self._order.levels, seconds)
        execution = self._deployment.engine.execute(self._client, bounded(argv, seconds))
        self._deployment.client_group.adopt(execution.pid)
        return execution, argv

    def _finish_warm_up(self, execution: Execution, argv: tuple[str, ...], seconds: int) -> Command:
        pump = Pump(execution, argv, self._client.name, seconds)
        return self._checked(pump.record("warm_up", pump.run(self._hooks)))

    def _window(self, execution: Execution, pump: Pump, duration: int) -> tuple[Ends, Sampler]:
        meters = self._deployment.meters
        before = self._wire.read()
        started_at = _now()
        start, t0 = meters.read(), time.monotonic()
        with Sampler(meters.quick) as sampler:
            execution.release()
            pump.run(
                self._hooks,
                lambda: self._each_slice(execution, pump, sampler, time.monotonic() - t0, duration),
            )
        end, seconds = meters.read(), time.monotonic() - t0
        after = self._wire.read()
        window = Window(started_at=started_at, ended_at=_now(), seconds=round(seconds, 6))
        return Ends(start, end, before, after, seconds, window), sampler

    def _each_slice(
        self, execution: Execution, pump: Pump, sampler: Sampler, t: float, duration: int
    ) -> None:
        connected = sum(self._probe.peers.values())
        if connected < int(self._order.levels["clients"]) and t >= min(PROBE_FROM * duration, 2.0):
            probe = self._wire.probe(execution.pid, self._deployment.idle_proxy_sockets)
            if probe.namespace is not None and sum(probe.peers.values()) >= connected:
                self._probe = probe  # without a namespace the client has just ended
        if t - self._live_at >= LIVE_EVERY_S:
            self._live_at = t
            seconds = parser.progress(pump.text("stderr"))
            if seconds:
                last = sampler.points[-1].cores if sampler.points else None
                self._hooks.live(seconds[-1].t, seconds[-1].tps, last)

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
        measured = commands[-1]
        try:
            result = parser.parse(measured.stdout, measured.stderr)
        except Unparseable as error:
            raise TrialFailed("unparseable", str(error)) from error
        deployment, order = self._deployment, self._order
        cpu = by_role(ends.start, ends.end, ends.seconds, deployment.hierarchy.version)
        counters = {name: value - ends.before.tcp[name] for name, value in ends.after.tcp.items()}
        counters["context_switches"] = ends.end.host.context_switches - ends.start.host.context_switches
        counters["sampler_cpu_ns"] = sampler.cpu_ns
        seen: Observation = self._wire.observation(
            ends.before,
            ends.after,
            self._probe,
            addresses=deployment.addresses(),
            proxy_cpu_ns=sum(ends.end.proxy.values()) - sum(ends.start.proxy.values()),
            clients=result.clients,
            transactions=result.transactions,
            seconds=ends.seconds,
        )
        return TrialRecord(
            trial_id=order.trial_id,
            fence=order.fence,
            window=ends.window,
            metrics=metrics(result, cpu, ends.seconds, counters),
            latency_measured=result.latency_measured,
            transactions=result.transactions,
            failed_transactions=result.failed,
            cpu=cpu,
            per_second=result.per_second,
            cpu_series=tuple(sampler.points),
            counters=counters,
            evidence=judge(order.label, deployment.userland_proxy, seen),
            commands=tuple(commands),
            versions=deployment.versions | {"pgbench": result.version or "unknown"},
            overhead_seconds=0.0,
            warnings=tuple(_warnings(result, cpu)),
        )


def _warnings(result: PgbenchResult, cpu: CpuByRole) -> Iterator[str]:
    """What a reader must know about this trial; it stays in the statistics all the same."""
    halves = steadiness([second.tps for second in result.per_second])
    if halves is not None and not halves.steady:
        yield (
            f"not steady: {halves.second:,.0f} tps in the second half of the window, {halves.change:+.0%} "
            f"from {halves.first:,.0f} in the first; use a longer warm-up or a quieter host"
        )
    if cpu.roles["other"] > OTHER_SHARE * cpu.capacity:
        cores = cpu.roles["other"] / cpu.capacity * (os.cpu_count() or 1)
        yield (
            f"background load: other processes of the host used {cores:.2f} cores during the window; "
            "stop them, or compare the roles' own CPU"
        )
    if cpu.steal > STEAL_SHARE * cpu.capacity:
        yield f"steal: the hypervisor kept {cpu.steal / cpu.capacity:.1%} of the CPU; use a quieter machine"
    if result.failed:
        yield f"{result.failed} transactions failed and are not counted"


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
