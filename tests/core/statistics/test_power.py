"""Power: held against simulation of the very test and family that verdicts are made with."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.plan.power import ALPHA, rounds_needed
from backend.core.statistics.power import (
    LARGEST_EFFECT,
    MOST_ROUNDS,
    rounds_for_effect,
    smallest_effect,
    spread_of_pairs,
    upper_spread,
)
from backend.core.statistics.signed_rank import signed_rank_p

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


spreads = st.floats(0.001, 0.5)


@given(st.floats(0.005, 1.0), spreads, st.integers(1, 200), st.integers(1, 5))
def test_rounds_and_effect_are_each_others_inverse(
    effect: float, spread: float, comparisons: int, analyses: int
) -> None:
    rounds = rounds_for_effect(effect, spread, comparisons, analyses)
    if rounds is None:
        most = smallest_effect(MOST_ROUNDS, spread, comparisons, analyses)
        assert most is None or most > effect
        return
    reached = smallest_effect(rounds, spread, comparisons, analyses)
    assert reached is not None and reached <= effect * (1 + 1e-9)
    assert rounds >= rounds_needed(comparisons, analyses)
    fewer = smallest_effect(rounds - 1, spread, comparisons, analyses)
    assert fewer is None or fewer > effect


@given(st.integers(1, 300), st.integers(1, 20))
def test_below_the_exact_minimum_nothing_is_shown(comparisons: int, analyses: int) -> None:
    needed = rounds_needed(comparisons, analyses)
    assert smallest_effect(needed - 1, 0.02, comparisons, analyses) is None
    assert smallest_effect(needed, 0.02, comparisons, analyses) is not None


def test_an_effect_beyond_all_plans_is_none() -> None:
    assert smallest_effect(6, 2.0) is None
    assert smallest_effect(6, 0.5) is not None
    assert smallest_effect(6, 0.0) == 0.0
    assert LARGEST_EFFECT == 10


@given(st.integers(6, 200), spreads)
def test_more_comparisons_or_analyses_never_show_smaller_effects(rounds: int, spread: float) -> None:
    def shown(comparisons: int, analyses: int) -> float:
        effect = smallest_effect(rounds, spread, comparisons, analyses)
        return math.inf if effect is None else effect

    assert shown(1, 1) <= shown(3, 1) <= shown(3, 5) <= shown(60, 5)


def test_spread_of_pairs_is_that_of_one_trial() -> None:
    generator = np.random.default_rng(7)
    base, twin = np.exp(generator.normal(9, 0.03, (2, 4_000)))
    spread = spread_of_pairs(list(zip(base.tolist(), twin.tolist(), strict=True)))
    assert spread == pytest.approx(0.03, rel=0.05)
    assert spread_of_pairs([(1.0, 2.0)]) is None
    assert spread_of_pairs([(1.0, 2.0), (0.0, 1.0)]) is None


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


def test_the_bound_comes_down_to_the_estimate_with_more_pairs() -> None:
    drawn = [(float(a), float(b)) for a, b in np.exp(np.random.default_rng(8).normal(0, 0.02, (400, 2)))]
    ratios = []
    for n in (6, 24, 400):
        bound, spread = upper_spread(drawn[:n]), spread_of_pairs(drawn[:n])
        assert bound is not None and spread is not None
        ratios.append(bound / spread)
    assert ratios[0] == pytest.approx(1.46, abs=0.01)
    assert ratios[0] > ratios[1] > ratios[2] > 1
    assert upper_spread([(1.0, 2.0)]) is None
