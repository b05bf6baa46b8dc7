"""The error rate of each sentence of a result in simulated runs: a small form of `scripts/bench promises`."""

from __future__ import annotations

import pytest

from scripts.benchmark import simulated_runs
from scripts.benchmark.noise_models import MODELS
from scripts.benchmark.promises import PROMISES, Promise

pytestmark = pytest.mark.full  # small forms: tests/core/statistics/test_simulated_errors.py
RUNS = 40
ALLOWED = 0.05 + 3 * 0.0345
"""The limit, and three standard errors of so many runs."""
HOSTS = ("normal",)


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("promise", PROMISES, ids=[promise.name for promise in PROMISES])
def test_a_sentence_is_rarely_wrong(promise: Promise, host: str) -> None:
    found = simulated_runs.row(promise, host, MODELS[host], RUNS, simulated_runs.SEED)
    assert found.broken <= (0 if promise.exact else ALLOWED)


@pytest.mark.parametrize("host", HOSTS)
def test_a_run_cancelled_for_its_result_is_rarely_wrong(host: str) -> None:
    found = simulated_runs.watched(host, MODELS[host], RUNS // 2, simulated_runs.SEED)
    assert found.broken <= ALLOWED


def test_the_table_has_a_row_per_sentence_and_a_column_per_host() -> None:
    rows = [
        simulated_runs.row(promise, host, model, 1, simulated_runs.SEED)
        for promise in PROMISES
        for host, model in MODELS.items()
    ]
    lines = simulated_runs.markdown(rows).splitlines()
    assert len(lines) == 2 + len(PROMISES)
    assert {line.count("|") for line in lines} == {2 + len(MODELS)}
