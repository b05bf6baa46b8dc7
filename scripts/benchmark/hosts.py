"""How long the result of a group of runs takes on one core, and how large it is when it is sent."""

from __future__ import annotations

import gzip
import statistics
import time
from typing import Any, Final

from backend.core.chart.across_hosts.build_hosts import HostGroup, build_hosts_result
from backend.core.chart.across_hosts.host_runs import HostRun
from backend.core.chart.compare_runs.compared_cells import figures_of, from_json, to_json
from scripts.benchmark.analysis import large_run

SIZES: Final = ((3, 50), (16, 50), (64, 50), (64, 250))
"""Hosts and cells; 64 hosts are the most that a group may have."""
REPEATS: Final = 3


def measure() -> list[dict[str, Any]]:
    """Process seconds of a group's result from kept figures, median of some, and the size of its JSON."""
    return [_measured(hosts, cells) for hosts, cells in SIZES]


def _measured(hosts: int, cells: int) -> dict[str, Any]:
    data = [large_run(cells, seed=number) for number in range(hosts)]
    kept = [to_json(figures_of(one)) for one in data]
    seconds = []
    for _ in range(REPEATS):
        began = time.process_time()
        runs = (
            HostRun(f"host-{number}", f"run_{number}", "done", None, from_json(one))
            for number, one in enumerate(kept)
        )
        group = HostGroup("grp_large", "exp_large", data[0].experiment, tuple(runs))
        text = build_hosts_result(group).model_dump_json().encode()
        seconds.append(time.process_time() - began)
    return {
        "hosts": hosts,
        "cells": cells,
        "rounds": data[0].experiment.rounds,
        "result_s": round(statistics.median(seconds), 3),
        "json_kb": round(len(text) / 1000),
        "json_kb_gzipped": round(len(gzip.compress(text, 5)) / 1000),
    }
