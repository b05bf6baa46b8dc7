"""Comparisons across servers with a known spread between server starts, simulated."""

from __future__ import annotations

import math

import pytest

from scripts.benchmark.start_effects import Design, false_differences

pytestmark = pytest.mark.full  # small forms: tests/core/statistics/test_simulated_errors.py
SEED = 20261122


@pytest.mark.parametrize("between", [0.005, 0.01, 0.02])
def test_restarts_keep_false_differences_at_five_per_cent(between: float) -> None:
    """Six comparisons across servers, ten rounds, noise of 2 %, no difference; 200 runs each."""
    restarted = false_differences(Design(between, restart_every=1), runs=200, seed=SEED)
    assert restarted <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 200)


def test_a_single_start_causes_false_differences() -> None:
    assert false_differences(Design(0.01, restart_every=None), runs=200, seed=SEED) > 0.15
    assert false_differences(Design(0.02, restart_every=None), runs=200, seed=SEED) > 0.5


def test_rounds_of_one_start_count_once() -> None:
    """Restarts every two of sixteen rounds: eight independent values decide six comparisons."""
    design = Design(0.02, restart_every=2, rounds=16)
    assert false_differences(design, runs=200, seed=SEED) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 200)
