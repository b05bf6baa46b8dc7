"""Plimsoll against the same pgbench command by hand, in the same container, interleaved."""

from __future__ import annotations

import random
import statistics
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

DURATION_S, WARM_UP_S = 3, 1
LEVELS: dict[str, Level] = applicable(
    {name: factor.default for name, factor in FACTORS.items()}
    | {"path": "container_address", "duration_s": DURATION_S, "warm_up_s": WARM_UP_S}
)
ROUNDS = 20
SEED = 20261120


def compare(root: Path, var: Path) -> dict[str, Any]:
    """Ratio of tps through Plimsoll to tps by hand, and what the sampler costs."""
    places = Places("bench", Path("/run/plimsoll-bench"), var)
    bench = Bench(places, print)
    bench.start()
    try:
        return _interleave(
            bench, docker.DockerClient(base_url="unix:///run/plimsoll-bench/engines/on/docker.sock")
        )
    finally:
        bench.stop()


def _interleave(bench: Bench, engine: Any) -> dict[str, Any]:
    shuffle = random.Random(SEED)
    tool, path = TOOLS[str(LEVELS["tool"])], PATHS[str(LEVELS["path"])]
    rig = bench.rig(LEVELS)
    commands = [list(tool.run(LEVELS, rig.target, seconds)) for seconds in (WARM_UP_S, DURATION_S)]
    container = engine.containers.get(rig.place.container.name)
    rig.close()
    by_hand: list[float] = []
    records: list[TrialRecord] = []

    def hand() -> None:
        outputs = [container.exec_run(command, demux=True).output for command in commands]
        by_hand.append(parse(outputs[1][0].decode(), outputs[1][1].decode()).metrics["tps"])

    def plimsoll() -> None:
        order = Order("trl_benchmark", 1, path, LEVELS)
        own = bench.rig(LEVELS)
        try:
            records.append(Measurement(own, order, NoHooks(), bench.tools).run())
        finally:
            own.close()

    for _ in range(ROUNDS):
        arms = [hand, plimsoll]
        shuffle.shuffle(arms)
        for arm in arms:
            arm()
    estimate = paired_ratio(by_hand, [record.metrics["tps"] for record in records])
    sampler = [record.counters["sampler_cpu_ns"] / 1e7 / record.window.seconds for record in records]
    return {
        "rounds": ROUNDS,
        "tps_ratio_plimsoll_to_hand": round(estimate.ratio, 4),
        "interval_95": [round(bound, 4) for bound in estimate.interval or ()],
        "median_overhead_s": round(statistics.median(record.overhead_seconds for record in records), 3),
        "sampler_percent_of_a_core": round(statistics.median(sampler), 3),
    }
