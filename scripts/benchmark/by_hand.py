"""Plimsoll against the same pgbench command by hand, in the same container, in blocks of six.

Each block takes three ways twice, in one order and then in the opposite one, so that a drift that is linear
in time cancels: by hand; unobserved, where the command starts as in a trial and nothing is read beside it;
and a whole trial. Trial over unobserved is the price of observing, unobserved over by hand that of the start.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import docker

from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.sample.pgbench import parse
from backend.core.sample.record import TrialRecord
from backend.core.statistics.paired import paired_ratio
from backend.core.topology.paths import PATHS
from backend.core.workload.tools import TOOLS
from worker.engine.names import InstallPaths
from worker.topology.testbed import Testbed
from worker.trial.measurement import Measurement
from worker.trial.trial_record import TrialSpec
from worker.workload.command import CommandReader, bounded
from worker.workload.hooks import NoHooks

BLOCKS, SECONDS, WARM_UP_S = 20, 3, 1
SEED = 20261120


@dataclass(frozen=True)
class Size:
    """How many blocks of six measurements, and the seconds of each window."""

    blocks: int = BLOCKS
    seconds: int = SECONDS


@dataclass
class Arms:
    """The ways of measuring, and their records."""

    testbed: Testbed
    container: Any
    commands: list[list[str]]
    levels: dict[str, Level]
    records: list[TrialRecord] = field(default_factory=list)

    def by_hand(self) -> float:
        """Transactions per second of the bare command."""
        outputs = [self.container.exec_run(command, demux=True).output for command in self.commands]
        return parse(outputs[1][0].decode(), outputs[1][1].decode()).metrics["tps"]

    def unobserved(self) -> float:
        """Transactions per second of the command, started as in a trial; nothing is read beside it."""
        setup = self.testbed.setup(self.levels)
        outputs = []
        try:
            for argv, seconds in zip(self.commands, (WARM_UP_S, self.levels["duration_s"]), strict=True):
                execution = setup.client.engine.execute(setup.client.container, bounded(argv, float(seconds)))
                setup.client_group.adopt(execution.pid)
                execution.release()
                reader = CommandReader(execution, argv, setup.client.container.name, float(seconds))
                reader.run(NoHooks())
                outputs.append(reader)
        finally:
            setup.close()
        return parse(outputs[1].text("stdout"), outputs[1].text("stderr")).metrics["tps"]

    def plimsoll(self) -> float:
        """Transactions per second of a trial."""
        setup = self.testbed.setup(self.levels)
        try:
            spec = TrialSpec("trl_benchmark", 1, PATHS[str(self.levels["path"])], self.levels)
            record = Measurement(setup, spec, NoHooks(), self.testbed.tools).run()
        finally:
            setup.close()
        self.records.append(record)
        return record.metrics["tps"]


def compare(root: Path, var: Path, size: Size) -> dict[str, Any]:
    """Ratio of tps through Plimsoll to tps by hand, and what the observers cost inside the window."""
    install = InstallPaths("bench", Path("/run/plimsoll-bench"), var)
    testbed = Testbed(install, print)
    testbed.start()
    try:
        engine = docker.DockerClient(base_url="unix:///run/plimsoll-bench/engines/on/docker.sock")
        arms = _arms(testbed, engine, size.seconds)
        return _figures(size, _blocks(arms, size.blocks), arms.records)
    finally:
        testbed.stop()


def _arms(testbed: Testbed, engine: Any, seconds: int) -> Arms:
    levels = applicable(
        {name: factor.default for name, factor in FACTORS.items()}
        | {"path": "container_address", "duration_s": seconds, "warm_up_s": WARM_UP_S}
    )
    setup = testbed.setup(levels)
    tool = TOOLS[str(levels["tool"])]
    commands = [list(tool.run(levels, setup.target, duration)) for duration in (WARM_UP_S, seconds)]
    container = engine.containers.get(setup.client.container.name)
    setup.close()
    return Arms(testbed, container, commands, levels)


def _blocks(arms: Arms, count: int) -> list[dict[str, float]]:
    """Geometric mean of tps of each way, by block: the ways in an order by lot, then in the opposite one."""
    shuffle = random.Random(SEED)
    ways: dict[str, Callable[[], float]] = {
        "hand": arms.by_hand,
        "unobserved": arms.unobserved,
        "plimsoll": arms.plimsoll,
    }
    found = []
    for _ in range(count):
        order = list(ways)
        shuffle.shuffle(order)
        first = {name: ways[name]() for name in order}
        second = {name: ways[name]() for name in reversed(order)}
        found.append({name: math.sqrt(first[name] * second[name]) for name in ways})
    return found


def _figures(size: Size, blocks: list[dict[str, float]], records: list[TrialRecord]) -> dict[str, Any]:
    return {
        "blocks_of_six": size.blocks,
        "window_s": size.seconds,
        "plimsoll_to_hand": _ratio(blocks, "plimsoll", "hand"),
        "plimsoll_to_unobserved": _ratio(blocks, "plimsoll", "unobserved"),
        "unobserved_to_hand": _ratio(blocks, "unobserved", "hand"),
        "median_overhead_s": round(statistics.median(record.overhead_seconds for record in records), 3),
        "sampler_ms_a_second": _ms_a_second(records, "sampler_cpu_ns"),
        "observers_ms_a_second": _ms_a_second(records, "observers_cpu_ns"),
    }


def _ratio(blocks: list[dict[str, float]], of: str, to: str) -> dict[str, Any]:
    """Ratio of tps with its 95 % interval, and how many blocks an interval of ±1 % would take."""
    estimate = paired_ratio([block[to] for block in blocks], [block[of] for block in blocks])
    found: dict[str, Any] = {"tps_ratio": round(estimate.ratio, 4)}
    if estimate.interval is None:
        return found | {"interval_95": None, "blocks_for_one_percent": None}
    low, high = estimate.interval
    half = math.log(high / low) / 2
    return found | {
        "interval_95": [round(low, 4), round(high, 4)],
        "blocks_for_one_percent": math.ceil(len(blocks) * (half / math.log(1.01)) ** 2),
    }


def _ms_a_second(records: list[TrialRecord], counter: str) -> float:
    """CPU that Plimsoll's own threads used inside the window, in milliseconds a second of it; the median."""
    used = [record.counters[counter] / 1e6 / record.window.seconds for record in records]
    return round(statistics.median(used), 2)
