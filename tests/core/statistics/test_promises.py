"""Each sentence of a result, held against simulated runs: a small form of `scripts/bench promises`."""

from __future__ import annotations

from scripts.benchmark import simulated_runs
from scripts.benchmark.noise_models import MODELS
from scripts.benchmark.promises import PROMISES


def test_the_table_has_a_line_for_each_promise_and_a_column_for_each_host() -> None:
    rows = [
        simulated_runs.row(promise, host, model, 1, simulated_runs.SEED)
        for promise in PROMISES
        for host, model in MODELS.items()
    ]
    lines = simulated_runs.markdown(rows).splitlines()
    assert len(lines) == 2 + len(PROMISES)
    assert {line.count("|") for line in lines} == {2 + len(MODELS)}
