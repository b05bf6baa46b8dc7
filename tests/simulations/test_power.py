"""The power that a plan states, against simulations of the test that decides its comparisons."""

from __future__ import annotations

import math

import numpy as np
import pytest

from backend.core.plan.power import ALPHA
from backend.core.statistics.power import (
    rounds_for_effect,
    smallest_effect,
    spread_of_pairs,
    upper_spread,
)
from backend.core.statistics.signed_rank import signed_rank_p

pytestmark = pytest.mark.full  # small forms: tests/core/statistics/test_simulated_errors.py
RUNS = 1_000


def found(rounds: int, effect: float, spread: float, alpha: float, runs: int = RUNS) -> float:
    """The share of simulated runs in which the test finds a real difference at this level."""
    generator = np.random.default_rng(1945)
    baseline = generator.normal(0, spread, (runs, rounds))
    cell = generator.normal(math.log1p(effect), spread, (runs, rounds))
    return sum(signed_rank_p(row) <= alpha for row in cell - baseline) / runs


@pytest.mark.parametrize(
    ("rounds", "spread", "comparisons", "analyses"),
    [(6, 0.02, 1, 1), (8, 0.03, 6, 1), (9, 0.01, 6, 1), (10, 0.05, 1, 1), (10, 0.02, 10, 1),
     (12, 0.03, 25, 1), (14, 0.02, 25, 4), (20, 0.05, 6, 5), (30, 0.08, 100, 1), (60, 0.05, 10, 1)],
)  # fmt: skip
def test_the_smallest_effect_is_found_in_four_of_five_runs(
    rounds: int, spread: float, comparisons: int, analyses: int
) -> None:
    effect = smallest_effect(rounds, spread, comparisons, analyses)
    assert effect is not None
    assert found(rounds, effect, spread, ALPHA / (comparisons * analyses)) == pytest.approx(0.8, abs=0.06)


@pytest.mark.parametrize(
    ("effect", "spread", "comparisons"), [(0.03, 0.02, 1), (0.05, 0.05, 1), (0.05, 0.03, 12)]
)
def test_the_rounds_for_an_effect_find_it(effect: float, spread: float, comparisons: int) -> None:
    rounds = rounds_for_effect(effect, spread, comparisons)
    assert rounds is not None
    assert found(rounds, effect, spread, ALPHA / comparisons) >= 0.74
    assert found(rounds - 2, effect, spread, ALPHA / comparisons) < 0.80


@pytest.mark.parametrize("pairs", [6, 10])
def test_a_plan_from_few_pairs_keeps_its_power_in_four_of_five_cases(pairs: int) -> None:
    """Power of a plan at its own promise, over the spreads that so many pairs of one host happen to show."""
    generator = np.random.default_rng(6)
    powers: dict[str, list[float]] = {"estimate": [], "bound": []}
    for _ in range(150):
        drawn = [(float(a), float(b)) for a, b in np.exp(generator.normal(0, 0.02, (pairs, 2)))]
        for name, spread in (("estimate", spread_of_pairs(drawn)), ("bound", upper_spread(drawn))):
            assert spread is not None
            effect = smallest_effect(10, spread, 6)
            assert effect is not None
            powers[name].append(found(10, effect, 0.02, ALPHA / 6, runs=200))
    assert float(np.mean(powers["estimate"])) < 0.77, (
        "the contrast: with the estimate alone the power is missed"
    )
    assert float(np.mean(powers["bound"])) > 0.8
    assert float(np.mean([power >= 0.75 for power in powers["bound"]])) >= 0.75
