"""Build the record of a trial from the readings around its window and the output of its commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.core.definition.factors import Level
from backend.core.errors import TrialFailed, Unparseable
from backend.core.sample import histogram
from backend.core.sample.bounds import Figures, violations
from backend.core.sample.client_result import (
    ClientReady,
    ClientResult,
    both_readings,
    both_series,
    link_facts,
)
from backend.core.sample.cpu import of_both_hosts
from backend.core.sample.evidence import judge
from backend.core.sample.evidence_signals import client_host_signals, encapsulation_signals
from backend.core.sample.metrics import metrics
from backend.core.sample.noise import NoiseReadings
from backend.core.sample.observation import Observation
from backend.core.sample.parsers import PARSERS
from backend.core.sample.record import (
    ClientHost,
    Command,
    CpuByRole,
    CpuPoint,
    LinkEnd,
    Role,
    Signal,
    TrialQuality,
    TrialRecord,
    Window,
)
from backend.core.sample.result import ToolResult
from backend.core.sample.warnings import warnings
from backend.core.statistics.steadiness import steadiness
from backend.core.topology.model import OVERLAYS, PathDefinition, Relay
from backend.core.workload.connecting import connects_anew
from backend.core.workload.tools import TOOLS
from worker.sample.outside import HostPoint, of_window
from worker.sample.path_probe import ConnectionSample, ProbeReading
from worker.sample.process_delta import ProcessReading
from worker.sample.roles import CpuReading, by_role, cpu_delta
from worker.topology.trial_setup import TrialSetup


@dataclass(frozen=True)
class TrialSpec:
    """One trial: its identity, its label, and the cell's levels.

    `label` is the path that the cell claims. The setup may send the client along another path, where a
    test mislabels on purpose.
    """

    trial_id: str
    fence: int
    label: PathDefinition
    levels: Mapping[str, Level]


@dataclass(frozen=True)
class WindowEdge:
    """Everything that is read at one end of the window."""

    cpu: CpuReading
    probe: ProbeReading
    processes: ProcessReading
    relays: Mapping[Relay, int]
    host: HostPoint


@dataclass(frozen=True)
class WindowReadings:
    """The readings at both ends of the window and inside it; `observers_cpu_ns` is this worker's own CPU."""

    start: WindowEdge
    end: WindowEdge
    seconds: float
    window: Window
    noise: NoiseReadings
    connections: ConnectionSample
    series: Sequence[CpuPoint]
    sampler_cpu_ns: int
    observers_cpu_ns: int


@dataclass(frozen=True)
class OtherHost:
    """The client host's part of a trial, and the server's end of the link to it."""

    name: str
    ready: ClientReady
    server_link: LinkEnd
    result: ClientResult


def build_record(
    setup: TrialSetup,
    spec: TrialSpec,
    readings: WindowReadings,
    commands: Sequence[Command],
    tools: Mapping[str, str],
    other: OtherHost | None = None,
) -> tuple[TrialRecord, Observation]:
    """The record, and the observation that its evidence was judged by. Raises TrialFailed ("unparseable").

    `other` is given where another host ran the client: its figures are added to those of this host.
    """
    tool = TOOLS[str(spec.levels["tool"])]
    start, end = readings.start, readings.end
    result = _parsed(tool.name, spec, commands)
    own = cpu = by_role(start.cpu, end.cpu, readings.seconds, setup.hierarchy.version)
    switches = setup.processes.switches(start.processes, end.processes)
    if other is not None:
        cpu = of_both_hosts(own, other.result.cpu)
        switches = dict(switches) | {"client": other.result.switches}
    counters = _counters(readings, switches, other)
    observation = _observation(setup, spec, readings, result)
    # The load lasted as long as the client's window, which the server's contains.
    load_s = readings.seconds if other is None else other.result.seconds
    found = metrics(result, cpu, load_s, counters, switches)
    record = TrialRecord(
        trial_id=spec.trial_id,
        fence=spec.fence,
        window=readings.window,
        metrics=found,
        latency_measured=result.latency_measured,
        transactions=result.operations,
        failed_transactions=result.failed,
        cpu=cpu,
        processes=(
            *setup.processes.process_cpu(start.processes, end.processes),
            *(() if other is None else other.result.processes),
        ),
        histogram=result.histogram,
        per_second=result.per_second,
        cpu_series=tuple(readings.series)
        if other is None
        else both_series(readings.series, other.result.cpu_series),
        counters=counters,
        evidence=judge(
            spec.label,
            bool(spec.levels["userland_proxy"]),
            observation,
            () if other is None else _signals(spec, other.result, observation),
        ),
        commands=tuple(commands),
        versions=setup.versions(tools) | ({tool.name: result.version} if result.version else {}),
        facts=dict(result.facts)
        | dict(readings.noise.links or {})
        | ({} if other is None else link_facts(other.server_link, other.ready.link)),
        overhead_seconds=0.0,
        server=setup.deployment.start_id,
        notices=warnings(readings.noise, result, cpu, spec.levels, _unsteady(result)),
        quality=_quality(spec, readings, result, cpu, found, own, other),
        client_host=None if other is None else _client_host(other, readings.seconds),
    )
    return record, observation


def _signals(spec: TrialSpec, client: ClientResult, seen: Observation) -> tuple[Signal, ...]:
    both = client_host_signals(client.link_bytes, client.loopback_bytes, seen)
    if spec.label.attachment not in OVERLAYS:
        return both
    packets = client.vxlan_packets
    return (*both, *encapsulation_signals(client.link_bytes, client.vxlan_bytes, packets, seen))


def _client_host(other: OtherHost, server_seconds: float) -> ClientHost:
    result = other.result
    return ClientHost(
        name=other.name,
        link=other.ready.link,
        server_link=other.server_link,
        seconds=result.seconds,
        excess_seconds=round(server_seconds - result.seconds, 6),
        cpu=result.cpu,
        versions=other.ready.versions,
    )


def _parsed(tool: str, spec: TrialSpec, commands: Sequence[Command]) -> ToolResult:
    by_purpose = {command.purpose: command for command in commands}
    measured = by_purpose["measure"]
    try:
        result = PARSERS[tool].parse(measured.stdout, measured.stderr)
        if "collect" in by_purpose:
            latencies = histogram.parse(by_purpose["collect"].stdout)
            offered = int(spec.levels.get("rate", 0))
            if offered:
                result = histogram.open_loop(result, latencies, offered)
            else:
                result = histogram.closed_loop(result, latencies)
    except Unparseable as error:
        raise TrialFailed("unparseable", str(error)) from error
    return result


def _counters(
    readings: WindowReadings, switches: Mapping[Role, int], other: OtherHost | None
) -> dict[str, int]:
    start, end = readings.start, readings.end
    counters = {name: value - start.probe.tcp.get(name, 0) for name, value in end.probe.tcp.items()}
    elsewhere = {} if other is None else other.result.tcp
    counters |= {name: counters.get(name, 0) + count for name, count in elsewhere.items()}
    counters |= {f"context_switches_{role}": count for role, count in switches.items()}
    counters["context_switches"] = end.cpu.host.context_switches - start.cpu.host.context_switches
    counters["sampler_cpu_ns"] = readings.sampler_cpu_ns
    counters["observers_cpu_ns"] = readings.observers_cpu_ns
    if other is not None:
        counters["context_switches"] += other.result.host_switches
        counters["client_observers_cpu_ns"] = other.result.observers_cpu_ns
    return counters


def _observation(
    setup: TrialSetup, spec: TrialSpec, readings: WindowReadings, result: ToolResult
) -> Observation:
    start, end = readings.start, readings.end
    return setup.probe.observation(
        start.probe,
        end.probe,
        readings.connections,
        addresses=setup.addresses(),
        relay_cpu={relay: used - start.relays.get(relay, 0) for relay, used in end.relays.items()},
        connections=_connections(spec),
        operations=result.operations,
        seconds=readings.seconds,
        short_lived=connects_anew(spec.levels),
    )


def _quality(
    spec: TrialSpec,
    readings: WindowReadings,
    result: ToolResult,
    cpu: CpuByRole,
    found: Mapping[str, float],
    own: CpuByRole,
    other: OtherHost | None,
) -> TrialQuality:
    """The physical bounds that the trial violates, and what the rest of the host did in the window.

    `worker.trial.repeats` decides whether the trial is measured again.
    """
    start, end = readings.start, readings.end
    duration_s = float(spec.levels["duration_s"])
    figures = Figures(
        metrics=result.metrics | dict(found),  # the tool's own values are checked as it printed them
        roles=cpu.roles,
        idle=cpu.idle,
        steal=cpu.steal,
        unattributed=cpu.unattributed,
        window_s=readings.seconds,
        duration_s=duration_s,
    )
    outside = of_window(own, start.host, end.host, readings.seconds, duration_s, _connections(spec))
    backwards = cpu_delta(start.cpu, end.cpu).backwards()
    if other is not None:
        outside = both_readings(outside, other.result.readings)
        backwards += tuple(f"client host: {sentence}" for sentence in other.result.invalid)
    return TrialQuality(invalid=(*backwards, *violations(figures)), readings=outside)


def _connections(spec: TrialSpec) -> int:
    return TOOLS[str(spec.levels["tool"])].connections(spec.levels)


def _unsteady(result: ToolResult) -> tuple[float, float] | None:
    """The rates of the two halves of the window where they differ too much."""
    halves = steadiness([second.rate for second in result.per_second])
    return None if halves is None or halves.steady else (halves.first, halves.second)
