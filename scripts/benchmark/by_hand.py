"""Plimsoll against the same pgbench command by hand, in the same container, in blocks of ABBA."""

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
from worker.trial.bench import Bench
from worker.trial.hooks import NoHooks
from worker.trial.measure import Measurement, Order
from worker.trial.nodes import Places

BLOCKS, SECONDS, WARM_UP_S = 20, 3, 1
SEED = 20261120


@dataclass(frozen=True)
class Size:
    """How many blocks of four measurements, and the seconds of each window."""

    blocks: int = BLOCKS
    seconds: int = SECONDS


@dataclass
class Arms:
    """Both ways of measuring, with what they gave."""

    bench: Bench
    container: Any
    commands: list[list[str]]
    levels: dict[str, Level]
    records: list[TrialRecord] = field(default_factory=list)

    def by_hand(self) -> float:
        """Transactions per second of the bare command."""
        outputs = [self.container.exec_run(command, demux=True).output for command in self.commands]
        return parse(outputs[1][0].decode(), outputs[1][1].decode()).metrics["tps"]

    def plimsoll(self) -> float:
        """Transactions per second of a trial."""
        rig = self.bench.rig(self.levels)
        try:
            order = Order("trl_benchmark", 1, PATHS[str(self.levels["path"])], self.levels)
            record = Measurement(rig, order, NoHooks(), self.bench.tools).run()
        finally:
            rig.close()
        self.records.append(record)
        return record.metrics["tps"]


def compare(root: Path, var: Path, size: Size) -> dict[str, Any]:
    """Ratio of tps through Plimsoll to tps by hand, and what the observers cost inside the window."""
    places = Places("bench", Path("/run/plimsoll-bench"), var)
    bench = Bench(places, print)
    bench.start()
    try:
        engine = docker.DockerClient(base_url="unix:///run/plimsoll-bench/engines/on/docker.sock")
        arms = _arms(bench, engine, size.seconds)
        return _figures(size, _blocks(arms, size.blocks), arms.records)
    finally:
        bench.stop()


def _arms(bench: Bench, engine: Any, seconds: int) -> Arms:
    levels = applicable(
        {name: factor.default for name, factor in FACTORS.items()}
        | {"path": "container_address", "duration_s": seconds, "warm_up_s": WARM_UP_S}
    )
    rig = bench.rig(levels)
    tool = TOOLS[str(levels["tool"])]
    commands = [list(tool.run(levels, rig.target, duration)) for duration in (WARM_UP_S, seconds)]
    container = engine.containers.get(rig.place.container.name)
    rig.close()
    return Arms(bench, container, commands, levels)


def _blocks(arms: Arms, count: int) -> list[tuple[float, float]]:
    """Geometric means of tps by hand and through Plimsoll of each block: ABBA or BAAB, by lot.

    A drift that is linear in time cancels inside a block.
    """
    shuffle = random.Random(SEED)
    found = []
    for _ in range(count):
        ways: list[Callable[[], float]] = [arms.by_hand, arms.plimsoll]
        shuffle.shuffle(ways)
        a, b = ways
        first, second, third, fourth = a(), b(), b(), a()
        means = {a: math.sqrt(first * fourth), b: math.sqrt(second * third)}
        found.append((means[arms.by_hand], means[arms.plimsoll]))
    return found


def _figures(size: Size, blocks: list[tuple[float, float]], records: list[TrialRecord]) -> dict[str, Any]:
    estimate = paired_ratio([hand for hand, _ in blocks], [plimsoll for _, plimsoll in blocks])
    low, high = estimate.interval or (math.nan, math.nan)
    half = math.log(high / low) / 2
    return {
        "blocks_of_four": size.blocks,
        "window_s": size.seconds,
        "tps_ratio_plimsoll_to_hand": round(estimate.ratio, 4),
        "interval_95": [round(low, 4), round(high, 4)],
        "blocks_for_one_percent": math.ceil(size.blocks * (half / math.log(1.01)) ** 2)
        if half == half
        else None,
        "median_overhead_s": round(statistics.median(record.overhead_seconds for record in records), 3),
        "sampler_ms_a_second": _ms_a_second(records, "sampler_cpu_ns"),
        "observers_ms_a_second": _ms_a_second(records, "observers_cpu_ns"),
    }


def _ms_a_second(records: list[TrialRecord], counter: str) -> float:
    """CPU that Plimsoll's own threads used inside the window, in milliseconds a second of it; the median."""
    used = [record.counters[counter] / 1e6 / record.window.seconds for record in records]
    return round(statistics.median(used), 2)
