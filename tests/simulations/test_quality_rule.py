"""Waiting, repeating and excluding trials by the rule for quality biases no result: simulated, fixed seed."""

from __future__ import annotations

import math

import pytest

from backend.core.definition.quality import DEFAULT
from scripts.benchmark.quality_rule import MAKE_UP, ROUNDS, SLOW_CORES, simulate, table

pytestmark = pytest.mark.full  # small forms: tests/core/statistics/test_simulated_errors.py
RUNS = 3000
SEED = 20261122
ERROR = 3 * math.sqrt(0.05 * 0.95 / RUNS)
"""Three standard errors of a simulated share of 5 %."""


@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "with-one-cell"])
@pytest.mark.parametrize("ratio", [1.0, 0.95], ids=["equal", "different"])
def test_intervals_of_the_kept_trials_contain_the_true_value(ratio: float, correlated: bool) -> None:
    kept = simulate(ratio, correlated, RUNS, SEED)
    assert kept.covered >= 0.95 - ERROR
    if ratio == 1.0:
        assert kept.different <= 0.05 + ERROR
    assert kept.with_interval >= 0.97 * RUNS
    assert kept.pairs > 0.8 * ROUNDS


@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "with-one-cell"])
@pytest.mark.parametrize("ratio", [1.0, 0.95], ids=["equal", "different"])
def test_make_up_rounds_keep_the_error_rates_and_complete_most_runs(ratio: float, correlated: bool) -> None:
    alone = simulate(ratio, correlated, RUNS, SEED)
    kept = simulate(ratio, correlated, RUNS, SEED, DEFAULT, MAKE_UP)
    assert kept.covered >= 0.95 - ERROR
    if ratio == 1.0:
        assert kept.different <= 0.05 + ERROR
    assert kept.pairs > alone.pairs
    assert kept.complete > alone.complete


@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "with-one-cell"])
@pytest.mark.parametrize("ratio", [1.0, 0.95], ids=["equal", "different"])
def test_a_slow_host_keeps_its_trials_and_the_error_rates(ratio: float, correlated: bool) -> None:
    kept = simulate(ratio, correlated, RUNS, SEED, background=SLOW_CORES)
    assert kept.covered >= 0.95 - ERROR
    if ratio == 1.0:
        assert kept.different <= 0.05 + ERROR
    assert kept.pairs > 0.8 * ROUNDS
    without = simulate(ratio, correlated, RUNS, SEED, background=SLOW_CORES, reads_level=False)
    assert without.pairs < 0.7 * ROUNDS and without.retakes > 2 * kept.retakes


def test_without_the_rule_noise_correlated_with_a_cell_causes_differences() -> None:
    assert simulate(1.0, True, RUNS, SEED, limits=None).different > 0.08


def test_the_table_has_every_design() -> None:
    lines = table(2).splitlines()
    assert len(lines) == 2 + 12
    assert {line.count("|") for line in lines} == {7}
