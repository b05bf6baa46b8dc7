"""The notices of one trial.

A missing reading gives no notice. Sources of the limits: Google's benchmark guide on variance, PostgreSQL's
pgbench notes, and the kernel's own counters. A trial with notices stays in the statistics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from backend.core.definition.factors import Level
from backend.core.definition.metrics import METRICS, RATES
from backend.core.sample.noise import NoiseReadings
from backend.core.sample.notice import UNSTEADY, Notice
from backend.core.sample.record import CpuByRole
from backend.core.sample.report_notices import of_result
from backend.core.sample.result import ToolResult

OTHER_SHARE: Final = 0.05
"""Of the host's capacity: more than this of CPU of other processes gives a warning."""
STEAL_SHARE: Final = 0.01
OVERLAP_SHARE: Final = 0.02
"""Of the host's capacity: idle time comes in steps of 10 ms a CPU, so less than this is not significant."""
THREAD_SHARE: Final = 0.95
HELD_SHARE: Final = 0.01
PREPARATION_CORE_S: Final = 0.15
"""CPU that Docker spends to prepare a client, which is not background load."""
BACKGROUND_S: Final = 0.5
"""The shortest observation before the window that is evaluated."""
TIME_WAIT_SHARE: Final = 0.5
CONNTRACK_SHARE: Final = 0.8
READ_SHARE: Final = 0.01
"""Blocks per transaction from outside PostgreSQL's buffers that count as reading."""
MB_PER_SCALE: Final = 16
"""Size of pgbench's tables and indexes, MB for each unit of scale, rounded up."""
CLOCKS: Final = ("tsc", "kvm-clock", "arch_sys_counter")
"""Clocks that are read without a trap: x86, a KVM guest, and ARM."""
CPUSETS: Final = {"client": "client_cpuset", "server": "server_cpuset", "front": "proxy_cpuset"}
_ROLE_NAMES: Final = {"front": "reverse proxy"}


@dataclass(frozen=True)
class _Trial:
    readings: NoiseReadings
    result: ToolResult
    cpu: CpuByRole
    levels: Mapping[str, Level]
    halves: tuple[float, float] | None


def warnings(
    readings: NoiseReadings,
    result: ToolResult,
    cpu: CpuByRole,
    levels: Mapping[str, Level],
    halves: tuple[float, float] | None = None,
) -> tuple[Notice, ...]:
    """All warnings of one trial, and those of the tool's own report last.

    `halves` are the medians of the two halves of a series that was not steady, in the tool's unit.
    """
    trial = _Trial(readings, result, cpu, levels, halves)
    return (*(notice for detector in DETECTORS for notice in detector(trial)), *of_result(result))


def _not_steady(trial: _Trial) -> Iterator[Notice]:
    if trial.halves is not None:
        first, second = trial.halves
        unit = METRICS[RATES[trial.result.tool]].unit.replace("1/s", "per second")
        change = f"{second / first - 1:+.0%} " if first else ""
        yield Notice(
            UNSTEADY,
            f"{second:,.4g} {unit} in the second half of the window, {change}from {first:,.4g} in the first",
            "use a longer warm-up or a quieter host",
        )


def _client_thread(trial: _Trial) -> Iterator[Notice]:
    share = trial.readings.client_thread
    if share is not None and share >= THREAD_SHARE:
        yield Notice(
            "client thread saturated",
            f"the client's busiest thread was on CPU for {share:.0%} of the window, so that "
            "the client may be the limit",
            "give it more threads or another tool",
        )


def _throttled(trial: _Trial) -> Iterator[Notice]:
    advice = {"server": "raise the server's CPUs, or read the figures as those of a limited server"}
    for role, held in trial.readings.held.items():
        if held.periods and held.throttled > HELD_SHARE * held.periods:
            yield Notice(
                f"throttled {_ROLE_NAMES.get(role, role)}",
                f"its CPU quota throttled it in {held.throttled / held.periods:.0%} of the "
                f"periods, {held.seconds:.2f} s in total",
                f"{advice.get(role, 'raise its quota, or set none')}",
            )


def _steal(trial: _Trial) -> Iterator[Notice]:
    cpu = trial.cpu
    if cpu.steal > STEAL_SHARE * cpu.capacity:
        yield Notice(
            "steal", f"the hypervisor took {cpu.steal / cpu.capacity:.1%} of the CPU", "use a quieter machine"
        )


def _disagreement(trial: _Trial) -> Iterator[Notice]:
    cpu = trial.cpu
    if cpu.overlap > OVERLAP_SHARE * cpu.capacity:
        yield Notice(
            "CPU counters disagree",
            f"tasks, idle time and steal are {cpu.overlap:.2f} core-seconds "
            f"({cpu.overlap / cpu.capacity:.1%}) more than the host had",
            "read idle and steal with care, the CPU of the roles comes from their own clocks",
        )


def _background(trial: _Trial) -> Iterator[Notice]:
    seen, cpus = trial.readings.background, trial.readings.cpus
    if seen is None or cpus is None or seen.seconds < BACKGROUND_S:
        return
    foreign = seen.core_seconds - PREPARATION_CORE_S
    if foreign > OTHER_SHARE * cpus * seen.seconds:
        pressure = trial.readings.pressure
        waited = "" if pressure is None else f", and something waited for CPU {pressure:.0%} of the time"
        yield Notice(
            "background load before the run",
            f"other processes used {foreign / seen.seconds:.2f} cores in the "
            f"{seen.seconds:.1f} s before the window{waited}",
            "stop the other processes of the host and start the run again",
        )


def _other(trial: _Trial) -> Iterator[Notice]:
    cpu, cpus = trial.cpu, trial.readings.cpus or 1
    if cpu.roles["other"] > OTHER_SHARE * cpu.capacity:
        share = cpu.roles["other"] / cpu.capacity
        amount = f"{share * cpus:.2f} cores" if trial.readings.cpus else f"{share:.0%} of the host's CPU"
        yield Notice(
            "background load",
            f"other processes of the host used {amount} during the window",
            "stop the other processes of the host, or compare the roles' own CPU",
        )


def _overlap(trial: _Trial) -> Iterator[Notice]:
    if not any(trial.levels.get(name) for name in CPUSETS.values()):
        return
    shared = [
        f"{_ROLE_NAMES.get(one, one)} and {_ROLE_NAMES.get(other, other)} on CPU {_cpus(both)}"
        for (one, here), (other, there) in combinations(trial.readings.allowed.items(), 2)
        if (both := here & there)
    ]
    if shared:
        yield Notice(
            "role overlap on CPUs",
            f"cpusets are set, but {', '.join(shared)} overlap",
            "give every role a cpuset of its own",
        )


def _accept_queue(trial: _Trial) -> Iterator[Notice]:
    overflows, drops = trial.readings.listen_overflows or 0, trial.readings.listen_drops or 0
    if overflows or drops:
        yield Notice(
            "accept queue overflow",
            f"{overflows:,} connections found a full queue, {drops:,} were dropped",
            "raise the server's backlog and net.core.somaxconn, or connect fewer clients at once",
        )


def _time_wait(trial: _Trial) -> Iterator[Notice]:
    waiting, ports = trial.readings.time_wait, trial.readings.ports
    if waiting is not None and ports and waiting > TIME_WAIT_SHARE * ports:
        yield Notice(
            "TIME_WAIT near the port range",
            f"{waiting:,} sockets wait and the client has {ports:,} ports",
            "keep connections alive, or shorten the run",
        )


def _conntrack(trial: _Trial) -> Iterator[Notice]:
    used, most, dropped = (
        trial.readings.conntrack,
        trial.readings.conntrack_max,
        trial.readings.conntrack_dropped,
    )
    if used is not None and most and used > CONNTRACK_SHARE * most:
        yield Notice(
            "conntrack near full",
            f"{used:,} of {most:,} entries are used",
            "raise net.netfilter.nf_conntrack_max, or keep connections alive",
        )
    if dropped:
        yield Notice(
            "conntrack dropped packets",
            f"{dropped:,} in the window",
            "raise net.netfilter.nf_conntrack_max, and check for connections with equal tuples",
        )


def _timeouts(trial: _Trial) -> Iterator[Notice]:
    if timeouts := trial.readings.tcp_timeouts:
        again = trial.readings.tcp_retransmits
        sent = "" if again is None else f" and {again:,} segments were retransmitted"
        yield Notice(
            "TCP timeouts",
            f"{timeouts:,} in the window on a path inside the host{sent}",
            "packets were lost: check queues, conntrack and the accept queue",
        )


def _gomaxprocs(trial: _Trial) -> Iterator[Notice]:
    quota, wanted = int(trial.levels.get("server_cpus", 0)), int(trial.levels.get("gomaxprocs", 0))
    runs = wanted or trial.readings.cpus or 0
    if trial.levels.get("service") == "pong" and 0 < quota < runs:
        chosen = f"GOMAXPROCS is {runs}" if wanted else f"GOMAXPROCS is not set and the host has {runs} CPUs"
        yield Notice(
            "GOMAXPROCS above the quota",
            f"{chosen}, while the server may use {quota}",
            "set gomaxprocs to the quota, or the quota stops all threads at once",
        )


def _postgres(trial: _Trial) -> Iterator[Notice]:
    seen = trial.readings
    if seen.autovacuums:
        yield Notice(
            "autovacuum in the window",
            f"{seen.autovacuums} of its passes overlapped the run",
            "repeat the trial, or run longer so that every trial has about as many",
        )
    if seen.checkpoints:
        yield Notice(
            "checkpoint in the window",
            f"PostgreSQL wrote {seen.checkpoints} during the run",
            "raise max_wal_size_mb, or run for several checkpoints",
        )
    per_transaction = (seen.blocks_read or 0) / max(1, trial.result.operations)
    if per_transaction > READ_SHARE and _in_memory(trial.levels):
        yield Notice(
            "reads outside the buffers",
            f"PostgreSQL read {seen.blocks_read:,} blocks, {per_transaction:.2f} a "
            "transaction, although the data should be in memory",
            "use a longer warm-up or raise shared_buffers_mb",
        )


def _in_memory(levels: Mapping[str, Level]) -> bool:
    """Whether the data should be in memory: it fits, and the cell has no fresh server."""
    size = MB_PER_SCALE * int(levels.get("scale", 1))
    fits = size <= int(levels.get("shared_buffers_mb", 0))
    return not levels.get("fresh_server") and (fits or levels.get("storage") == "memory")


def _clock(trial: _Trial) -> Iterator[Notice]:
    source, governor = trial.readings.clocksource, trial.readings.governor
    if source is not None and source not in CLOCKS:
        yield Notice(
            "slow clock",
            f"the clocksource is {source}, which is slow to read",
            "boot with tsc where the CPU allows it",
        )
    if governor is not None and governor != "performance":
        yield Notice(
            "CPU frequency may vary",
            f"the governor is {governor}",
            "set it to performance (cpupower frequency-set -g performance)",
        )


DETECTORS: Final[tuple[Callable[[_Trial], Iterator[Notice]], ...]] = (
    _not_steady,
    _client_thread,
    _throttled,
    _steal,
    _disagreement,
    _background,
    _other,
    _overlap,
    _accept_queue,
    _time_wait,
    _conntrack,
    _timeouts,
    _gomaxprocs,
    _postgres,
    _clock,
)


def _cpus(numbers: frozenset[int]) -> str:
    return ",".join(str(number) for number in sorted(numbers))
