"""How long the analysis of a large run takes on one core, and how large its result is when it is sent."""

from __future__ import annotations

import gzip
import random
import statistics
import time
from collections.abc import Mapping
from typing import Any, Final

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialCpu, TrialRow
from backend.core.definition.submitted import validate_document
from backend.core.plan.cells import enumerate_rows, judge_cells, varied_factors
from backend.core.plan.model import Cell, Estimate, Plan
from backend.gc_threshold import raise_gc_threshold

SIZES: Final = (250, 500, 1000)
ROUNDS: Final = 10
REPEATS: Final = 5
NOISE: Final = 0.02
METRICS: Final = {
    "tps": 17_500.0,
    "cpu_us_per_txn": 160.0,
    "cpu_cores": 2.8,
    "latency_avg_ms": 0.3,
    "proxy_cpu_us_per_txn": 34.0,
    "server_cpu_us_per_txn": 57.0,
}
CORES: Final = {"client": 0.7, "server": 1.0, "proxy": 0.6, "kernel": 0.1, "other": 0.02}
SECONDS: Final = 10.0
PATHS: Final = (
    "same_container",
    "sibling_container",
    "published_loopback",
    "container_address",
    "host_network",
)


def measure() -> list[dict[str, Any]]:
    """Process seconds of build_chart and the size of its JSON, median of some, for each number of cells.

    With the API's garbage collector threshold.
    """
    raise_gc_threshold()
    return [_measured(cells) for cells in SIZES]


def _measured(cells: int) -> dict[str, Any]:
    data = large_run(cells)
    seconds = []
    for _ in range(REPEATS):
        began = time.process_time()
        model = build_chart(data)
        seconds.append(time.process_time() - began)
    text = model.model_dump_json().encode()
    return {
        "cells": cells,
        "rounds": ROUNDS,
        "metrics": len(METRICS),
        "analysis_s": round(statistics.median(seconds), 3),
        "json_kb": round(len(text) / 1000),
        "json_kb_gzipped": round(len(gzip.compress(text, 6)) / 1000),
        "reduced": model.reduced is not None,
    }


def large_run(cells: int, rounds: int = ROUNDS, seed: int = 1) -> ChartInput:
    """A made-up run with so many cells (a multiple of 10), the six metrics and CPU by role."""
    experiment = validate_document(
        {
            "name": "large",
            "title": "A large run",
            "factors": {
                "path": list(PATHS),
                "userland_proxy": [True, False],
                "clients": list(range(1, cells // 10 + 1)),
            },
            "baseline": {"path": PATHS[0], "userland_proxy": True, "clients": 1},
            "rounds": rounds,
            "metrics": list(METRICS),
        }
    )
    rows = enumerate_rows(experiment)
    judged, _ = judge_cells(rows, lambda _levels: None)
    generator = random.Random(seed)
    return ChartInput(
        run_id="run_large",
        experiment_id="exp_large",
        state="done",
        experiment=experiment,
        plan=Plan(judged, (), Estimate(0, 0.0, 0.0, 0), varied_factors(rows), ()),
        trials=[_trial(cell, round_, generator) for round_ in range(1, rounds + 1) for cell in judged],
        cores=4,
        hops={cell.id: ("loopback", "docker-proxy", "bridge", "veth") for cell in judged},
    )


def _trial(cell: Cell, round_: int, generator: random.Random) -> TrialRow:
    def noisy(values: Mapping[str, float]) -> dict[str, float]:
        return {name: value * generator.lognormvariate(0, NOISE) for name, value in values.items()}

    seconds = {role: cores * SECONDS for role, cores in CORES.items()}
    return TrialRow(
        trial_id=f"trl_{cell.id}_{round_}",
        cell_id=cell.id,
        round=round_,
        state="done",
        metrics=noisy(METRICS),
        transactions=round(METRICS["tps"] * SECONDS * generator.lognormvariate(0, NOISE)),
        cpu=TrialCpu(
            noisy(seconds),
            unattributed=0.1 * generator.lognormvariate(0, NOISE),
            window_seconds=SECONDS,
            idle=15 * generator.lognormvariate(0, NOISE),
            steal=0.5 * generator.lognormvariate(0, NOISE),
        ),
        evidence="proven",
    )
